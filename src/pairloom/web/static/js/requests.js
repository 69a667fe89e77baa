// Between htmx and the server: what may be sent, what may still be shown, and the one repeat after a 409.

import { canBeSent, markErrors } from "./fields.js";
import { encodings, generation, settleTraining, startTraining } from "./jobs.js";
import { mark } from "./rows.js";
import { hold, takeBack } from "./selection.js";
import { announce, endTrouble, sayAgain, sayFailed } from "./sentences.js";

const trainForm = document.getElementById("train-form");
const encodeForm = document.getElementById("encode-form");
const prefixForm = document.getElementById("prefix-form");
const shownForm = document.getElementById("shown-form");
// What answers with a fragment of the page: results, objections at their fields, "busy".
export const FRAGMENTS = [200, 422, 503];
const ENCODING = ["encoding-view", "decoded-view"];
const isTraining = (ctx) => ctx.sourceElement === trainForm;
const isEncoding = (ctx) => ctx.sourceElement === encodeForm;
/** The walkthrough has requests of its own, about a model of its own: walk_requests.js. */
const isElsewhere = (ctx) => ctx?.walk !== undefined;

/** Every answer is asked for in the language that the page has: another tab may have chosen another one (rule G). */
export const pageLanguage = () => ({ "Page-Language": document.documentElement.lang });

/** The server forgets models (it keeps no sessions). Then the same request goes out once more, with the inputs. */
export async function fetchOrRepeat(address, request, inputs = trainForm, ids = { generation, key: "model-key" }) {
  const answer = await fetch(address, request);
  if (answer.status !== 409) return answer;
  const { model } = ids.generation;
  const body = new URLSearchParams(request.body);
  for (const [name, value] of new FormData(inputs)) body.set(name, value);
  const repeated = await fetch(address, { ...request, body });
  const key = repeated.headers.get("model-key");
  // From now on the model goes by this key: the next request need not be repeated.
  if (key && model === ids.generation.model) document.getElementById(ids.key).value = key;
  return repeated;
}

/** Every request but a step is about the prefix that is seen, whatever stands in the field. */
function askAboutShown(ctx) {
  const prefix = prefixForm.querySelector("[data-prefix]")?.dataset.prefix;
  if (prefix && ctx.sourceElement !== prefixForm && ctx.request.body?.has?.("prefix")) ctx.request.body.set("prefix", prefix);
}

/** What is shown of a model: its prefix is the one that is seen, whatever stands in the field. */
function fillInShown(body) {
  for (const [name, value] of new FormData(prefixForm)) body.set(name, value);
  body.set("prefix", prefixForm.querySelector("[data-prefix]").dataset.prefix);
  if (encodeForm.querySelector("[data-encoded]")) body.set("text", encodeForm.elements.text.value);
}

/** Everything once more, as it is, in the language that the page has now. */
export function showAgain() {
  sayAgain();
  if (document.getElementById("model-key")) htmx.trigger(shownForm, "again");
}

/** What stands in the field of the prefix if it is no prefix: it stays there beside its objection. */
function wrongPrefix() {
  const { prefix } = prefixForm.elements;
  return prefix?.hasAttribute("aria-invalid") ? prefix.value : null;
}

function putBack(value) {
  const { prefix } = prefixForm.elements;
  prefix.value = value;
  prefix.setAttribute("aria-invalid", "true");
}

/** Nothing came of a request: say so; a step that was not made is taken back. */
function fail(ctx) {
  sayFailed();
  if (ctx.sourceElement === prefixForm) takeBack();
}

/** An answer whose model or text is no longer the one on the page must not be shown (W3); nor what is no fragment. */
function dropLate(event) {
  const { ctx, tasks } = event.detail;
  if (ctx.generation?.model !== generation.model) return event.preventDefault();
  if (isEncoding(ctx) && ctx.generation.job !== generation.job) return event.preventDefault();
  if (!FRAGMENTS.includes(ctx.response.status)) {
    fail(ctx);
    return event.preventDefault();
  }
  if (ctx.generation.text === generation.text) return undefined;
  for (const task of tasks.splice(0)) if (!ENCODING.includes(task.target?.id)) tasks.push(task);
  return undefined;
}

// Places whose new words are to be heard.
const heard = [...document.querySelectorAll("[data-heard]")];
const wordsNow = () => heard.map((place) => place.firstChild);

/** Slider, graph and rows of the table say what they have come to; heard twice, it would be twice as slow. */
const speaksItself = () => document.activeElement.matches("#slider, #curve, #merges-view tr");

/** What an answer has brought, for those who hear it: the state of the inputs, a find, an encoding, a step. */
function sayWhatCame(ctx, before) {
  const word = isEncoding(ctx) ? document.getElementById("encoded-word") : null;
  const place = heard.find((each, index) => each.firstChild !== before[index] && each.textContent.trim() !== "");
  if (place ?? word) announce((place ?? word).textContent.trim());
  else if (ctx.sourceElement === prefixForm && !speaksItself()) {
    announce(document.querySelector("#selection [data-words]").dataset.words);
  }
}

/** htmx would tell the server the whole address. Its fragment may hold a text, and is nobody's business (rule S7). */
function keepAddress({ detail: { ctx } }) {
  delete ctx.request.headers["HX-Current-URL"];
}

export function start() {
  document.addEventListener("htmx:config:request", keepAddress, { capture: true });
  let before = wordsNow();
  let typed = null;
  document.addEventListener("htmx:config:request", (event) => {
    const { ctx } = event.detail;
    if (isElsewhere(ctx)) return;
    if (!canBeSent(ctx.sourceElement)) {
      event.preventDefault();
      return;
    }
    Object.assign(ctx.request.headers, pageLanguage());
    if (isTraining(ctx)) startTraining();
    else ctx.fetch = fetchOrRepeat;
    if (ctx.sourceElement === shownForm) fillInShown(ctx.request.body);
    else askAboutShown(ctx);
    if (isEncoding(ctx)) encodings.add(ctx);
    ctx.generation = { ...generation };
    ctx.language = document.documentElement.lang;
  });
  document.addEventListener("htmx:before:swap", (event) => {
    if (isElsewhere(event.detail.ctx)) return;
    before = wordsNow();
    dropLate(event);
    typed = event.detail.ctx.sourceElement === shownForm ? wrongPrefix() : null;
  });
  document.addEventListener("htmx:after:swap", (event) => {
    if (event.detail.ctx.response?.status === 200) endTrouble();
    if (isElsewhere(event.detail.ctx)) return;
    settleTraining({ ended: false });
    const { ctx } = event.detail;
    // A search that found nothing ends what the last one had found.
    if (ctx.response?.status === 422 && ctx.sourceElement.matches(".jump")) {
      ctx.sourceElement.closest(".panel").querySelector(".note[data-heard]").replaceChildren();
    }
    if (ctx.response?.status === 503 && ctx.sourceElement === prefixForm) takeBack();
    if (typed !== null) putBack(typed);
    markErrors();
    mark();
    hold();
    sayWhatCame(event.detail.ctx, before);
    // Asked for before the language changed: once more, in the state that it has brought.
    if (event.detail.ctx.language !== document.documentElement.lang) showAgain();
  });
  document.addEventListener("htmx:finally:request", (event) => {
    const { ctx } = event.detail;
    if (isElsewhere(ctx)) return;
    encodings.delete(ctx);
    if (!isTraining(ctx) || ctx.generation?.model !== generation.model) return;
    // A stream that breaks off ends like any other, only without a model and without a word.
    if (settleTraining({ ended: true }) && ctx.response?.status === 200) sayFailed();
  });
  document.addEventListener("htmx:error", (event) => {
    if (event.detail.ctx?.generation?.model === generation.model) fail(event.detail.ctx);
  });
}
