// Text composed with an input method is left alone until the composition ends (rule W14): until then nobody else hears
// of an edit, so nothing is discarded, counted, saved, objected to or encoded; then the edit takes effect at once.

import { edited } from "./inputs.js";

let before = null;

export function start() {
  const capture = { capture: true };
  addEventListener("input", (event) => {
    if (event.isComposing) event.stopImmediatePropagation();
  }, capture);
  addEventListener("compositionstart", ({ target }) => { before = target.value; }, capture);
  addEventListener("compositionend", ({ target }) => {
    if (target.value !== before) edited(target);
  }, capture);
}
