// Steps of the prefix, turned pages and encodings are under way at the same time and may arrive in any order. What is seen
// in the end is of one prefix and of the page that was turned to last, whichever came first (rules W5, W13, E7).

import { typed } from "./selection.js";

const form = document.getElementById("prefix-form");
// Parts that come with a step and have pages of their own, by the field that says which page is shown.
const PAGES = { "corpus-view": "corpus_page", "encoding-view": "encoding_page" };
const pages = () => Object.values(PAGES).map((name) => form.elements[name]?.value);

/** A step was asked for with the pages that were shown then: a page turned since is not turned back. */
function keepTurned({ detail: { ctx, tasks } }) {
  if (ctx.sourceElement !== form || !ctx.pages) return;
  const now = pages();
  const turned = Object.keys(PAGES).filter((_, place) => now[place] !== ctx.pages[place]);
  for (const task of tasks.splice(0)) if (!turned.includes(task.target?.id)) tasks.push(task);
}

/** A part that shows another prefix than the selection asks for it once more, with everything as it is now. */
function catchUp() {
  const shown = form.querySelector("[data-prefix]")?.dataset.prefix;
  const parts = document.querySelectorAll("#corpus-view [data-at], #encoding-view [data-encoded]");
  const isBehind = [...parts].some(({ dataset }) => (dataset.at ?? dataset.encoded) !== shown);
  // With another prefix chosen, its answer is still to come; then it will be seen.
  if (isBehind && typed() === shown) form.elements.prefix.dispatchEvent(new Event("input", { bubbles: true }));
}

/** A step that had to wait says which pages are shown now, not when it began to wait: the answer before it has come. */
function sayPages({ detail: { ctx } }) {
  if (ctx.sourceElement !== form) return;
  for (const name of ["merges_page", ...Object.values(PAGES)]) {
    if (form.elements[name]) ctx.request.body.set(name, form.elements[name].value);
  }
  ctx.pages = pages();
}

export function start() {
  document.addEventListener("htmx:before:request", sayPages);
  document.addEventListener("htmx:before:swap", keepTurned);
  document.addEventListener("htmx:after:swap", catchUp);
}
