// Keeps the newest guess in sight, unless the player has scrolled up to read: then a button leads to it.

const NEAR = 24; // px from the end that still count as the end
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let board = null;
let atEnd = true;
let last = "";
const sized = new ResizeObserver(() => board && atEnd && toEnd(false));

function isNearEnd() {
  return board.scrollHeight - board.clientHeight - board.scrollTop <= NEAR;
}

function toEnd(smooth) {
  board.scrollTo({ top: board.scrollHeight, behavior: smooth && !calm.matches ? "smooth" : "instant" });
  offer(false);
}

function offer(shown) {
  const button = document.getElementById("to-end");
  if (button) button.hidden = !shown;
}

function newest() {
  return [...board.querySelectorAll(".guess")].at(-1)?.id ?? "";
}

function take() {
  const found = document.getElementById("board");
  if (!found) {
    board = null;
    return;
  }
  if (found !== board) {
    board = found;
    board.addEventListener("scroll", () => {
      atEnd = isNearEnd();
      if (atEnd) offer(false);
    });
    sized.disconnect();
    sized.observe(board);
    last = newest();
    atEnd = true;
    toEnd(false);
    return;
  }
  const id = newest();
  if (id === last) return;
  last = id;
  const isOwn = board.querySelector(`#${CSS.escape(id)}`)?.hasAttribute("data-own");
  if (atEnd || isOwn) toEnd(true);
  else offer(true);
}

document.addEventListener("click", (event) => {
  if (event.target.closest?.("#to-end")) toEnd(true);
});
new MutationObserver(take).observe(document.getElementById("main"), { childList: true, subtree: true });
take();
