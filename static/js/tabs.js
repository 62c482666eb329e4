// Many tabs, few connections: over HTTP/1.1 a browser opens six to one host, so hidden tabs give their stream away (req. 24).
// Every tab with a stream holds a shared lock. A hidden tab lets go when another one still holds it, so the last stays and keeps
// the player present (R5.1); when that one is closed, a hidden tab stands in for it. A hidden match keeps its stream while there are few, because it has to tell that it is one's turn.

const NAME = "guessio-stream";
const MOST_HIDDEN_TABLES = 3;
const SETTLE_MS = 2_000; // a tab that goes to another page has its stream again by then

const news = window.BroadcastChannel ? new BroadcastChannel(NAME) : null;
let release = null;

/** Says that this tab holds a stream. */
export function hold() {
  if (release || !navigator.locks) return;
  navigator.locks.request(NAME, { mode: "shared" }, () => new Promise((free) => (release = free)));
}

/** Says that it holds none. */
export function letGo() {
  if (!release) return;
  release();
  release = null;
  news?.postMessage("let go");
}

async function count() {
  const { held } = await navigator.locks.query();
  return held.filter((lock) => lock.name === NAME).length;
}

/** Whether no tab at all holds a stream any more. */
export async function isLast() {
  return Boolean(navigator.locks) && (await count()) === 0;
}

/** Calls `check` a moment after another tab has let go of its stream. */
export function onLetGo(check) {
  news?.addEventListener("message", () => setTimeout(check, SETTLE_MS));
}

/** Whether this hidden tab gave its stream to others; one tab decides at a time. */
export async function giveWay(isTable) {
  if (!navigator.locks) return false;
  return navigator.locks.request(`${NAME}-choice`, async () => {
    if (!document.hidden || !release) return false;
    const streams = await count();
    if (streams < 2 || (isTable && streams <= MOST_HIDDEN_TABLES)) return false;
    letGo();
    return true;
  });
}
