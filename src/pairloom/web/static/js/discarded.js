// After an edit has discarded a model: the inputs that it was trained on can be brought back (rule W14). They are kept in
// memory only, and only those of the last model.

import { areEqual, edited, read, write } from "./inputs.js";
import { say, sentence } from "./sentences.js";

const line = document.getElementById("discarded");
const button = document.getElementById("bring-back");
let training = null;
let trained = null;
let offered = null;
let hadModel = false;

/** A training begins on what the form holds. */
export function begin() {
  training = read();
  line.hidden = true;
}

/** It has come to a model. */
export function finish() {
  if (training) [trained, training, offered] = [training, null, null];
}

/** An edit has discarded the model. */
export function offer() {
  if (trained) [offered, trained, hadModel] = [trained, null, true];
  refresh();
}

/** A text is about to be replaced as a whole: if no model stands for it, it is offered back once it is gone. */
export function keep() {
  const inputs = read();
  const isOwn = trained === null && inputs.corpus !== "";
  return () => {
    if (!isOwn) return;
    [offered, hadModel] = [inputs, false];
    document.getElementById("discarded-word").replaceChildren(sentence("replaced"));
    refresh();
  };
}

/** Reset: the inputs are still there. */
export function forget() {
  [trained, offered] = [null, null];
  refresh();
}

/** The offer stands as long as it would change anything. */
export function refresh() {
  line.hidden = offered === null || areEqual(offered, read());
}

export function start() {
  button.addEventListener("click", () => {
    if (offered === null) return;
    write(offered);
    edited(document.getElementById("corpus"));
    say(hadModel ? "broughtBack" : "inputsBack");
    document.getElementById("train").focus();
  });
}
