// Fields: live counters, the checks that only the browser can make, errors at their field.

import { discardModel } from "./jobs.js";
import { codePoints, filled, firstUnpaired, grouped } from "./text.js";

function showCount(area) {
  const count = codePoints(area.value);
  const place = document.querySelector(`[data-count="${area.id}"]`);
  place.textContent = grouped(count);
  place.classList.toggle("over", count > Number(area.dataset.limit));
}

/** The objection to a text that must not be sent, or null. Order of the checks: rule N8. */
function objection(area) {
  const count = codePoints(area.value);
  const limit = Number(area.dataset.limit);
  if (count > limit) return filled(area.dataset.tooLong, { length: grouped(count), limit: grouped(limit) });
  const unpaired = firstUnpaired(area.value);
  if (!unpaired) return null;
  const hex = unpaired.codePoint.toString(16).toUpperCase();
  return filled(area.dataset.surrogate, { position: grouped(unpaired.position), code_point: `U+${hex}` });
}

/** Whether every text of a form can be sent; if not, the objection stands at its field, and nothing was cut (L2). */
export function canBeSent(form) {
  clearErrors(form);
  let allowed = true;
  for (const area of form.querySelectorAll("textarea[data-limit]")) {
    const sentence = objection(area);
    if (sentence === null) continue;
    document.getElementById(`${area.id}-error`).textContent = sentence;
    allowed = false;
  }
  if (!allowed) markErrors();
  return allowed;
}

function clearErrors(form) {
  for (const slot of (form.closest(".panel") ?? form).querySelectorAll(".error")) slot.replaceChildren();
  markErrors();
}

/** Tell each field whether its slot holds an error, and go to the first one that has just got one. */
export function markErrors() {
  let first = null;
  for (const slot of document.querySelectorAll(".error[data-field]")) {
    const field = document.getElementById(slot.dataset.field);
    if (!field) continue;
    const wrong = slot.textContent.trim() !== "";
    if (wrong && !field.hasAttribute("aria-invalid")) first ??= field;
    if (wrong) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }
  if (first && document.activeElement !== first) first.focus();
}

async function loadSample(event) {
  const answer = await fetch(event.currentTarget.dataset.sample);
  if (!answer.ok) return;
  const corpus = document.getElementById("corpus");
  corpus.value = (await answer.text()).trim();
  discardModel();
  clearErrors(corpus.form);
  showCount(corpus);
  document.getElementById("train").focus();
}

export function start() {
  for (const area of document.querySelectorAll("textarea[data-limit]")) {
    area.addEventListener("input", () => showCount(area));
    showCount(area);
  }
  document.getElementById("load-sample").addEventListener("click", loadSample);
}
