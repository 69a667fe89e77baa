// The page in another language, with everything that is on it (rule G). The same document is fetched in that language
// and its words are put in the place of the old ones, element by element: fields, focus and scroll positions are not
// touched. Regions that are filled later are empty there; the server renders them anew, in the state that they are in.

import { showCounts } from "./fields.js";
import { state } from "./jobs.js";
import { showAgain } from "./requests.js";
import { announce, endTrouble, sayFailed } from "./sentences.js";
import { shown } from "./views.js";

const WORDS = /^(lang|aria-label|title|placeholder|alt|content|data-(?!state$).*)$/;
const CONTROLS = "a, button, input, textarea, select, form, [id]";
let asked = 0;

const shape = (nodes) => nodes.map((node) => node.nodeName).join();

/** Put the words of `fresh` in the place of those of `old`. */
export function adopt(old, fresh) {
  for (const { name, value } of fresh.attributes) {
    if (WORDS.test(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (!fresh.hasChildNodes()) return;
  const [ours, theirs] = [[...old.childNodes], [...fresh.childNodes]];
  if (shape(ours) !== shape(theirs)) {
    // A sentence whose marked parts stand in another order.
    if (!old.querySelector(CONTROLS)) old.replaceChildren(...theirs.map((node) => document.importNode(node, true)));
    return;
  }
  theirs.forEach((node, place) => {
    const own = ours[place];
    if (node.nodeType === Node.ELEMENT_NODE) adopt(own, node);
    else if (own.data !== node.data) own.data = node.data;
  });
}

/** The same for a text that came after the document. */
export function adoptAll(old, fresh) {
  [...fresh.children].forEach((child, place) => adopt(old.children[place], child));
}

async function fetchDocument(language) {
  try {
    const answer = await fetch(`${location.pathname}?lang=${language}`);
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  } catch {
    return null;
  }
}

async function choose(event) {
  const link = event.target.closest?.("a[data-language]");
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  const { language } = link.dataset;
  const own = ++asked;
  if (language === document.documentElement.lang) return;
  const fresh = await fetchDocument(language);
  if (own !== asked) return;
  if (fresh === null) {
    sayFailed();
    return;
  }
  endTrouble();
  // Style that came later stays: in the head too, every element has its counterpart.
  fresh.head.append(...[...document.head.querySelectorAll(".later")].map((link) => link.cloneNode()));
  adopt(document.documentElement, fresh.documentElement);
  document.title = shown().dataset.title;
  for (const each of document.querySelectorAll("a[data-language]")) {
    if (each.dataset.language === language) each.setAttribute("aria-current", "true");
    else each.removeAttribute("aria-current");
  }
  showCounts();
  showAgain();
  document.dispatchEvent(new Event("pairloom:language"));
  // A training begins anew, because its words come from the server too.
  if (state() === "training") document.getElementById("train-form").requestSubmit();
  announce(document.getElementById("sentences").dataset.switched);
}

export function start() {
  document.addEventListener("click", choose);
}
