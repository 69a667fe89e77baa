// What a model is made from (rule W1), as one value that can be read, written and compared.

import { ungrouped } from "./text.js";

const form = document.getElementById("train-form");

export function read() {
  const { corpus, lowercase, pre_tokenizer: preTokenizer, merge_limit: mergeLimit } = form.elements;
  return {
    corpus: corpus.value,
    lowercase: lowercase.checked,
    pre_tokenizer: preTokenizer.value,
    merge_limit: ungrouped(mergeLimit.value),
  };
}

/** Put inputs into the form; whoever does so tells the page by an `input` event. */
export function write(inputs) {
  const { corpus, lowercase, pre_tokenizer: preTokenizer, merge_limit: mergeLimit } = form.elements;
  corpus.value = inputs.corpus;
  lowercase.checked = inputs.lowercase;
  preTokenizer.value = inputs.pre_tokenizer;
  mergeLimit.value = inputs.merge_limit;
}

export const areEqual = (one, other) => Object.keys(one).every((name) => one[name] === other[name]);

/** Say that a field has changed, as typing does. */
export const edited = (field) => field.dispatchEvent(new Event("input", { bubbles: true }));
