// What is under way and what it may still show. Every answer belongs to a generation of the model and, where it brings
// an encoding, to one of the text; whoever discards something begins a new generation (rules W1, W3, W4).

import * as discarded from "./discarded.js";
import { markErrors } from "./fields.js";
import { announce, say, sentence, show } from "./sentences.js";

const workbench = document.getElementById("workbench");
const trainForm = document.getElementById("train-form");
const encodeForm = document.getElementById("encode-form");
const status = document.getElementById("status");
const edited = document.getElementById("text-edited");
const views = ["summary", "prefix-controls", "selection", "corpus-view", "merges-view", "merges-found", "vocabulary-view", "vocabulary-found"];

export const generation = { model: 0, text: 0, job: 0 };
/** Explicit encodings that have not been answered yet. */
export const encodings = new Set();

export const state = () => workbench.dataset.state;

function empty(...ids) {
  for (const id of ids) document.getElementById(id).replaceChildren();
}

/** Drop the training under way, if there is one; the word that stays says after how many merges. */
export function cancelTraining() {
  if (state() !== "training") return;
  generation.model++;
  show(document.getElementById("if-cancelled")?.firstElementChild ?? sentence("cancelled"));
  htmx.trigger(trainForm, "htmx:abort");
  empty("training");
  workbench.dataset.state = "empty";
  discarded.refresh();
}

/** Drop the encoding under way, if there is one; one that is finished stays. */
function cancelEncoding() {
  if (!encodings.size) return;
  generation.job++;
  encodings.clear();
  htmx.trigger(encodeForm, "htmx:abort");
  say("encodingCancelled");
}

/** What is under way will not be shown: the page is hidden, or another view is. What is finished stays (rule W3). */
export function cancelJobs() {
  cancelTraining();
  cancelEncoding();
}

/** Discard the model and everything shown of it; the inputs stay. */
export function discardModel() {
  cancelTraining();
  generation.model++;
  if (state() === "empty") return;
  show(null);
  discardEncoding();
  empty(...views);
  // An objection to the old model is none to the next one.
  for (const slot of workbench.querySelectorAll(".when-trained .error")) slot.replaceChildren();
  markErrors();
  workbench.dataset.state = "empty";
}

/** Discard the encoding; an answer under way will not bring it back. */
export function discardEncoding() {
  generation.text++;
  encodings.clear();
  htmx.trigger(encodeForm, "htmx:abort");
  empty("encoding-view", "decoded-view", "text-edited");
}

export function startTraining() {
  discardModel();
  show(null);
  discarded.begin();
  workbench.dataset.state = "training";
}

/** See from what is on the page whether a model has arrived; true if a training ended without model and word. */
export function settleTraining({ ended }) {
  if (document.getElementById("model-key")) {
    workbench.dataset.state = "trained";
    discarded.finish();
  } else if (ended && state() === "training") {
    empty("training");
    workbench.dataset.state = "empty";
    discarded.refresh();
    return status.textContent === "";
  }
  return false;
}

/** An edit discards what the text was encoded to; what to do about it stands in its place. */
function retype() {
  const hadNote = edited.hasChildNodes();
  const had = hadNote || encodings.size > 0 || encodeForm.querySelector("[data-encoded]") !== null;
  discardEncoding();
  if (!had) return;
  edited.replaceChildren(sentence("textEdited"));
  if (!hadNote) announce(edited.textContent);
}

function edit() {
  const before = state();
  discardModel();
  if (before === "trained") {
    discarded.offer();
    announce(document.getElementById("discarded-word").textContent);
  } else {
    // What was said of the inputs was said of other ones; the word of a training that this edit cancels stays.
    if (before === "empty" && status.hasChildNodes()) show(null);
    discarded.refresh();
  }
}

function reset() {
  const had = state() === "trained";
  discardModel();
  discarded.forget();
  if (had) say("discarded");
  document.getElementById("train").focus();
}

export function start() {
  document.getElementById("cancel").addEventListener("click", () => {
    cancelTraining();
    document.getElementById("train").focus();
  });
  document.getElementById("reset").addEventListener("click", reset);
  trainForm.addEventListener("input", edit);
  document.getElementById("text").addEventListener("input", retype);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) cancelJobs();
  });
}
