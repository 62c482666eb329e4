// Many tabs, few connections: over HTTP/1.1 a browser opens six to one host, so hidden tabs give their stream away (req. 24).
// Every tab with a stream holds a shared lock. A hidden tab lets go when another one still holds it, so the last stays and keeps
// the player present (R5.1). A hidden match keeps its stream while there are few, because it has to tell that it is one's turn.

const NAME = "guessio-stream";
const MOST_HIDDEN_TABLES = 3;

let release = null;

/** Says that this tab holds a stream. */
export function hold() {
  if (release || !navigator.locks) return;
  navigator.locks.request(NAME, { mode: "shared" }, () => new Promise((free) => (release = free)));
}

/** Says that it holds none. */
export function letGo() {
  release?.();
  release = null;
}

/** Whether this hidden tab gave its stream to others; one tab decides at a time. */
export async function giveWay(isTable) {
  if (!navigator.locks) return false;
  return navigator.locks.request(`${NAME}-choice`, async () => {
    if (!document.hidden || !release) return false;
    const { held } = await navigator.locks.query();
    const streams = held.filter((lock) => lock.name === NAME).length;
    if (streams < 2 || (isTable && streams <= MOST_HIDDEN_TABLES)) return false;
    letGo();
    return true;
  });
}
