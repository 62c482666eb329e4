// The page's one stream: applies <hx-partial>s through htmx and keeps the connection (R5.1, R5.2, req. 24-29).
//
// #stream, outside everything that is swapped, carries data-live="/live?table=…&v=…", data-left and data-csrf.
// Unnamed messages are HTML for htmx.swap. Named ones: "beat" (nothing), "navigate" (a path of this site), "signed-out" (ends the
// stream), "version" (the running version); every named one is also a "live:<name>" event on document, its data in detail.data.
// "live:state" tells connection.js how things stand: open, retrying, offline, ended, newer.
import { messages } from "./sse.js";
import { giveWay, hold, isLast, letGo, onLetGo } from "./tabs.js";

const RETRY_MIN_MS = 300;
const RETRY_MAX_MS = 15_000;
const STEADY_MS = 5_000; // a connection that lasted this long forgives earlier failures
const HIDDEN_MS = 20_000;

const element = document.getElementById("stream");
const SILENT_BEATS = 2.5;
const tab = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
const isTable = Boolean(element && new URL(element.dataset.live, location.href).searchParams.has("table"));

let beat = 15_000; // the server beats at least this often, and says so if it is more often
let version = element ? (new URL(element.dataset.live, location.href).searchParams.get("v") ?? "") : "";
let control = null; // the running attempt, as an AbortController
let heard = 0;
let failures = 0;
let opened = 0;
let timer = 0;
let ended = false;
let hiddenTimer = 0;
let fresh = 0; // the version of a whole table that an answer brought: the stream's steps up to it are in it already
let hint = null; // how long the server asks to wait before the next attempt

function tell(name, detail = {}) {
  document.dispatchEvent(new CustomEvent(`live:${name}`, { detail }));
}

function address() {
  const url = new URL(element.dataset.live, location.href);
  if (version) url.searchParams.set("v", version);
  url.searchParams.set("tab", tab);
  return url;
}

async function connect() {
  clearTimeout(timer);
  if (ended || control) return;
  if (!navigator.onLine) {
    tell("state", { state: "offline" });
    return; // the online event comes back here
  }
  const mine = (control = new AbortController());
  heard = performance.now();
  let pause = null;
  try {
    const response = await fetch(address(), {
      signal: mine.signal,
      cache: "no-store",
      headers: { Accept: "text/event-stream", ...(version && { "Last-Event-ID": version }) },
    });
    pause = await follow(response, mine.signal);
  } catch {
    // a refused or broken connection: tried again below
  }
  if (control === mine) control = null;
  if (mine.signal.aborted && mine.signal.reason === "let go") return;
  if (!ended) again(pause);
}

/** Reads one answer to its end. Gives the pause that the server asked for, if any. */
async function follow(response, signal) {
  const isStream = response.headers.get("Content-Type")?.startsWith("text/event-stream");
  if (response.status === 401 || response.redirected || response.status === 204) return finish("signed-out");
  if (response.status === 403 || response.status === 404) return gone();
  if (!response.ok || !isStream) return 1000 * Number(response.headers.get("Retry-After")) || null;
  const isFirst = opened === 0;
  opened = performance.now();
  beat = Number(response.headers.get("X-Beat-Ms")) || beat;
  hold();
  noticeVersion(response.headers.get("X-App-Version"));
  tell("state", { state: "open" });
  if (!isFirst && document.querySelector("[data-reload-on-gap]")) {
    location.reload(); // a page without a version of its own: what it missed is seen by loading it
    return null;
  }
  for await (const message of messages(response, () => (heard = performance.now()))) {
    if (signal.aborted || ended) return null;
    if (message.event === "retry") hint = Number(message.data);
    if (performance.now() - opened > STEADY_MS) failures = 0;
    await take(message);
  }
  return hint;
}

async function take({ event, data, id }) {
  if (event) {
    if (event === "navigate" && new URL(data, location.href).origin === location.origin) location.assign(data);
    if (event === "version") noticeVersion(data);
    if (event !== "beat" && event !== "retry") tell(event, { data });
    if (event === "signed-out") finish("signed-out");
  } else if (id === null || !(Number(id) <= fresh)) {
    await htmx.swap({ text: data, sourceElement: element, target: element, swap: "none" });
    tell("swapped", { id });
  }
  if (id !== null) version = id;
}

function noticeVersion(running) {
  const own = document.querySelector("meta[name=app-version]")?.content;
  if (running && own && running !== own) tell("state", { state: "newer" });
}

function finish(why) {
  ended = true;
  control?.abort("let go");
  letGo();
  tell("state", { state: "ended", why });
  return null;
}

/** The table is no longer this player's: the page's own address knows where they belong now. */
function gone() {
  const [entry] = performance.getEntriesByType("navigation");
  if (entry?.type !== "reload") location.reload();
  return finish("gone");
}

/** Tries again after a pause that grows with every failure and is never the same for two pages. */
function again(pause) {
  letGo();
  tell("state", { state: navigator.onLine ? "retrying" : "offline" });
  const most = Math.min(RETRY_MIN_MS * 2 ** failures++, RETRY_MAX_MS);
  const wait = Math.min(pause ?? 0, RETRY_MAX_MS) + most * (0.5 + Math.random() / 2);
  clearTimeout(timer);
  timer = setTimeout(connect, wait);
}

/** Lets the connection go without trying again by itself. */
function drop() {
  clearTimeout(timer);
  control?.abort("let go");
  control = null;
  letGo();
}

/** Comes back at once, as after sleep: a connection that still breathes is kept. */
function wake() {
  if (ended) return;
  if (control && performance.now() - heard < beat * 1.2) return;
  failures = 0;
  drop();
  connect();
}

/** What a hidden tab does from time to time: give its stream to others, or have one again when it would be the last to keep the seat. */
async function weigh() {
  if (!document.hidden) return;
  if (control) (await giveWay(isTable)) && drop();
  else if (await isLast()) connect();
}

function leave() {
  if (ended || !control) return;
  const body = new URLSearchParams({ tab, csrf_token: element.dataset.csrf });
  navigator.sendBeacon(element.dataset.left, body); // only a hint: the closed connection says the same, later
  drop();
}

const brought = (event) => Number(event.detail.ctx.response?.raw.headers.get("X-Table-Version")) || 0;

function start() {
  document.addEventListener("htmx:before:response", (event) => {
    fresh = Math.max(fresh, brought(event));
  });
  document.addEventListener("htmx:finally:request", (event) => {
    if (!brought(event) || Number(version) <= brought(event)) return;
    version = "0"; // the stream was ahead of the answer, which took its steps off the page: ask for the whole
    fresh = 0;
    drop();
    connect();
  });
  setInterval(() => {
    if (control && performance.now() - heard > SILENT_BEATS * beat) {
      drop();
      again(null);
    }
  }, 1000);
  addEventListener("online", wake);
  addEventListener("offline", () => {
    drop();
    tell("state", { state: "offline" });
  });
  addEventListener("pagehide", leave);
  addEventListener("pageshow", (event) => event.persisted && wake());
  document.addEventListener("visibilitychange", () => {
    clearInterval(hiddenTimer);
    if (!document.hidden) wake();
    else hiddenTimer = setInterval(weigh, HIDDEN_MS);
  });
  onLetGo(() => control || weigh());
  connect();
}

if (element && window.htmx) start();
else if (element) addEventListener("load", start, { once: true });
