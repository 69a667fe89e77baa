// How far Python is. It stands over the page until Python answers, and again when it has to be started anew.

import { site } from "./config.js";

const box = document.getElementById("python");
const word = document.getElementById("python-word");
const bar = document.getElementById("python-progress");
const retry = document.getElementById("python-retry");
let shown = "loading";
let isAgain = false;
let bytes = 0;

const megabytes = (count) => (count / 1e6).toLocaleString(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

function say() {
  const name = isAgain && shown !== "failed" ? "again" : shown;
  word.textContent = box.dataset[name].replace("{loaded}", megabytes(bytes)).replace("{total}", megabytes(site.bytes));
  bar.hidden = shown === "failed";
  retry.hidden = shown !== "failed";
  if (shown === "loading") {
    bar.max = site.bytes;
    bar.value = Math.min(bytes, site.bytes);
  } else bar.removeAttribute("value");
}

/** Show a state of the connection. */
export function tell(what, value) {
  if (what === "again") isAgain = true;
  else shown = what;
  if (what === "loading") bytes = value;
  document.documentElement.dataset.python = shown;
  box.hidden = shown === "ready";
  if (shown === "ready") isAgain = false;
  else say();
}

export function start(connection) {
  retry.addEventListener("click", () => connection.retry());
  document.addEventListener("pairloom:language", () => box.hidden || say());
}
