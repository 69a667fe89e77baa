// What comes after the first load, so that nobody waits for it who only trains a model: the text of the Method page, the
// lesson, and what the walkthrough has for a class. Each is fetched when its view is opened, with scripts of its own.

import { pageLanguage } from "./requests.js";
import { sayFailed } from "./sentences.js";
import { isShown } from "./walkthrough.js";

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

const parts = [
  {
    isNeeded: isShown,
    load: () => Promise.all([import(lesson.dataset.script), style(lesson.dataset.style)]),
  },
  {
    isNeeded: () => !method.closest(".view").hidden && !method.lang,
    load: () => Promise.all([import(method.dataset.script)]),
  },
];

/** Once, when it is needed; what failed may be tried again. */
async function open(part) {
  if (!part.isNeeded()) return;
  part.loading ??= part.load().then(([module]) => module.start());
  try {
    await part.loading;
  } catch {
    part.loading = null;
    sayFailed();
  }
}

const openAll = () => parts.forEach(open);

export function start() {
  document.addEventListener("pairloom:view", openAll);
  openAll();
}
