// The title and the favicon tell a tab in the background that it is one's turn. #table carries data-title and, on one's turn, data-your-turn.

const icon = document.querySelector("link[rel=icon]");
const calm = icon?.href;

function show() {
  const table = document.getElementById("table");
  if (!table) return;
  if (table.dataset.title) document.title = `${table.dataset.title} · guessIo`;
  if (!icon) return;
  const wanted = "yourTurn" in table.dataset ? new URL(icon.dataset.turnHref, location.href).href : calm;
  if (icon.href !== wanted) icon.href = wanted;
}

new MutationObserver(show).observe(document.body, {
  subtree: true,
  childList: true,
  attributes: true,
  attributeFilter: ["data-title", "data-your-turn"],
});
show();
