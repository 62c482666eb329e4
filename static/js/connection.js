// Shows how the page stands with the server (R5.3): at most one banner, and none for a break too short to matter.
import { say } from "./announce.js";

const QUIET_MS = 1500; // a reload or a restart of the stream is not worth a banner

const box = document.getElementById("connection");
let state = "open";
let newer = false;
let timer = 0;
let seatKept = null; // when the match's grace runs out, on the page's own clock

function banner() {
  if (state === "ended") return "signed-out";
  if (state === "offline" || state === "retrying") {
    if (seatKept !== null) return "seat-kept";
    return state === "offline" ? "offline" : "reconnecting";
  }
  return newer ? "newer" : null;
}

function words(part) {
  const [reason] = part.querySelectorAll("[data-reason]:not([hidden])");
  return (reason ?? part.querySelector(".grow")).textContent;
}

function show() {
  const wanted = banner();
  for (const part of box.children) {
    const isWanted = part.dataset.when === wanted;
    if (isWanted && part.hidden && wanted !== "newer") say(words(part), "assertive");
    part.hidden = !isWanted;
  }
}

/** In a match the banner counts down how long the seat is kept (R7.1); #table says how long that is. */
function keepSeat() {
  const grace = Number(document.getElementById("table")?.dataset.grace);
  const time = box.querySelector("[data-grace]");
  if (!grace || seatKept !== null) return;
  seatKept = performance.now() + grace;
  time.dataset.remaining = String(grace);
  time.dataset.clock = `grace-${Math.round(seatKept)}`;
}

function become(next) {
  clearTimeout(timer);
  const wasLost = state !== "open" && !box.querySelector("[data-when=seat-kept]").hidden;
  state = next;
  document.body.toggleAttribute("data-offline", next === "offline" || next === "retrying");
  if (next === "open") {
    seatKept = null;
    if (wasLost) say("Back in the match.", "assertive");
    show();
    return;
  }
  if (next === "ended") {
    document.getElementById("main")?.setAttribute("inert", ""); // what was typed stays in sight, but leads nowhere any more
    show();
    return;
  }
  keepSeat();
  timer = setTimeout(show, QUIET_MS);
}

if (box) {
  document.addEventListener("live:signed-out", ({ detail }) => {
    const known = [...box.querySelectorAll("[data-reason]")];
    const meant = known.find((part) => part.dataset.reason === detail.data) ?? known[0];
    for (const part of known) part.hidden = part !== meant;
  });
  document.addEventListener("live:state", ({ detail }) => {
    if (detail.state === "newer") {
      newer = true;
      show();
    } else if (detail.state !== state) {
      become(detail.state === "ended" && detail.why === "gone" ? "open" : detail.state);
    }
  });
  box.querySelector("[data-reload]").addEventListener("click", () => location.reload());
}
