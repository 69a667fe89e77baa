// The graph of two texts is a slider of the same prefix as the first graph (rule W6).

import { choose, chosen, maximum, stepOf } from "../selection.js";

export function start(place) {
  const graph = () => document.getElementById("second-curve");
  place.addEventListener("keydown", (event) => {
    const step = event.target === graph() ? stepOf(event.key) : undefined;
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    choose(chosen() + step);
  });
  place.addEventListener("pointerdown", (event) => {
    if (!event.target.closest("#second-curve") || event.button !== 0) return;
    const { left, width } = graph().getBoundingClientRect();
    choose(Math.round(((event.clientX - left) / width) * maximum()));
  });
}
