// Inputs that survive a reload (rule W11): all of them, if all are valid and fit the limit together; else what was saved
// is cleared, at the very edit, so that an older text never comes back in place of what was typed since. Only this
// browser has them. Nothing is delayed, and tabs do not listen to each other: the last edit is what the next load finds.

import { read, write } from "./inputs.js";
import { say, sentence } from "./sentences.js";
import { codePoints } from "./text.js";

const KEY = "pairloom.inputs.1";
const INPUTS = { corpus: "string", lowercase: "boolean", pre_tokenizer: "string", merge_limit: "string", text: "string" };
const maxBytes = Number(document.getElementById("sentences").dataset.maxBytes);
const corpus = document.getElementById("corpus");
const text = document.getElementById("text");
const mergeLimit = document.getElementById("merge-limit");
const word = document.getElementById("saved-word");

const utf8Bytes = (value) => new TextEncoder().encode(String(value)).length;

/** Rules N8 and L1. The language's own lower case and whitespace are those of N1 and N4. */
function isValid(value, limit, { lowercase, mayBeEmpty }) {
  if (!value.isWellFormed() || value.includes("▁") || codePoints(value) > limit) return false;
  const normalized = (lowercase ? value.toLowerCase() : value).replace(/\s+/g, " ").trim();
  return codePoints(normalized) <= limit && (mayBeEmpty || normalized !== "");
}

/** Why inputs are not kept, by the name of the sentence; null if they are. */
function objection(inputs) {
  if (Object.values(inputs).reduce((sum, value) => sum + utf8Bytes(value), 0) > maxBytes) return "tooLarge";
  const { lowercase } = inputs;
  const number = /^[ \t\n\v\f\r]*([0-9]{1,12})[ \t\n\v\f\r]*$/.exec(inputs.merge_limit);
  const areValid =
    isValid(inputs.corpus, Number(corpus.dataset.limit), { lowercase, mayBeEmpty: false }) &&
    number !== null && Number(number[1]) <= Number(mergeLimit.dataset.max) &&
    document.querySelector(`[name=pre_tokenizer][value="${CSS.escape(inputs.pre_tokenizer)}"]`) !== null;
  if (!areValid) return "notValid";
  return isValid(inputs.text, Number(text.dataset.limit), { lowercase, mayBeEmpty: true }) ? null : "textNotValid";
}

/** Whether storage took it; it may be switched off, or full. What was there before is gone either way. */
function store(inputs) {
  try {
    localStorage.removeItem(KEY);
    if (inputs) localStorage.setItem(KEY, JSON.stringify(inputs));
    return true;
  } catch {
    return false;
  }
}

/** What was saved; null if it is not exactly what this module saves, whoever wrote it. */
function load() {
  try {
    const saved = localStorage.getItem(KEY);
    // An escape of JSON takes at most six signs a byte.
    if (saved === null || saved.length > 6 * maxBytes + 200) return null;
    const inputs = JSON.parse(saved);
    const names = Object.keys(inputs);
    const isOurs = names.length === Object.keys(INPUTS).length && names.every((name) => typeof inputs[name] === INPUTS[name]);
    return isOurs && objection(inputs) === null ? inputs : null;
  } catch {
    return null;
  }
}

function save() {
  const inputs = { ...read(), text: text.value };
  const nothing = corpus.value === "" && text.value === "";
  const why = objection(inputs);
  const done = store(why === null ? inputs : null);
  let name = why ?? "kept";
  if (nothing) name = "kept";
  else if (!done) name = "noStorage";
  if (word.firstElementChild?.dataset.sentence !== name) word.replaceChildren(sentence(name));
}

export function start() {
  for (const part of [document.getElementById("train-form"), text]) part.addEventListener("input", save);
  // What somebody typed before this script ran counts as an edit.
  const inputs = corpus.value === "" && text.value === "" ? load() : null;
  if (inputs) {
    write(inputs);
    text.value = inputs.text;
    say("restored");
  }
  save();
}
