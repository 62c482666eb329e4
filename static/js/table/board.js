// Keeps the newest guess of each board in sight, unless the player has scrolled up to read: then a button leads to it.
// The button of a board names it: <button data-to-end="board">.

const NEAR = 24; // px from the end that still count as the end
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const boards = new Map(); // what is known of each board on the page: whether its end is in sight, and its newest guess
const sized = new ResizeObserver((entries) => {
  for (const { target } of entries) if (boards.get(target)?.atEnd) toEnd(target, false);
});

function isNearEnd(board) {
  return board.scrollHeight - board.clientHeight - board.scrollTop <= NEAR;
}

function toEnd(board, smooth) {
  board.scrollTo({ top: board.scrollHeight, behavior: smooth && !calm.matches ? "smooth" : "instant" });
  offer(board, false);
}

function offer(board, shown) {
  const button = document.querySelector(`[data-to-end="${board.id}"]`);
  if (button) button.hidden = !shown;
}

function newest(board) {
  return [...board.querySelectorAll(".guess")].at(-1)?.id ?? "";
}

function adopt(board) {
  const known = { atEnd: true, last: newest(board) };
  boards.set(board, known);
  board.addEventListener("scroll", () => {
    known.atEnd = isNearEnd(board);
    if (known.atEnd) offer(board, false);
  });
  sized.observe(board);
  toEnd(board, false);
}

function take(board) {
  const known = boards.get(board);
  if (!known) return adopt(board);
  const id = newest(board);
  if (id === known.last) return;
  known.last = id;
  const isOwn = board.querySelector(`#${CSS.escape(id)}`)?.hasAttribute("data-own");
  if (known.atEnd || isOwn) toEnd(board, true);
  else offer(board, true);
}

function look() {
  for (const board of boards.keys()) {
    if (board.isConnected) continue;
    sized.unobserve(board);
    boards.delete(board);
  }
  document.querySelectorAll("#table .board").forEach(take);
}

document.addEventListener("click", (event) => {
  const name = event.target.closest?.("[data-to-end]")?.dataset.toEnd;
  if (name) toEnd(document.getElementById(name), true);
});
new MutationObserver(look).observe(document.getElementById("main"), { childList: true, subtree: true });
look();
