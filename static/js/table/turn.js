// What follows when a turn or a phase begins: title and favicon, focus on the entry, and the way to the results.
// #pad-turn carries data-title and, on one's own turn, data-can-guess; #table carries data-go once the match is over.

const main = document.getElementById("main");
let seen = "";

/** Somebody who writes elsewhere, or answers a dialog, keeps the focus. */
function isBusy() {
  const active = document.activeElement;
  return Boolean(document.querySelector("dialog[open]") || active?.matches("input, textarea, select"));
}

function go(table) {
  if (!table.dataset.go) return false;
  location.replace(table.dataset.go);
  return true;
}

function carryTitle(table, turn) {
  if (turn?.dataset.title) table.dataset.title = turn.dataset.title;
  if (turn) table.toggleAttribute("data-your-turn", "canGuess" in turn.dataset);
}

function takeFocus(table, turn) {
  const isOwn = turn ? "canGuess" in turn.dataset : "yourTurn" in table.dataset;
  const now = `${table.dataset.phase} ${turn?.dataset.turn ?? ""} ${isOwn}`;
  if (now === seen) return;
  seen = now;
  if (!isOwn || isBusy()) return;
  const place = document.getElementById("guess") ?? table.querySelector("[data-focus]");
  place?.focus({ preventScroll: true });
}

function look() {
  const table = document.getElementById("table");
  if (!table || go(table)) return;
  const turn = document.getElementById("pad-turn");
  carryTitle(table, turn);
  takeFocus(table, turn);
}

// A dialog that closes on one's own turn gives the focus back to the entry, where digits are typed.
document.addEventListener(
  "close",
  (event) => {
    if (event.target.matches("dialog") && "canGuess" in (document.getElementById("pad-turn")?.dataset ?? {}))
      document.getElementById("guess")?.focus({ preventScroll: true });
  },
  true,
);

document.querySelector("dialog[data-open-now]")?.showModal();
new MutationObserver(look).observe(main, { childList: true, subtree: true });
look();
