// What is under way and what it may still show. Every answer belongs to a generation of the model and, where it brings
// an encoding, to one of the text; whoever discards something begins a new generation (rules W1, W3, W4).

const workbench = document.getElementById("workbench");
const trainForm = document.getElementById("train-form");
const status = document.getElementById("status");
const views = ["summary", "prefix-controls", "selection", "corpus-view", "merges-view", "vocabulary-view"];

export const generation = { model: 0, text: 0 };

export const state = () => workbench.dataset.state;
export const say = (sentence) => { status.textContent = sentence; };

function empty(...ids) {
  for (const id of ids) document.getElementById(id).replaceChildren();
}

/** Drop the training under way, if there is one; the word that stays says after how many merges. */
export function cancelTraining() {
  if (state() !== "training") return;
  generation.model++;
  say(document.getElementById("if-cancelled")?.textContent ?? workbench.dataset.cancelled);
  htmx.trigger(trainForm, "htmx:abort");
  empty("training");
  workbench.dataset.state = "empty";
}

/** Discard the model and everything shown of it; the inputs stay. */
export function discardModel() {
  cancelTraining();
  generation.model++;
  if (state() === "empty") return;
  say("");
  discardEncoding();
  empty(...views);
  workbench.dataset.state = "empty";
}

/** Discard the encoding; an answer under way will not bring it back. */
export function discardEncoding() {
  generation.text++;
  htmx.trigger(document.getElementById("encode-form"), "htmx:abort");
  empty("encoding-view");
}

export function startTraining() {
  discardModel();
  say("");
  workbench.dataset.state = "training";
}

/** See from what is on the page whether a model has arrived; true if a training ended without model and word. */
export function settleTraining({ ended }) {
  if (document.getElementById("model-key")) workbench.dataset.state = "trained";
  else if (ended && state() === "training") {
    empty("training");
    workbench.dataset.state = "empty";
    return status.textContent === "";
  }
  return false;
}

export function start() {
  document.getElementById("cancel").addEventListener("click", cancelTraining);
  document.getElementById("reset").addEventListener("click", () => {
    discardModel();
    document.getElementById("train").focus();
  });
  trainForm.addEventListener("input", discardModel);
  document.getElementById("text").addEventListener("input", discardEncoding);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) return;
    cancelTraining();
    htmx.trigger(document.getElementById("encode-form"), "htmx:abort");
  });
}
