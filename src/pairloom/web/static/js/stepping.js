// Step, Back, Play and Reset (rule S2). The slider holds the prefix that was chosen last; every control sets it, and the
// server answers with what is there.

import { announce } from "./sentences.js";
import { isShown, state } from "./walkthrough.js";

const form = document.getElementById("walk-form");
const button = (name) => document.getElementById(`walk-${name}`);
const speed = button("speed");
const slider = () => document.getElementById("walk-slider");
const chosen = () => Number(slider().value);
const maximum = () => Number(slider().max);
const shownPrefix = () => Number(document.querySelector("#walk-next [data-prefix]").dataset.prefix);

let playing = false;
let timer = 0;
let startedAt = 0;
let byPlay = false;

/** Choose a prefix; beyond the ends nothing happens. */
function choose(wanted) {
  if (state() !== "trained") return;
  const value = Math.min(Math.max(wanted, 0), maximum());
  if (value === chosen()) return;
  slider().value = value;
  send();
}

const send = () => slider().dispatchEvent(new Event("input", { bubbles: true }));

/** What the page does by itself is no hand on the controls: Play goes on. */
function byItself(act) {
  byPlay = true;
  act();
  byPlay = false;
}

function tick() {
  if (!playing) return;
  startedAt = performance.now();
  byItself(() => choose(chosen() + 1));
}

function setPlaying(now) {
  playing = now;
  clearTimeout(timer);
  button("play").classList.toggle("playing", now);
}

export function pause() {
  if (!playing) return;
  setPlaying(false);
  announce(document.getElementById("walk-next").innerText);
}

function play() {
  if (state() !== "trained" || maximum() === 0) return;
  setPlaying(true);
  if (chosen() < maximum()) {
    tick();
    return;
  }
  // At the end it begins anew.
  startedAt = performance.now();
  byItself(() => choose(0));
}

const toggle = () => (playing ? pause() : play());

/** Move by hand: whoever does so does not want to be moved on. */
function move(wanted) {
  pause();
  choose(wanted);
}

/** A step has been shown, or has failed. The next one of Play begins now, at the earliest an interval after the last. */
export function settled({ failed }) {
  if (!slider()) return;
  if (failed) slider().value = shownPrefix();
  mark();
  if (!playing) return;
  // Of a failure other words are heard.
  if (failed) setPlaying(false);
  else if (shownPrefix() === maximum()) pause();
  else if (chosen() === shownPrefix()) {
    clearTimeout(timer);
    timer = setTimeout(tick, Math.max(0, startedAt + Number(speed.value) - performance.now()));
  }
}

/** A part that shows another prefix than the rest, because answers came in another order, is asked for once more. */
export function catchUp() {
  if (!slider() || chosen() !== shownPrefix()) return;
  const parts = [...document.querySelectorAll("#walkthrough [data-at]")];
  if (parts.some((part) => Number(part.dataset.at) !== shownPrefix())) byItself(send);
}

/** Everything comes anew, the slider too: the prefix chosen last, which may be on its way, stays the chosen one. */
export const chosenLast = () => slider()?.value;

export function chooseAgain(value) {
  if (value === undefined || Number(value) === shownPrefix()) return;
  slider().value = value;
  byItself(send);
}

function enable(name, may) {
  if (may) button(name).removeAttribute("aria-disabled");
  else button(name).setAttribute("aria-disabled", "true");
}

/** Say at every control what it can do here. */
export function mark() {
  const ready = state() === "trained" && slider() !== null;
  const prefix = ready ? shownPrefix() : 0;
  enable("reset", ready && prefix > 0);
  enable("back", ready && prefix > 0);
  enable("step", ready && prefix < maximum());
  enable("play", ready && maximum() > 0);
  if (ready) slider().setAttribute("aria-valuetext", document.getElementById("walk-next").innerText);
}

/** Tell those who hear it what a step made by hand has come to; the slider says it itself. */
export function tell() {
  if (!playing && document.activeElement !== slider()) announce(document.getElementById("walk-next").innerText);
}

const FIELDS = "input, textarea, select, [contenteditable]";

function key(event) {
  if (!isShown() || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
  if (event.target.matches?.(FIELDS)) return;
  if (event.key === "ArrowRight") move(chosenOr(0) + 1);
  else if (event.key === "ArrowLeft") move(chosenOr(0) - 1);
  // The space bar presses a button or opens what it stands on; anywhere else it plays.
  else if (event.key !== " " || event.target.matches?.("button, a, summary")) return;
  else if (!event.repeat) toggle();
  event.preventDefault();
}

const chosenOr = (otherwise) => (slider() ? chosen() : otherwise);

export function start() {
  button("step").addEventListener("click", () => move(chosenOr(0) + 1));
  button("back").addEventListener("click", () => move(chosenOr(0) - 1));
  button("reset").addEventListener("click", () => move(0));
  button("play").addEventListener("click", toggle);
  form.addEventListener("input", () => {
    if (!byPlay) pause();
  });
  document.addEventListener("keydown", key);
}
