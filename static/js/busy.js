// A form is sent once: while an answer is awaited its button says so and a second send is dropped (R1.12).
// A plain form keeps working without this module; the server counts a command once anyway.
import { say } from "./announce.js";

export const LOST = "That did not go through. Nothing was lost; try again.";

/** Whether no answer of this site came: the connection failed, or something on the way answered in its place. */
export function isLost({ response }) {
  return !response || (response.raw.status >= 400 && !response.raw.headers.has("HX-Retarget"));
}

/** Says so in the form's own place for messages; the pad does it by itself. */
function tellLost(form) {
  if (form.id === "pad") return;
  const place = document.querySelector(form.getAttribute("hx-target") ?? "#message");
  if (place?.id.endsWith("message")) {
    place.textContent = LOST;
    place.hidden = false;
  }
  say(LOST, "assertive");
}

function begin(form, button) {
  form.dataset.sending = "";
  if (!button) return;
  button.setAttribute("aria-busy", "true");
  const label = button.querySelector("span") ?? button;
  if (button.dataset.busy) {
    button.dataset.label = label.textContent;
    label.textContent = button.dataset.busy;
  }
}

function end(form) {
  delete form.dataset.sending;
  for (const button of form.querySelectorAll("[aria-busy=true]")) {
    button.removeAttribute("aria-busy");
    if (button.dataset.label === undefined) continue;
    (button.querySelector("span") ?? button).textContent = button.dataset.label;
    delete button.dataset.label;
  }
}

document.addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    if (form.method === "dialog" || form.method === "get") return;
    if ("sending" in form.dataset) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    begin(form, event.submitter ?? form.querySelector("button:not([type=button])"));
  },
  true,
);

document.addEventListener("htmx:finally:request", (event) => {
  const { ctx } = event.detail;
  const form = ctx.sourceElement?.closest?.("form");
  if (!form || leaving) return;
  end(form);
  if (isLost(ctx)) tellLost(form);
});

// A form sent by htmx that the server answers with a redirect goes to that page as a full load: every history entry is a whole page.
let leaving = false;
document.addEventListener("htmx:before:response", (event) => {
  const { raw } = event.detail.ctx.response;
  if (isLost(event.detail.ctx)) event.preventDefault(); // an error page of a proxy is no piece of this one
  if (!raw.redirected) return;
  event.preventDefault();
  leaving = true;
  location.assign(raw.url);
});

addEventListener("pageshow", () => {
  leaving = false;
  document.querySelectorAll("form[data-sending]").forEach(end);
});
