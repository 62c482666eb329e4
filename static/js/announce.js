// Says each [data-say] element that enters the page once, through the page's two live regions (req. 51).
// The words are repeated nowhere else: parts carry no role of their own.

const GAP_MS = 150; // two sentences in one frame would swallow the first
const HEARD_MS = 1500; // what is not said by then went under with its page
const said = new Set();
const queues = { polite: [], assertive: [] };
const regions = { polite: "live", assertive: "alert" };
const running = { polite: false, assertive: false };

/** Say `text`; `how` is "polite" or "assertive". */
export function say(text, how = "polite") {
  queues[how].push(text.replace(/\s+/g, " ").trim());
  if (!running[how]) drain(how);
}

function drain(how) {
  const text = queues[how].shift();
  running[how] = text !== undefined;
  if (text === undefined) return;
  const region = document.getElementById(regions[how]);
  if (region) {
    region.textContent = ""; // the same sentence twice must be a change
    requestAnimationFrame(() => {
      region.textContent = text;
    });
  }
  setTimeout(drain, GAP_MS, how);
}

/** Some news can reach a player on the page they are leaving and on the next one: whichever stays says it, once a visit. */
function isFirst(name) {
  const key = `heard:${name}`;
  if (sessionStorage.getItem(key)) return false;
  setTimeout(() => sessionStorage.setItem(key, "1"), HEARD_MS);
  return true;
}

function hear(element) {
  const how = element.dataset.say === "assertive" ? "assertive" : "polite";
  if (element.id) {
    if (said.has(element.id)) return;
    if (element.closest("#news, #toasts")) said.add(element.id);
  }
  if (element.dataset.once && !isFirst(element.dataset.once)) return element.closest("#news") && element.remove();
  say(element.textContent, how);
  if (element.parentElement?.id === "news") element.remove();
}

function scan(node) {
  if (!(node instanceof Element)) return;
  if (node.matches("[data-say]")) hear(node);
  node.querySelectorAll("[data-say]").forEach(hear);
}

new MutationObserver((records) => {
  for (const record of records) record.addedNodes.forEach(scan);
}).observe(document.body, { childList: true, subtree: true });

// What the server put on the page as it was loaded (a refused form) is said as well.
document.querySelectorAll("[data-say]").forEach(hear);
