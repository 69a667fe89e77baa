// One choice: slider, number field, point of the graph and row of the merge table are the active prefix (rules W5, W7).
// The server answers with what is at that prefix.

const form = document.getElementById("prefix-form");

/** The prefix chosen last, whether it is shown yet or not, and all merges. */
export const chosen = () => Number(form.elements.slider.value);
export const maximum = () => Number(form.elements.slider.max);

/** Choose a prefix from anywhere on the page; beyond the ends the end is meant. */
export function choose(wanted) {
  const value = Math.min(Math.max(wanted, 0), maximum());
  const { prefix } = form.elements;
  if (Number(prefix.value) === value && prefix.value !== "") return;
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

/** The prefix that the page shows. */
const shown = () => form.querySelector("[data-prefix]").dataset.prefix;

/** Slider and number field follow each other before the request reads them; what is no prefix moves nothing. */
function follow(event) {
  const { slider, prefix } = form.elements;
  if (event.target === slider) prefix.value = slider.value;
  else if (event.target === prefix) {
    const isPrefix = /^[0-9]+$/.test(prefix.value) && Number(prefix.value) <= maximum();
    slider.value = isPrefix ? prefix.value : shown();
  }
}

/** A choice could not be shown: the controls go back to what is. */
export function takeBack() {
  const { slider, prefix } = form.elements;
  slider.value = prefix.value = shown();
}

export function start() {
  form.addEventListener("input", follow, { capture: true });
}
