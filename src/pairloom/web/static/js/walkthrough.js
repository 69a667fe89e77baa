// The walkthrough's inputs: a text that was chosen or typed. Every change trains anew, without a button (rule S1). Leaving
// or hiding the page ends what is under way (rule W3); what is finished stays, and what is not begins again on return.

import { keep } from "./discarded.js";
import { canBeSent, clearErrors, objection, showCounts } from "./fields.js";
import { areEqual, edited, read, write } from "./inputs.js";
import { announce, say, sayFailed } from "./sentences.js";
import { pause } from "./stepping.js";
import { isPlainClick } from "./views.js";
import { letGo } from "./walk_requests.js";

// Typing trains when it rests for so long; the encoding follows at once, or nearly.
const TRAIN_AFTER_MS = 350;
const ENCODE_AFTER_MS = 120;

export const root = document.getElementById("walkthrough");
const inputs = document.getElementById("walk-inputs");
const encodeForm = document.getElementById("walk-encode-form");
const preset = document.getElementById("walk-preset");
const { corpus } = inputs.elements;
const text = document.getElementById("walk-text");
const training = document.getElementById("walk-training");

export const generation = { model: 0, text: 0 };
export const isShown = () => !root.hidden;
/** "empty", "training" or "trained"; only the last shows anything. */
export const state = () => root.dataset.state;
/** The prefix that the next training is shown at; whatever discards a model begins at 0 again. */
export const beginning = { prefix: 0 };
let trainTimer = 0;
let encodeTimer = 0;
let fetching = 0;
// The name of the text in the field, and a text of one's own that gave way to another one: it can be brought back.
let loaded = preset.value;
let replaced = null;

/** Nothing of the old text is shown any more; its place stays, so that nothing jumps. */
function discard() {
  pause();
  clearTimeout(trainTimer);
  fetching++;
  beginning.prefix = 0;
  generation.model++;
  htmx.trigger(inputs, "htmx:abort");
  document.getElementById("walk-key")?.remove();
  training.replaceChildren();
  root.dataset.state = "empty";
  letGo();
}

function train() {
  clearTimeout(trainTimer);
  if (!isShown() || document.hidden || !canBeSent(inputs)) return;
  root.dataset.state = "training";
  htmx.trigger(inputs, "again");
}

/** What an answer has brought: a model, or the end of a training without one. */
export function settle({ ended }) {
  if (document.getElementById("walk-key")) root.dataset.state = "trained";
  else if (ended && state() === "training") {
    root.dataset.state = "empty";
    const said = training.textContent.trim();
    training.querySelector("progress")?.remove();
    if (!said && !inputs.querySelector("[aria-invalid]")) sayFailed();
    else announce(said);
  }
}

function showWatch() {
  for (const line of document.querySelectorAll("#walk-watch [data-preset]")) line.hidden = line.dataset.preset !== preset.value;
}

/** The texts to encode that come with the presets: one of them gives way to the next, what was typed does not. */
const offered = () => [...preset.options].map((option) => option.dataset.toEncode);

async function loadPreset() {
  const { text: address, lang, toEncode } = preset.selectedOptions[0].dataset;
  showWatch();
  if (!address) {
    if (replaced !== null && loaded !== "") bringBack();
    return;
  }
  discard();
  clearErrors(inputs);
  const own = fetching;
  const fresh = await fetch(address).then((answer) => (answer.ok ? answer.text() : null)).catch(() => null);
  if (own !== fetching) return;
  if (fresh === null) {
    // What is chosen and what stands below it stay one thing.
    preset.value = loaded;
    showWatch();
    if (corpus.value !== "") train();
    sayFailed();
    return;
  }
  keepOwn();
  loaded = preset.value;
  corpus.value = fresh.trim();
  corpus.lang = lang;
  offerBack();
  if (text.value === "" || offered().includes(text.value)) {
    text.value = toEncode;
    text.lang = lang;
  }
  showCounts();
  train();
}

const settings = () => [inputs.elements.walk_lowercase, ...inputs.elements.walk_pre_tokenizer];

/** A text of one's own is about to be replaced as a whole. */
function keepOwn() {
  if (loaded !== "" || corpus.value === "") return;
  replaced = { text: corpus.value, checked: settings().map((each) => each.checked) };
}

function offerBack() {
  document.getElementById("walk-replaced").hidden = replaced === null || replaced.text === corpus.value;
}

function bringBack() {
  const { text: own, checked } = replaced;
  discard();
  clearErrors(inputs);
  replaced = null;
  corpus.value = own;
  settings().forEach((each, place) => { each.checked = checked[place]; });
  ownText();
  showCounts();
  offerBack();
  train();
}

function ownText() {
  loaded = "";
  preset.value = "";
  corpus.removeAttribute("lang");
  showWatch();
}

function change(event) {
  if (event.target === preset) return;
  if (event.target === corpus) {
    ownText();
    offerBack();
  }
  discard();
  trainTimer = setTimeout(train, event.target === corpus ? TRAIN_AFTER_MS : 0);
}

export function emptyLevels() {
  for (const level of ["characters", "subwords", "words"]) document.getElementById(`walk-${level}-view`).replaceChildren();
}

function encode() {
  clearTimeout(encodeTimer);
  if (state() !== "trained") return;
  if (canBeSent(encodeForm)) htmx.trigger(encodeForm, "again");
  else emptyLevels();
}

/** A model came without the text, typed meanwhile or too long once it is lowercase: it is encoded, or objected to, by itself. */
export function encodeAlone() {
  emptyLevels();
  // An objection that stands there already may stay, or be another one by now; it takes the focus only once.
  if (!text.hasAttribute("aria-invalid")) encode();
  else if (textCanBeSent()) htmx.trigger(encodeForm, "again");
}

function retype() {
  generation.text++;
  letGo();
  encodeForm.setAttribute("aria-busy", "true");
  text.removeAttribute("lang");
  clearTimeout(encodeTimer);
  encodeTimer = setTimeout(encode, ENCODE_AFTER_MS);
}

/** The text to encode as it may travel with a training: one that cannot be sent stays here, with its objection. */
export const textCanBeSent = () => objection(text) === null;

/** Come in, or back: what has no result yet gets one. */
function enter() {
  if (!isShown() || document.hidden) {
    pause();
    if (state() === "training") discard();
  } else if (state() === "empty" && !inputs.querySelector("[aria-invalid]")) {
    if (corpus.value === "" && preset.value !== "") loadPreset();
    else if (corpus.value !== "") train();
  }
}

/** Both pages on one text: the inputs are copied, each page keeps its own. */
const here = () => ({
  corpus: corpus.value,
  lowercase: inputs.elements.walk_lowercase.checked,
  pre_tokenizer: inputs.elements.walk_pre_tokenizer.value,
});

// The text to encode that was taken there last: it gives way to the next, what was typed there does not.
let taken = "";

function takeText() {
  const theirs = document.getElementById("text");
  if (theirs.value !== "" && theirs.value !== taken) return;
  taken = theirs.value = text.value;
  edited(theirs);
}

function openInWorkbench(event) {
  // The same text: what stands there, a model perhaps, need not go.
  if (!isPlainClick(event) || areEqual(here(), read())) return;
  const keepTheirs = keep();
  const limit = document.getElementById("merge-limit").dataset.max;
  write({ ...read(), ...here(), merge_limit: limit });
  edited(document.getElementById("corpus"));
  takeText();
  keepTheirs();
  say("taken", { limit: Number(limit) });
}

/** The workbench's text, with its settings. */
function take() {
  const theirs = read();
  if (theirs.corpus === "" || areEqual(here(), theirs)) return;
  if (theirs.corpus !== corpus.value) keepOwn();
  discard();
  clearErrors(inputs);
  corpus.value = theirs.corpus;
  inputs.elements.walk_lowercase.checked = theirs.lowercase;
  inputs.elements.walk_pre_tokenizer.value = theirs.pre_tokenizer;
  ownText();
  showCounts();
  offerBack();
}

/** All that the walkthrough is set to, but for the prefix. */
export function given() {
  const { walk_lowercase: lowercase, walk_pre_tokenizer: preTokenizer } = inputs.elements;
  return { preset: preset.value, corpus: corpus.value, lowercase: lowercase.checked, preTokenizer: preTokenizer.value, text: text.value };
}

/** Another text with its settings, shown at a prefix: from a link of the lesson, or from one that somebody sent. */
export function put(wanted, prefix) {
  keepOwn();
  discard();
  clearErrors(inputs);
  clearErrors(encodeForm);
  loaded = preset.value = wanted.preset;
  corpus.value = wanted.corpus;
  inputs.elements.walk_lowercase.checked = wanted.lowercase;
  inputs.elements.walk_pre_tokenizer.value = wanted.preTokenizer;
  text.value = wanted.text;
  for (const area of [corpus, text]) area.lang = preset.selectedOptions[0].dataset.lang ?? "";
  showWatch();
  showCounts();
  offerBack();
  beginning.prefix = prefix;
  train();
}

/** Begin; `takesText`: with the text of the workbench. */
export function start(takesText) {
  // Typed while these scripts were on their way.
  if (corpus.value !== "") ownText();
  inputs.addEventListener("input", change);
  preset.addEventListener("change", loadPreset);
  text.addEventListener("input", retype);
  document.getElementById("walk-bring-back").addEventListener("click", () => {
    bringBack();
    corpus.focus();
  });
  document.getElementById("open-in-workbench").addEventListener("click", openInWorkbench);
  document.getElementById("open-in-walkthrough").addEventListener("click", (event) => isPlainClick(event) && take());
  document.addEventListener("pairloom:view", enter);
  document.addEventListener("visibilitychange", enter);
  document.addEventListener("pairloom:language", () => {
    if (state() === "trained") htmx.trigger("#walk-shown-form", "again");
  });
  showWatch();
  if (takesText) take();
  enter();
}
