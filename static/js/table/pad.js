// The entry: keypad, keyboard, paste, slots, the draft, and one send at a time.
//
// One real field holds what is typed; slots and keys only show it. The server pushes keys (#key-N) and the line about the turn
// (#pad-turn), never the field, so that nothing typed is lost (req. 27). A draft lives in sessionStorage until it is accepted.
// The form says what it takes: data-length, data-distinct when no digit may stand twice, data-noun when it is not a guess.
import { say } from "../announce.js";
import { isLost, LOST } from "../busy.js";

const DIGIT = /[0-9]/;
const SENT = "Sent. Waiting for the answer.";
let sentTurn = ""; // the turn whose guess is on its way or accepted: a second send of it is dropped

const part = (id) => document.getElementById(id);
const pad = () => document.querySelector("form#pad");
const length = () => Number(pad().dataset.length);
const turn = () => part("pad-turn");
const isDistinct = () => "distinct" in pad().dataset;
const noun = () => pad().dataset.noun ?? "guess";
const canGuess = () => "canGuess" in turn().dataset;

function digits() {
  return part("guess").value.replace(/[^0-9]/g, "");
}

function set(value) {
  part("guess").value = value;
  const { draft } = pad().dataset;
  if (value) sessionStorage.setItem("draft", JSON.stringify({ draft, value }));
  else sessionStorage.removeItem("draft");
  show();
}

function kept() {
  try {
    const { draft, value } = JSON.parse(sessionStorage.getItem("draft") ?? "{}");
    return draft === pad().dataset.draft ? value : "";
  } catch {
    return "";
  }
}

/** Says why something was not taken, beside the entry and aloud. */
function refuse(text) {
  complain(text);
  say(text, "assertive");
  document.dispatchEvent(new CustomEvent("pad:refused"));
}

function complain(text) {
  const line = part("guess-message");
  line.textContent = text;
  line.hidden = !text;
}

function add(digit) {
  const value = digits();
  if (!canGuess()) return refuse(turn().dataset.why);
  if (isDistinct() && value.includes(digit)) return refuse(`${digit} is already in this ${noun()}.`);
  if (value.length >= length()) return refuse(`${length()} digits are all it takes. Erase one to change it.`);
  complain("");
  document.dispatchEvent(new CustomEvent("pad:key"));
  set(value + digit);
}

function erase() {
  complain("");
  set(digits().slice(0, -1));
}

/** Sets an attribute only where it changes, so that watching the page finds an end. */
function mark(element, name, value) {
  if (value === null) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
  } else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

function showSlots(value) {
  [...part("slots").children].forEach((slot, place) => {
    const digit = value[place] ?? "";
    if (slot.textContent !== digit) slot.textContent = digit;
    const state = digit ? "filled" : place === value.length && canGuess() ? "next" : "empty";
    mark(slot, "data-slot", state);
  });
}

function showKeys(value) {
  const mine = canGuess();
  const has = `, already in this ${noun()}`;
  for (const key of pad().querySelectorAll(".key")) {
    const used = mine && isDistinct() && key.id.startsWith("key-") && value.includes(key.value);
    mark(key, "disabled", mine ? null : "");
    mark(key, "aria-disabled", used ? "true" : null);
    if (!key.id.startsWith("key-")) continue;
    const label = key.getAttribute("aria-label").replace(has, "");
    mark(key, "aria-label", used ? label + has : label);
  }
  const skill = part("use-skill");
  if (skill && !mine) mark(skill, "disabled", "");
  mark(part("guess"), "readonly", mine ? null : "");
  mark(pad(), "aria-disabled", mine ? null : "true");
}

function show() {
  if (!pad()) return;
  const value = digits();
  showSlots(value);
  showKeys(value);
}

/** A pad that has just come onto the page: the first one, or that of a new round. */
function adopt() {
  const form = pad();
  if (!form || form.dataset.ready !== undefined) return;
  form.dataset.ready = "";
  form.noValidate = true;
  form.querySelector(".entry").dataset.slots = "";
  part("guess").inputMode = "none"; // the keypad stands below; without this module a phone shows its own
  if (!digits()) part("guess").value = kept();
}

function look() {
  adopt();
  show();
}

function press(key) {
  if (key.id === "erase") erase();
  else if (key.id.startsWith("key-")) add(key.value);
}

function move(from, step) {
  const keys = [...pad().querySelectorAll(".key")];
  const next = keys[keys.indexOf(from) + step];
  next?.focus();
}

const CONTROLS = "a, button, input, textarea, select, summary, [contenteditable]";

/** On one's turn, what is typed while no control has the focus is meant for the entry, as after a tap on the board. */
function isForEntry({ target, key }) {
  if (!canGuess() || target.closest?.(CONTROLS) || document.querySelector("dialog[open]")) return false;
  return /^[0-9]$/.test(key) || key === "Backspace" || key === "Enter";
}

const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -6, ArrowDown: 6 };

document.addEventListener("keydown", (event) => {
  if (!pad() || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (!pad().contains(event.target)) {
    if (!isForEntry(event)) return;
    part("guess").focus({ preventScroll: true });
  }
  const onKey = event.target.closest(".key");
  if (event.key.length === 1 && DIGIT.test(event.key)) add(event.key);
  else if (event.key === "Backspace") erase();
  else if (event.key === "Escape") set("");
  else if (event.key in STEPS && onKey) move(onKey, STEPS[event.key]);
  else if (event.key === "Enter" && (!onKey || onKey.id === "send")) {
    if (!event.repeat) pad().requestSubmit(part("send").disabled ? undefined : part("send"));
  } else return;
  event.preventDefault();
});

// What comes in otherwise (paste, an on-screen keyboard, dictation) is taken digit by digit.
document.addEventListener("input", (event) => {
  if (event.target.id !== "guess" || !pad()) return;
  const seen = [...event.target.value].filter((sign) => DIGIT.test(sign));
  const taken = (isDistinct() ? [...new Set(seen)] : seen).slice(0, length()).join("");
  const lost = taken.length < seen.length;
  set(taken);
  if (lost) refuse(`Only ${length()} ${isDistinct() ? "different digits" : "digits"} fit.`);
  else complain("");
});

document.addEventListener("click", (event) => {
  const key = event.target.closest?.("#pad .key");
  if (key) press(key);
});

// A tap leaves the focus in the entry, so that hand and keyboard can be mixed: Enter sends after tapping, too.
document.addEventListener("pointerdown", (event) => {
  if (!event.target.closest?.("#pad .key")) return;
  event.preventDefault();
  if (!pad()?.contains(document.activeElement)) part("guess")?.focus({ preventScroll: true });
});

// On window, so that it is asked before busy.js takes the form for one that is under way.
window.addEventListener(
  "submit",
  (event) => {
    if (event.target !== pad()) return;
    const reason = whyNot();
    if (!reason) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    refuse(reason);
  },
  true,
);

function whyNot() {
  if (!canGuess()) return turn().dataset.why;
  if (sentTurn === turn().dataset.turn) return SENT;
  const missing = length() - digits().length;
  if (missing > 0) return missing === 1 ? "One more digit to go." : `${missing} more digits to go.`;
  return "";
}

document.addEventListener("htmx:before:request", (event) => {
  if (event.detail.ctx.sourceElement !== pad()) return;
  sentTurn = turn().dataset.turn;
  complain("");
});

document.addEventListener("htmx:finally:request", (event) => {
  const { ctx } = event.detail;
  if (!pad() || ctx.sourceElement !== pad()) return;
  if (ctx.response?.status === 204) return set(""); // accepted: the row comes over the stream
  sentTurn = "";
  document.dispatchEvent(new CustomEvent("pad:refused"));
  if (isLost(ctx)) refuse(LOST);
});

// A morphed key keeps its element and loses what was set here, so some attributes are watched as well.
const WATCHED = ["data-mark", "data-can-guess", "aria-label", "aria-disabled", "disabled"];
new MutationObserver(look).observe(part("main"), { childList: true, subtree: true, attributes: true, attributeFilter: WATCHED });
look();
