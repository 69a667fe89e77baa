// The walkthrough's inputs: a text that was chosen or typed. Every change trains anew, without a button (rule S1). Leaving
// or hiding the page ends what is under way (rule W3); what is finished stays, and what is not begins again on return.

import { keep } from "./discarded.js";
import { canBeSent, clearErrors, objection, showCounts } from "./fields.js";
import { edited, read, write } from "./inputs.js";
import { announce, sayFailed } from "./sentences.js";
import { pause } from "./stepping.js";
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
    corpus.focus();
    return;
  }
  discard();
  clearErrors(inputs);
  const own = fetching;
  const answer = await fetch(address).catch(() => null);
  if (own !== fetching) return;
  if (!answer?.ok) {
    sayFailed();
    return;
  }
  const fresh = (await answer.text()).trim();
  if (own !== fetching) return;
  corpus.value = fresh;
  corpus.lang = lang;
  if (text.value === "" || offered().includes(text.value)) {
    text.value = toEncode;
    text.lang = lang;
  }
  showCounts();
  train();
}

function ownText() {
  if (preset.value === "") return;
  preset.value = "";
  corpus.removeAttribute("lang");
  showWatch();
}

function change(event) {
  if (event.target === preset) return;
  if (event.target === corpus) ownText();
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
function openInWorkbench() {
  const replaced = keep();
  write({
    ...read(),
    corpus: corpus.value,
    lowercase: inputs.elements.walk_lowercase.checked,
    pre_tokenizer: inputs.elements.walk_pre_tokenizer.value,
    merge_limit: document.getElementById("merge-limit").dataset.max,
  });
  edited(document.getElementById("corpus"));
  replaced();
}

function openHere() {
  const theirs = read();
  if (theirs.corpus === "") return;
  discard();
  clearErrors(inputs);
  corpus.value = theirs.corpus;
  inputs.elements.walk_lowercase.checked = theirs.lowercase;
  inputs.elements.walk_pre_tokenizer.value = theirs.pre_tokenizer;
  ownText();
  showCounts();
}

/** All that the walkthrough is set to, but for the prefix. */
export function given() {
  const { walk_lowercase: lowercase, walk_pre_tokenizer: preTokenizer } = inputs.elements;
  return { preset: preset.value, corpus: corpus.value, lowercase: lowercase.checked, preTokenizer: preTokenizer.value, text: text.value };
}

/** Another text with its settings, shown at a prefix: from a link of the lesson, or from one that somebody sent. */
export function put(wanted, prefix) {
  discard();
  clearErrors(inputs);
  clearErrors(encodeForm);
  preset.value = wanted.preset;
  corpus.value = wanted.corpus;
  inputs.elements.walk_lowercase.checked = wanted.lowercase;
  inputs.elements.walk_pre_tokenizer.value = wanted.preTokenizer;
  text.value = wanted.text;
  for (const area of [corpus, text]) area.lang = preset.selectedOptions[0].dataset.lang ?? "";
  showWatch();
  showCounts();
  beginning.prefix = prefix;
  train();
}

export function start() {
  inputs.addEventListener("input", change);
  preset.addEventListener("change", loadPreset);
  text.addEventListener("input", retype);
  document.getElementById("open-in-workbench").addEventListener("click", openInWorkbench);
  document.getElementById("open-in-walkthrough").addEventListener("click", openHere);
  document.addEventListener("pairloom:view", enter);
  document.addEventListener("visibilitychange", enter);
  document.addEventListener("pairloom:language", () => {
    if (state() === "trained") htmx.trigger("#walk-shown-form", "again");
  });
  showWatch();
  enter();
}
