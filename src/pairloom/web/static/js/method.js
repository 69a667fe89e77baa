// The text of the Method page in a document that came without it: later.js fetches this when that view is opened first.

import { adoptAll } from "./language.js";
import { fragment, parsed } from "./later.js";
import { endTrouble, sayFailed } from "./sentences.js";

const method = document.getElementById("method-text");
const isOpen = () => !method.closest(".view").hidden;
// The text that was asked for last, while it is under way.
let awaited = null;

function put(text, language) {
  const isNew = !method.lang;
  if (isNew) method.replaceChildren(text);
  else adoptAll(method, text);
  method.lang = language;
  // The place that the address names was not there when the browser looked.
  const place = isNew && isOpen() && document.getElementById(location.hash.slice(1));
  if (place && method.contains(place)) place.scrollIntoView();
}

/** Have the text where it is seen, or was: in the language of the page. */
async function fetchText() {
  const language = document.documentElement.lang;
  if (method.lang === language || awaited?.language === language || !(isOpen() || method.lang)) return;
  const own = { language };
  awaited = own;
  method.setAttribute("aria-busy", "true");
  const markup = await fragment(method.dataset.text);
  if (awaited !== own) return;
  awaited = null;
  method.removeAttribute("aria-busy");
  // Another language by now: the text came with its document, or is asked for when the view is opened again.
  if (language !== document.documentElement.lang) return;
  if (markup === null) {
    sayFailed();
    return;
  }
  endTrouble();
  put(parsed(markup), language);
}

export function start() {
  document.addEventListener("pairloom:view", fetchText);
  document.addEventListener("pairloom:language", fetchText);
  fetchText();
}
