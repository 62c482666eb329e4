// Counts down from what the server sent, and up for a search. It knows no rule: only how much was left when an element arrived.
//
//   <time data-remaining="18000" data-clock="turn-7">          text m:ss; data-format="seconds" gives a bare number,
//                                                              "fine" tenths once less than ten seconds are left
//   <circle data-remaining data-total data-clock>              stroke-dasharray; data-low-at marks the .ring or clock around it
//   <progress data-remaining data-total data-clock>            value
//   <time data-elapsed="7000" data-clock="search">             counts upwards
//
// A changed data-remaining or data-clock starts the count anew. Events that bubble: countdown:low and countdown:done, once each.
import { say } from "./announce.js";

const SELECTOR = "[data-remaining], [data-elapsed]";
const clocks = new WeakMap();

/** The clock of an element: where its count ends (or began), and what has been told of it. */
function clockOf(element, now) {
  const { remaining, elapsed, clock: key } = element.dataset;
  const sent = `${remaining ?? elapsed}/${key ?? ""}`;
  const known = clocks.get(element);
  if (known?.sent === sent) return known;
  const fresh = {
    sent,
    up: remaining === undefined,
    at: remaining === undefined ? now - Number(elapsed) : now + Number(remaining),
    told: known?.key === key ? known.told : new Set(),
    key,
  };
  clocks.set(element, fresh);
  return fresh;
}

function text(ms, format, up) {
  if (format === "fine" && Math.ceil(ms / 100) < 100) return (Math.ceil(ms / 100) / 10).toFixed(1);
  const s = up ? Math.floor(ms / 1000) : Math.ceil(ms / 1000);
  if (format === "seconds") return String(s);
  const two = (n) => String(n).padStart(2, "0");
  if (s >= 3600) return `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
  return `${Math.floor(s / 60)}:${two(s % 60)}`;
}

function paint(element, ms, clock) {
  const { total, format } = element.dataset;
  if (element instanceof SVGElement) {
    element.setAttribute("stroke-dasharray", `${Math.ceil(ms / 1000)} ${Math.round(Number(total) / 1000)}`);
  } else if (element instanceof HTMLProgressElement) {
    element.value = ms;
  } else {
    const words = text(ms, format, clock.up);
    if (element.textContent !== words) element.textContent = words;
  }
}

function once(element, clock, name, due) {
  if (!due || clock.told.has(name)) return false;
  clock.told.add(name);
  element.dispatchEvent(new CustomEvent(`countdown:${name}`, { bubbles: true, detail: { clock: clock.key } }));
  return true;
}

function step(element, now) {
  const clock = clockOf(element, now);
  const ms = clock.up ? now - clock.at : Math.max(0, clock.at - now);
  paint(element, ms, clock);
  if (clock.up) return;
  const { lowAt, sayAt, sayText } = element.dataset;
  if (lowAt !== undefined) {
    element.closest(".ring, .seat[data-clock]")?.toggleAttribute("data-low", ms <= Number(lowAt));
    once(element, clock, "low", ms <= Number(lowAt));
  }
  const due = ms <= Number(sayAt) && ms > Number(sayAt) - 2000; // never late: "10 seconds" with three left would mislead
  if (sayText && once(element, clock, "said", due)) say(sayText, "assertive");
  once(element, clock, "done", ms === 0);
}

function run() {
  const now = performance.now();
  for (const element of document.querySelectorAll(SELECTOR)) step(element, now);
}

// Ten looks a second, for clocks that show tenths; only changed text touches the page.
setInterval(run, 100);
new MutationObserver(run).observe(document.body, {
  subtree: true,
  childList: true,
  attributes: true,
  attributeFilter: ["data-remaining", "data-elapsed", "data-clock"],
});
run();
