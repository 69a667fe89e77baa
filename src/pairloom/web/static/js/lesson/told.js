// What is said beside the walkthrough's steps, and heard.

import { announce, sentence } from "../sentences.js";

const place = () => document.getElementById("walk-said");
const words = () => document.getElementById("walk-words-said");

/** Say a sentence of the tools by its name; `isWrong` if it is an objection. */
export function tell(name, values = {}, { isWrong = false } = {}) {
  place().classList.toggle("error", isWrong);
  place().replaceChildren(sentence(name, values, words()));
  announce(place().textContent);
}

export function untell() {
  place().classList.remove("error");
  place().replaceChildren();
}
