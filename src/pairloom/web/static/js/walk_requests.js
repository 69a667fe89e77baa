// The walkthrough's requests: what may be sent, what may still be shown, and which token is chosen. A sibling of
// requests.js, for a model of its own.

import { markErrors } from "./fields.js";
import { fetchOrRepeat, FRAGMENTS, pageLanguage } from "./requests.js";
import { announce, sayFailed } from "./sentences.js";
import { catchUp, chooseAgain, chosenLast, mark, settled, tell } from "./stepping.js";
import { beginning, emptyLevels, encodeAlone, generation, root, settle, state, textCanBeSent } from "./walkthrough.js";

const form = (name) => document.getElementById(`walk-${name}`);
const LEVELS = ["walk-characters-view", "walk-subwords-view", "walk-words-view"];
const isFrom = (ctx, name) => ctx.sourceElement === form(name);
let wanted = null;
let isInCorpus = false;
let before = [];
let chosenBefore;
let focusedIn;
let asked = "";

function configure(event) {
  const { ctx } = event.detail;
  if (!root.contains(ctx.sourceElement)) return;
  ctx.walk = { ...generation, pages: pages(), language: document.documentElement.lang };
  Object.assign(ctx.request.headers, pageLanguage());
  if (isFrom(ctx, "inputs") && !textCanBeSent()) ctx.request.body.delete("text");
  // What is shown of a text is of the one encoded last, whatever stands in the field by now, half composed perhaps (W14).
  if (isFrom(ctx, "inputs") || isFrom(ctx, "encode-form")) asked = ctx.request.body.get("text") ?? "";
  else if (ctx.request.body.has("text")) ctx.request.body.set("text", asked);
  if (isFrom(ctx, "inputs")) {
    ctx.request.body.set("begin_at", beginning.prefix);
    // What is asked about is hidden from the first step on.
    ctx.request.body.set("predict", form("predict")?.value ?? "");
    return;
  }
  if (!form("key")) {
    event.preventDefault();
    return;
  }
  ctx.fetch = (address, request) => fetchOrRepeat(address, request, form("inputs"), { generation, key: "walk-key" });
  if (isFrom(ctx, "token-form")) ctx.request.body.set("token_id", wanted);
}

/** An answer about a text that is no longer there must not be shown, nor what is no fragment (rule W3). */
function dropLate(event) {
  const { ctx, tasks } = event.detail;
  if (!ctx?.walk) return;
  if (ctx.walk.model !== generation.model) event.preventDefault();
  else if (!FRAGMENTS.includes(ctx.response.status)) {
    sayFailed();
    event.preventDefault();
  } else if (ctx.walk.text !== generation.text) {
    for (const task of tasks.splice(0)) if (!LEVELS.includes(task.target?.id)) tasks.push(task);
  } else if (isFrom(ctx, "encode-form") && ctx.response.status !== 200) emptyLevels();
  if (isFrom(ctx, "form")) keepTurned(ctx, tasks);
  chosenBefore = chosenLast();
  focusedIn = document.activeElement.closest("#walk-learned, #walk-pair-list")?.id;
  before = figures().map((figure) => figure.textContent);
}

// Parts that come with a step and can be asked for by themselves, by the fields that say what they show: a page, a token.
const PAGES = {
  "walk-corpus-view": ["corpus_page"],
  "walk-pairs-view": ["pairs_page", "pairs_all"],
  "walk-subwords-view": ["subwords_page"],
  "walk-origin-places": ["token_id"],
};
const pages = () => Object.values(PAGES).map((names) => names.map((name) => form("form").elements[name]?.value).join());

/** A step was asked for with what was shown then: a page turned or a token chosen since is not taken back. */
function keepTurned(ctx, tasks) {
  const now = pages();
  const turned = Object.keys(PAGES).filter((_, place) => now[place] !== ctx.walk.pages[place]);
  for (const task of tasks.splice(0)) if (!turned.includes(task.target?.id)) tasks.push(task);
}

const figures = () => [...document.querySelectorAll("#walk-figures b, #walk-subwords-view .counts b")];
const chosenToken = () => document.querySelector("#walk-origin-view [name=token_id]")?.value;

/** What has just changed catches the eye, and the chosen token is found again. */
function markChanges() {
  figures().forEach((figure, place) => figure.classList.toggle("changed", before[place] !== undefined && figure.textContent !== before[place]));
  const id = chosenToken();
  for (const box of root.querySelectorAll("#walk-corpus-view .chosen")) box.classList.remove("chosen");
  if (id) for (const box of root.querySelectorAll(`#walk-corpus-view [data-t="${id}"]`)) box.classList.add("chosen");
}

// What grows and shrinks from step to step: the room that it needed once stays free, so nothing below jumps.
const LEVEL = "#walk-subwords-view";
const HELD = [
  ...["#walk-next", "#walk-pairs-view", "#walk-why-view", "#walk-figures", "#walk-corpus-view"],
  ...[`${LEVEL} .tokens`, `${LEVEL} .ids`, LEVEL],
];
const needed = new Map();

function hold() {
  for (const place of HELD) {
    const part = document.querySelector(place);
    if (!part?.hasChildNodes()) continue;
    needed.set(place, Math.max(needed.get(place) ?? 0, part.offsetHeight));
    part.style.minHeight = `${needed.get(place)}px`;
  }
}

/** Another text, another width: what was needed before says nothing any more. */
export function letGo() {
  needed.clear();
  for (const place of HELD) document.querySelector(place)?.style.removeProperty("min-height");
}

function keepLastInSight() {
  const list = root.querySelector(".learned");
  if (list) list.scrollTop = list.scrollHeight;
}

function after(event) {
  const { ctx } = event.detail;
  if (!ctx?.walk) return;
  settle({ ended: false });
  const isEncoded = ctx.walk.text === generation.text && form("subwords-view").querySelector("[data-encoded]") !== null;
  // Another model may take what the one before objected to.
  if (isEncoded && (isFrom(ctx, "inputs") || isFrom(ctx, "encode-form"))) form("text-error").replaceChildren();
  markErrors();
  markChanges();
  hold();
  mark();
  // The row that held the focus is not there any more: its list takes it.
  if (focusedIn && document.activeElement === document.body) document.getElementById(focusedIn)?.focus({ preventScroll: true });
  const from = ctx.sourceElement;
  if (isFrom(ctx, "shown-form")) chooseAgain(chosenBefore);
  if (isFrom(ctx, "form") || isFrom(ctx, "inputs") || isFrom(ctx, "shown-form")) {
    keepLastInSight();
    tell();
  }
  if (isFrom(ctx, "inputs") && state() === "trained" && !isEncoded) encodeAlone();
  if (isFrom(ctx, "encode-form") || isFrom(ctx, "inputs")) form("encode-form").removeAttribute("aria-busy");
  if (isFrom(ctx, "token-form")) {
    const origin = document.getElementById("walk-origin-token");
    announce(`${origin.textContent} ${document.querySelector("#walk-origin-places p").innerText}`);
    // Chosen from the tree, which was replaced: its root is the token that the panel is about now.
    if (document.activeElement === document.body) origin.focus();
    // Who chooses in the corpus goes on reading there.
    if (!isInCorpus) origin.closest(".panel").scrollIntoView({ block: "nearest" });
  }
  const place = { "walk-made": ".flow mark", "walk-upcoming": ".flow b", "walk-place-of-token": ".flow .chosen" }[from?.id];
  // An answer in the language of before: everything is asked for again (rule G).
  if (ctx.walk.language !== document.documentElement.lang && form("key")) htmx.trigger(form("shown-form"), "again");
  catchUp();
  if (place) root.querySelector(place)?.scrollIntoView({ block: "center" });
}

function finish(event) {
  const { ctx } = event.detail;
  if (!ctx?.walk || ctx.walk.model !== generation.model) return;
  if (isFrom(ctx, "inputs")) settle({ ended: true });
  if (isFrom(ctx, "form")) settled({ failed: ctx.response?.status !== 200 });
}

function choose(event) {
  const box = event.target.closest?.("[data-token], .flow [data-t]");
  if (!box || !root.contains(box)) return;
  wanted = box.dataset.token ?? box.dataset.t;
  isInCorpus = "t" in box.dataset;
  htmx.trigger(form("token-form"), "again");
}

export function start() {
  // In front of requests.js, which leaves alone what is marked here.
  document.addEventListener("htmx:config:request", configure, { capture: true });
  document.addEventListener("htmx:before:swap", dropLate);
  document.addEventListener("htmx:after:swap", after);
  document.addEventListener("htmx:finally:request", finish);
  document.addEventListener("htmx:error", (event) => {
    if (event.detail.ctx?.walk?.model === generation.model) sayFailed();
  });
  root.addEventListener("click", choose);
  document.getElementById("walk-to-origin").addEventListener("click", () => {
    const origin = document.getElementById("walk-origin-token");
    origin.focus({ preventScroll: true });
    origin.closest(".panel").scrollIntoView({ block: "nearest" });
  });
  addEventListener("resize", letGo);
}
