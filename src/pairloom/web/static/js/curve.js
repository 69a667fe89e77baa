// The graph as a control: it stands on the slider's axis and is a second slider of the same value (rule W6). The server
// draws it; here are only its keys and the pointer, which means the nearest prefix.

import { choose, chosen, maximum, stepOf } from "./selection.js";

const form = document.getElementById("prefix-form");
const graph = () => document.getElementById("curve");

function chooseNearest(event) {
  const { left, width } = graph().getBoundingClientRect();
  choose(Math.round(((event.clientX - left) / width) * maximum()));
}

function press(event) {
  if (!event.target.closest?.("#curve") || event.button !== 0) return;
  event.preventDefault(); // no text is selected; but the focus has to be moved by hand then
  graph().focus({ preventScroll: true });
  graph().setPointerCapture(event.pointerId);
  chooseNearest(event);
}

function key(event) {
  const isGraph = event.target === graph();
  // The slider itself knows all keys, but its page keys differ from browser to browser.
  if (!isGraph && !(event.target.id === "slider" && event.key.startsWith("Page"))) return;
  const step = stepOf(event.key);
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  choose(chosen() + step);
}

/** Tell graph and slider what is shown, in words. */
export function tell(prefix, words) {
  for (const control of [graph(), form.elements.slider]) control.setAttribute("aria-valuetext", words);
  graph().setAttribute("aria-valuenow", prefix);
}

export function start() {
  form.addEventListener("keydown", key);
  form.addEventListener("pointerdown", press);
  form.addEventListener("pointermove", (event) => {
    if (graph()?.hasPointerCapture(event.pointerId)) chooseNearest(event);
  });
}
