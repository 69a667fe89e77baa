// What is looked at more closely: its words, style and scripts are fetched when it is opened, or a token is pointed at.

import { sayFailed } from "./sentences.js";

const panel = document.getElementById("inspect");
const POINTED = "#corpus-view :is(i, mark), #encoding-view li, #vocabulary-view bdi, #selection bdi";
let loading = null;

function load() {
  const { script, style: href } = panel.dataset;
  const style = new Promise((resolve, reject) => {
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", className: "later", href, onload: resolve, onerror: reject }));
  });
  return Promise.all([import(script), style]).then(async ([module]) => (await module.start(), module));
}

/** Once; what failed may be tried again. */
async function open(then) {
  loading ??= load();
  try {
    then(await loading);
  } catch {
    loading = null;
    sayFailed();
  }
}

export function start() {
  panel.addEventListener("toggle", () => panel.open && open(() => {}));
  document.addEventListener("click", ({ target }) => {
    const token = target.closest?.(POINTED);
    if (token) open((module) => module.inspect(token));
  });
  document.addEventListener("keydown", ({ key, target }) => {
    if (key === "i" && target.matches("tr[tabindex]")) open((module) => module.inspect(target));
  });
}
