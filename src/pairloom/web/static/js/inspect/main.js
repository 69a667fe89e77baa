// What is looked at more closely. Each part is asked for when it is opened, and again once the prefix, the model or the
// encoded text that it shows has changed; what has been discarded is gone at once (rules W1, W3).

import { generation, state } from "../jobs.js";
import { pageLanguage } from "../requests.js";
import { sayFailed } from "../sentences.js";
import * as card from "./card.js";
import * as files from "./files.js";
import * as second from "./second.js";

const panel = document.getElementById("inspect");
const place = document.getElementById("inspect-tools");
const cardPlace = document.getElementById("inspect-card");
const prefixShown = () => document.querySelector("#selection [data-prefix]")?.dataset.prefix;
const textShown = () => (document.querySelector("#encoding-view [data-encoded]") ? String(generation.text) : "");
// How long the slider has to rest before what is open follows it.
const REST_MS = 200;
const awaited = new Set();
let timer = 0;

async function fetchTools() {
  const answer = await fetch("/workbench/inspect", { headers: pageLanguage() });
  if (!answer.ok) throw new Error("tools");
  place.innerHTML = await answer.text();
  htmx.process(place);
  // It stays in sight whether the parts are open or not.
  cardPlace.replaceChildren(document.getElementById("token-card"));
}

const open = () => [...place.querySelectorAll("details.tool[open] > .body > .shown")];

/** Ask for what an open part shows. */
function look(shown) {
  Object.assign(shown.dataset, { generation: generation.model, text: textShown() });
  htmx.trigger(shown.parentElement.querySelector("[hx-trigger=look]"), "look");
}

function isBehind(shown) {
  const at = shown.querySelector("[data-at]");
  const isOfText = shown.querySelector("[data-of-text]");
  return shown.dataset.generation !== String(generation.model) || !shown.hasChildNodes()
    || (at && at.dataset.at !== prefixShown()) || (isOfText && shown.dataset.text !== textShown());
}

/** What was asked for on the part itself, as its next page, is on its way; once it is here, the part follows. */
const isAwaited = (shown) => [...awaited].some(({ target, generation: of }) => target === shown && of?.model === generation.model);

function refresh() {
  if (state() !== "trained") return;
  if (panel.open) for (const shown of open()) if (isBehind(shown) && !isAwaited(shown)) look(shown);
  card.refresh(prefixShown(), textShown());
}

function refreshSoon() {
  clearTimeout(timer);
  timer = setTimeout(refresh, REST_MS);
}

/** A model or an encoding has gone: nothing of it stays. */
function discard() {
  if (state() !== "trained") {
    for (const shown of place.querySelectorAll(".shown")) shown.replaceChildren();
    card.close();
  } else if (textShown() === "") {
    for (const part of place.querySelectorAll("[data-of-text]")) {
      const shown = part.closest(".shown");
      if (shown.dataset.text !== "") shown.replaceChildren();
    }
    card.forgetText();
  }
  refreshSoon();
}

/** In another language: the words anew, with what was open and typed. */
async function changeLanguage() {
  const opened = [...place.querySelectorAll("details.tool[open]")].map((each) => each.dataset.tool);
  const typed = [...place.querySelectorAll("input[id], textarea[id], select[id]")].map((each) => [each.id, each.value]);
  const asked = card.asked();
  try {
    await fetchTools();
  } catch {
    return sayFailed();
  }
  for (const name of opened) place.querySelector(`[data-tool="${name}"]`).open = true;
  for (const [id, value] of typed) if (document.getElementById(id)) document.getElementById(id).value = value;
  if (asked) card.ask(asked);
  files.again();
  return undefined;
}

/** An answer about a text that has been edited since. */
function dropLate(event) {
  const { ctx } = event.detail;
  if ([place, cardPlace].some((each) => each.contains(ctx.sourceElement)) && ctx.generation && ctx.generation.text !== generation.text) event.preventDefault();
}

export const inspect = (target) => card.point(target);

export async function start() {
  await fetchTools();
  place.addEventListener("toggle", (event) => {
    const shown = event.target.open && event.target.querySelector(":scope > .body > .shown");
    if (shown && state() === "trained" && isBehind(shown)) look(shown);
  }, { capture: true });
  card.start(place, cardPlace, refreshSoon);
  files.start(place);
  second.start(place);
  const watch = new MutationObserver(discard);
  watch.observe(document.getElementById("workbench"), { attributeFilter: ["data-state"] });
  watch.observe(document.getElementById("encoding-view"), { childList: true });
  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => place.contains(ctx.sourceElement) && awaited.add(ctx));
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => awaited.delete(ctx) && refreshSoon());
  document.addEventListener("htmx:before:swap", dropLate);
  document.addEventListener("htmx:after:swap", refreshSoon);
  document.addEventListener("pairloom:language", changeLanguage);
}
