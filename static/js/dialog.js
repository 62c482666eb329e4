// Opens and closes dialogs by command/commandfor where the browser does not know these attributes yet.

if (!("commandForElement" in HTMLButtonElement.prototype)) {
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("button[commandfor]");
    const dialog = button && document.getElementById(button.getAttribute("commandfor"));
    if (!(dialog instanceof HTMLDialogElement)) return;
    if (button.getAttribute("command") === "show-modal") dialog.showModal();
    if (button.getAttribute("command") === "close") dialog.close();
  });
}

// A tap on the scrim closes, as people expect of a sheet.
document.addEventListener("click", (event) => {
  if (event.target instanceof HTMLDialogElement && event.target.open) {
    const box = event.target.getBoundingClientRect();
    const inside =
      event.clientX >= box.left &&
      event.clientX <= box.right &&
      event.clientY >= box.top &&
      event.clientY <= box.bottom;
    if (!inside && event.detail > 0) event.target.close();
  }
});

/** What is pushed into an open dialog leaves it open, and the choice to whoever is making it; what can't be chosen any more is let go. */
function leave(element, { attrName, newValue }) {
  if (element.matches("dialog[open]") && attrName === "open") return false;
  if (!element.matches("dialog[open] [type=radio]")) return true;
  if (attrName === "disabled" && newValue !== null) element.checked = false;
  return attrName !== "checked";
}

window.htmx?.registerExtension("dialogs", { htmx_before_morph_attr: leave });

// A form in a dialog that was sent leaves the dialog closed.
document.addEventListener("htmx:after:request", (event) => {
  const { ctx } = event.detail;
  if (ctx.response.status < 400) ctx.sourceElement?.closest?.("dialog[open]")?.close();
});
