// What the page says by itself, and the one place where a screen reader hears what happened (rule W12). A sentence
// remembers what it was made of, so that it can be said again in another language (rule G).

import { filled } from "./text.js";

const sentences = document.getElementById("sentences");
const live = document.getElementById("live");
const status = document.getElementById("status");
const trouble = document.getElementById("trouble");

/** A sentence of the catalogue by its name, as an element; `source` is where it stands. */
export function sentence(name, values = {}, source = sentences) {
  const made = document.createElement("span");
  made.dataset.sentence = name;
  made.dataset.source = source.id;
  made.dataset.values = JSON.stringify(values);
  made.textContent = filled(source.dataset[name], values);
  return made;
}

/** Let a screen reader hear it. */
export function announce(text) {
  live.replaceChildren(text);
}

/** Show it as the state of the inputs, and let it be heard. */
export function show(element) {
  trouble.replaceChildren();
  status.replaceChildren(element ?? "");
  announce(status.textContent);
}

export const say = (name, values) => show(sentence(name, values));

/** Nothing came of a request: that stands where the reader is, whatever the view and however far down. */
export function sayFailed() {
  trouble.replaceChildren(sentence("failed"));
  announce(trouble.textContent);
}

/** What has come since shows that the server answers again. */
export const endTrouble = () => trouble.replaceChildren();

const escaped = (sign) => {
  const digits = sign.codePointAt(0).toString(16);
  return digits.length > 4 ? `\\u{${digits}}` : `\\u${digits.padStart(4, "0")}`;
};
/** A name from outside, isolated: whatever its direction, the sentence around it keeps its own. What would turn or hide
    some of it (an ending, say) is written out, as everywhere (rule N9). */
export const isolated = (name) => `\u2068${name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escaped)}\u2069`;

/** Say everything again that stands on the page, in the language that the page has now. */
export function sayAgain() {
  const language = document.documentElement.lang;
  for (const each of document.querySelectorAll("[data-said]")) each.textContent = JSON.parse(each.dataset.said)[language];
  for (const each of document.querySelectorAll("[data-sentence]")) {
    const { sentence: name, source, values } = each.dataset;
    each.textContent = filled(document.getElementById(source).dataset[name], JSON.parse(values));
  }
}
