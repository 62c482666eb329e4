// The link of one's own offer: written out in full, and copied by a button.
import { say } from "../announce.js";

function look() {
  const input = document.getElementById("offer-link");
  const button = document.getElementById("copy-link");
  if (!input) return;
  const full = new URL(input.dataset.path, location.href).href;
  if (input.value !== full) input.value = full;
  if (button.hidden) button.hidden = false;
}

async function copy(button) {
  const input = document.getElementById(button.dataset.copy);
  input.select();
  try {
    await navigator.clipboard.writeText(input.value);
  } catch {
    return say("The link is selected. Copy it from there.", "assertive"); // a page without the right to do it
  }
  button.querySelector("span").textContent = "Copied";
  say("The link is copied.");
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (button) copy(button);
});
new MutationObserver(look).observe(document.getElementById("main"), { childList: true, subtree: true });
look();
