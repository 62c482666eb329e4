// Short generated tones and vibration. Each has a switch of its own, kept in localStorage as "sound" and "touch" ("off" silences);
// never the only cue, and nothing before the first tap or key on the page.

const TONES = {
  key: [[1900, 0.02, 0.04]],
  turn: [[660, 0.09, 0.12], [880, 0.14, 0.12]],
  guess: [[320, 0.07, 0.14]],
  refused: [[170, 0.06, 0.14], [150, 0.08, 0.14]],
  low: [[1200, 0.03, 0.1]],
  hit: [[520, 0.08, 0.12], [390, 0.12, 0.12]],
  "round-won": [[523, 0.1, 0.13], [659, 0.1, 0.13], [784, 0.18, 0.13]],
  "round-lost": [[440, 0.12, 0.1], [349, 0.2, 0.1]],
};
const TOUCHES = { turn: 40, guess: 15, refused: [20, 40, 20], low: 30, "round-won": 60 };

let context = null;

function isOn(name) {
  return localStorage.getItem(name) !== "off";
}

function wake() {
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
}

function tone([frequency, length, volume], start) {
  const source = context.createOscillator();
  const gain = context.createGain();
  source.type = "triangle";
  source.frequency.value = frequency;
  gain.gain.setValueAtTime(volume, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + length);
  source.connect(gain).connect(context.destination);
  source.start(start);
  source.stop(start + length);
  return start + length;
}

function play(name) {
  if (!context) return; // nobody has touched the page yet
  if (isOn("sound") && TONES[name]) TONES[name].reduce((start, one) => tone(one, start), context.currentTime);
  if (isOn("touch") && TOUCHES[name]) navigator.vibrate?.(TOUCHES[name]);
}

/** The server names what happened; of several, the one that matters most is heard. */
function hear() {
  const names = document.getElementById("cue")?.dataset.cue?.split(" ") ?? [];
  const loudest = ["round-won", "round-lost", "hit", "turn", "guess"].find((name) => names.includes(name));
  if (loudest) play(loudest);
}

/** The switches in the dialog show what holds, and set it; each turns on with its own sample. */
function showSwitches() {
  for (const input of document.querySelectorAll("[data-switch]")) {
    input.checked = isOn(input.dataset.switch);
    input.closest(".switches").hidden = false;
  }
}

document.addEventListener("change", (event) => {
  const name = event.target.dataset?.switch;
  if (!name) return;
  localStorage.setItem(name, event.target.checked ? "on" : "off");
  if (event.target.checked) play("turn");
});
document.addEventListener("toggle", showSwitches, true);
showSwitches();

for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, wake, { capture: true });
document.addEventListener("pad:key", () => play("key"));
document.addEventListener("pad:refused", () => play("refused"));
document.addEventListener("countdown:low", (event) => event.target.closest("[data-own]") && play("low"));
new MutationObserver((records) => {
  const isNew = records.some((record) => [...record.addedNodes].some((node) => node.id === "cue"));
  if (isNew) hear();
}).observe(document.body, { childList: true });
