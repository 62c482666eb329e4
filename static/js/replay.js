// Steps through a saved match (R11.4). Without it the whole list of moves stands on the page.

function start(root) {
  const moves = [...root.querySelectorAll(".move")];
  const bar = root.querySelector(".replay-bar");
  const range = bar.querySelector("input");
  const at = root.querySelector("[data-replay-at]");
  if (moves.length < 2) return;
  const last = moves.length - 1;
  let index = last;

  /** Shows the round of step `index` up to that step. */
  function show(next, spoken = true) {
    index = Math.max(0, Math.min(last, next));
    const { round } = moves[index].dataset;
    moves.forEach((move, n) => {
      move.hidden = move.dataset.round !== round || n > index;
      move.toggleAttribute("data-current", n === index);
    });
    range.value = String(index);
    range.setAttribute("aria-valuetext", moves[index].textContent.replace(/\s+/g, " ").trim());
    at.textContent = `Step ${index + 1} of ${moves.length}`;
    for (const button of bar.querySelectorAll("[data-go]")) {
      const isBackward = button.dataset.go === "first" || button.dataset.go === "back";
      button.setAttribute("aria-disabled", String(index === (isBackward ? 0 : last)));
    }
    if (spoken) moves[index].scrollIntoView({ block: "nearest" });
  }

  bar.addEventListener("click", (event) => {
    const go = event.target.closest("[data-go]")?.dataset.go;
    if (go) show({ first: 0, back: index - 1, next: index + 1, last }[go]);
  });
  range.addEventListener("input", () => show(Number(range.value)));
  bar.hidden = false;
  root.toggleAttribute("data-ready", true);
  show(last, false);
}

document.querySelectorAll("[data-replay]").forEach(start);
