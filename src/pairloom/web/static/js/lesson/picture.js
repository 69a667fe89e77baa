// The step as a picture for slides: the SVG that the server draws, and the same drawn onto a canvas, shape by shape. No image
// is loaded for that, so the content security policy stays as strict as it is.

import { fetchOrRepeat, pageLanguage } from "../requests.js";
import { sayFailed } from "../sentences.js";
import { generation, state } from "../walkthrough.js";
import { painted } from "./painting.js";
import { tell } from "./told.js";

const SCALE = 2;

async function fetched() {
  const body = new URLSearchParams(new FormData(document.getElementById("walk-form")));
  const request = { method: "POST", body, headers: pageLanguage() };
  const answer = await fetchOrRepeat("/walkthrough/picture", request, document.getElementById("walk-inputs"), { generation, key: "walk-key" });
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.text();
}

function save(blob, name) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  tell("saved", { name });
}

async function picture(kind) {
  if (state() !== "trained") {
    tell("notTrainedYet", {}, { isWrong: true });
    return;
  }
  const name = `pairloom-${document.querySelector("#walk-next [data-prefix]").dataset.prefix}.${kind}`;
  try {
    const drawing = await fetched();
    if (kind === "svg") save(new Blob([drawing], { type: "image/svg+xml" }), name);
    else save(await painted(drawing, SCALE), name);
  } catch {
    sayFailed();
  }
}

export function start() {
  document.getElementById("walk-svg").addEventListener("click", () => picture("svg"));
  document.getElementById("walk-png").addEventListener("click", () => picture("png"));
}
