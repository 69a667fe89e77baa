// Fields: live counters, the checks that only the browser can make, errors at their field.

import { keep } from "./discarded.js";
import { edited } from "./inputs.js";
import { generation } from "./jobs.js";
import { announce, sentence } from "./sentences.js";
import { codePoints, firstUnpaired, grouped, ungrouped } from "./text.js";

/** Show the number of code points; again when the language has changed. */
export function showCounts() {
  for (const area of document.querySelectorAll("textarea[data-limit]")) showCount(area);
}

function showCount(area) {
  const count = codePoints(area.value);
  const place = document.querySelector(`[data-count="${area.id}"]`);
  place.textContent = grouped(count);
  place.classList.toggle("over", count > Number(area.dataset.limit));
}

/** The objection to a text that must not be sent, or null. Order of the checks: rule N8. */
export function objection(area) {
  const count = codePoints(area.value);
  const limit = Number(area.dataset.limit);
  if (count > limit) return sentence("tooLong", { length: count, limit }, area);
  const unpaired = firstUnpaired(area.value);
  if (!unpaired) return null;
  const hex = unpaired.codePoint.toString(16).toUpperCase();
  return sentence("surrogate", { position: unpaired.position, code_point: `U+${hex}` }, area);
}

/** Whether every text of a form can be sent; if not, the objection stands at its field, and nothing was cut (L2). */
export function canBeSent(form) {
  clearErrors(form);
  let allowed = true;
  for (const area of form.querySelectorAll("[data-limit]")) {
    const found = objection(area);
    if (found === null) continue;
    object(area, found);
    allowed = false;
  }
  if (!allowed) markErrors();
  return allowed;
}

/** Put an objection at its field. */
export function object(field, said) {
  document.getElementById(`${field.id}-error`).replaceChildren(said);
}

export function clearErrors(form) {
  for (const slot of (form.closest(".panel") ?? form).querySelectorAll(".error")) slot.replaceChildren();
  markErrors();
}

// The objection that each slot held when it was looked at last.
const known = new WeakMap();

/** Tell each field whether its slot holds an error, and go to the first one that has just got one. */
export function markErrors() {
  let first = null;
  let again = null;
  for (const slot of document.querySelectorAll(".error[data-field]")) {
    const field = document.getElementById(slot.dataset.field);
    if (!field) continue;
    const wrong = slot.textContent.trim() !== "";
    if (wrong && !field.hasAttribute("aria-invalid")) first ??= field;
    if (wrong && known.get(slot) !== slot.firstChild) again ??= slot;
    known.set(slot, slot.firstChild);
    if (wrong) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }
  if (first && document.activeElement !== first) first.focus();
  // Where the focus stays, nothing else would let the objection be heard.
  else if (again) announce(again.textContent.trim());
}

let replacing = 0;

/**
 * Replace a whole text as soon as the new one is there: `{ text }`, or `{ objection }` to show at the field instead.
 * If it was edited meanwhile, or another one was asked for since, what comes late is dropped (rule W3).
 */
export async function replaceText(area, promise) {
  const own = ++replacing;
  const before = generation.model;
  const { text, objection: said } = await promise;
  if (own !== replacing || before !== generation.model) return false;
  clearErrors(area.form);
  if (said) {
    object(area, said);
    markErrors();
    return false;
  }
  const replaced = keep();
  area.value = text;
  edited(area);
  replaced();
  return true;
}

async function loadSample(address) {
  const answer = await fetch(address).catch(() => null);
  return answer?.ok ? { text: (await answer.text()).trim() } : { objection: sentence("failed") };
}

/** An objection is to what the field held: an edit ends it. */
function clearError({ target }) {
  const slot = document.getElementById(`${target.id}-error`);
  if (!slot?.hasChildNodes()) return;
  slot.replaceChildren();
  markErrors();
}

/** Once typed, a number stands in its field as plain digits: those mean the same in every language. */
function settleNumber({ target }) {
  if (target.inputMode === "numeric") target.value = ungrouped(target.value);
}

/** Ctrl+Enter or ⌘Enter in a text: what the button below it does. */
function key(event) {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing || event.repeat) return;
  if (!event.target.matches("#corpus, #text")) return;
  event.preventDefault();
  event.target.form.requestSubmit();
}

export function start() {
  document.addEventListener("input", clearError);
  document.addEventListener("keydown", key);
  // Enter in a field of a form that htmx sends at another event: the browser itself sends nothing.
  document.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("change", settleNumber);
  for (const area of document.querySelectorAll("textarea[data-limit]")) {
    area.addEventListener("input", () => showCount(area));
  }
  showCounts();
  document.getElementById("load-sample").addEventListener("click", async ({ currentTarget }) => {
    const done = await replaceText(document.getElementById("corpus"), loadSample(currentTarget.dataset.sample));
    if (done) document.getElementById("train").focus();
  });
}
