// What comes after the first load: the lesson, and what the walkthrough has for a class. Their words, style and scripts
// are fetched when one of the two is opened, so that nobody waits for them who only trains a model.

import { pageLanguage } from "./requests.js";
import { say } from "./sentences.js";
import { isShown } from "./walkthrough.js";

const lesson = document.getElementById("lesson");
let loading = null;

/** A fragment in the language of the page; null if it did not come. */
export async function fragment(address) {
  const answer = await fetch(address, { headers: pageLanguage() }).catch(() => null);
  return answer?.ok ? answer.text() : null;
}

function style(href) {
  return new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href, onload: resolve, onerror: reject });
    document.head.append(link);
  });
}

async function load() {
  const { style: sheet, script } = lesson.dataset;
  const [module] = await Promise.all([import(script), style(sheet)]);
  await module.start();
}

/** Once, when it is needed; what failed may be tried again. */
async function open() {
  if (!isShown()) return;
  loading ??= load();
  try {
    await loading;
  } catch {
    loading = null;
    say("failed");
  }
}

export function start() {
  document.addEventListener("pairloom:view", open);
  open();
}
