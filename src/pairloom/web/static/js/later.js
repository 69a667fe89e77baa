// What comes after the first load, so that nobody waits for it who only trains a model: the walkthrough's scripts, the
// lesson and what the walkthrough has for a class, the text of the Method page. Each is fetched when its view is opened.

import { pageLanguage } from "./requests.js";
import { sayFailed } from "./sentences.js";
import { isPlainClick } from "./views.js";

const walkthrough = document.getElementById("walkthrough");
const lesson = document.getElementById("lesson");
// Its `lang` says in which language its text is there; without a text it has none.
const method = document.getElementById("method-text");

/** A fragment in the language of the page; null if it did not come. */
export async function fragment(address) {
  const answer = await fetch(address, { headers: pageLanguage() }).catch(() => null);
  return answer?.ok ? answer.text() : null;
}

/** Markup from the server, as nodes. */
export function parsed(markup) {
  const holder = document.createElement("template");
  holder.innerHTML = markup;
  return holder.content;
}

function style(href) {
  return new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", className: "later", href, onload: resolve, onerror: reject });
    document.head.append(link);
  });
}

const walk = {
  isNeeded: () => !walkthrough.hidden,
  load: () => Promise.all([import(walkthrough.dataset.script)]),
};
const parts = [
  walk,
  {
    isNeeded: walk.isNeeded,
    // The lesson drives the walkthrough, which has to be there.
    load: () => Promise.all([import(lesson.dataset.script), style(lesson.dataset.style), walk.loading]),
  },
  {
    isNeeded: () => !method.closest(".view").hidden && !method.lang,
    load: () => Promise.all([import(method.dataset.script)]),
  },
];

// Whether the walkthrough was opened with the workbench's text; until its scripts are there nobody else notes that.
let takesText = false;

function note(event) {
  const link = event.target.closest?.("a[data-view]");
  if (link) takesText = link.id === "open-in-walkthrough" && isPlainClick(event);
}

/** Once, when it is needed; what failed may be tried again. */
async function open(part) {
  if (!part.isNeeded()) return;
  part.loading ??= part.load().then(([module]) => module.start(takesText));
  try {
    await part.loading;
  } catch {
    part.loading = null;
    sayFailed();
  }
}

const openAll = () => parts.forEach(open);

export function start() {
  document.addEventListener("click", note, { capture: true });
  document.addEventListener("pairloom:view", openAll);
  openAll();
}
