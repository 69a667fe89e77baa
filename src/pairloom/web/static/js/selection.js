// One choice: slider, number field, point of the graph and row of the merge table are the active prefix (rules W5, W7).
// The server answers with what is at that prefix.

import { ungrouped } from "./text.js";

const form = document.getElementById("prefix-form");

/** The prefix chosen last, whether it is shown yet or not, and all merges. */
export const chosen = () => Number(form.elements.slider.value);
export const maximum = () => Number(form.elements.slider.max);

/** Choose a prefix from anywhere on the page; beyond the ends the end is meant. */
export function choose(wanted) {
  const value = Math.min(Math.max(wanted, 0), maximum());
  const { prefix } = form.elements;
  if (Number(typed()) === value && prefix.value !== "") return;
  prefix.value = value;
  prefix.dispatchEvent(new Event("input", { bubbles: true }));
}

/** What the keys that all sliders know add to a prefix; undefined for any other key. Page keys are the larger steps. */
export function stepOf(key) {
  const page = maximum() > 1000 ? 100 : 10;
  return {
    ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: page, PageDown: -page, Home: -Infinity, End: Infinity,
  }[key];
}

/** The prefix that stands in the number field, in digits; whatever else stands there as it is. */
export const typed = () => ungrouped(form.elements.prefix.value);

/** The prefix that the page shows. */
const shown = () => form.querySelector("[data-prefix]").dataset.prefix;

/** Slider and number field follow each other before the request reads them; what is no prefix moves nothing. */
function follow(event) {
  const { slider, prefix } = form.elements;
  if (event.target === slider) prefix.value = slider.value;
  else if (event.target === prefix) {
    const isPrefix = /^[0-9]+$/.test(typed()) && Number(typed()) <= maximum();
    slider.value = isPrefix ? typed() : shown();
  }
}

/** A choice could not be shown: the controls go back to what is. */
export function takeBack() {
  const { slider, prefix } = form.elements;
  slider.value = prefix.value = shown();
}

/** The keys of a number field: it is none, since those take a grouping sign for a decimal one, or drop it. */
function key(event) {
  const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  if (event.target !== form.elements.prefix || !step || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  choose(chosen() + step);
}

const facts = document.getElementById("selection");

/** The facts about a prefix take one line or more: the room that they needed once stays, so that nothing below jumps. */
export function hold() {
  facts.style.minHeight = `${facts.offsetHeight}px`;
}

export function start() {
  form.addEventListener("input", follow, { capture: true });
  form.addEventListener("keydown", key);
  addEventListener("resize", () => facts.style.removeProperty("min-height"));
}
