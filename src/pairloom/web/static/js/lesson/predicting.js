// Predict before reveal: the server leaves out what is asked about, so it is nowhere in the page. Here is only what
// follows: the focus, what is heard, and the way on.

import { announce } from "../sentences.js";
import { mark, move, pause } from "../stepping.js";
import { root, state } from "../walkthrough.js";

const select = () => document.getElementById("walk-predict");
const slider = () => document.getElementById("walk-slider");
const ask = document.getElementById("walk-ask");
let goingOn = false;

const VIEWS = "#walk-life-view, #walk-rule-view";

/** What tells of merges to come must not stand beside an open question; that it waits for the answer may (rule G). */
function hideWhatTells({ all = true } = {}) {
  for (const view of document.querySelectorAll(VIEWS)) if (all || !view.querySelector(".hush")) view.replaceChildren();
}

function choose() {
  pause();
  ask.replaceChildren();
  if (select().value) hideWhatTells();
  mark();
  if (state() === "trained") slider().dispatchEvent(new Event("input", { bubbles: true }));
}

function goOn() {
  goingOn = true;
  move(Number(slider().value) + 1);
}

let typed = null;

/** An answer that is being typed outlives another language (rule G): its field comes anew. */
function before({ detail: { ctx } }) {
  if (ctx?.sourceElement?.id !== "walk-shown-form" || typed) return;
  const field = document.getElementById("walk-answer");
  typed = field && { value: field.value, focused: field === document.activeElement, prefix: slider().value };
}

function bringBack() {
  const field = document.getElementById("walk-answer");
  if (field && typed && slider().value === typed.prefix) {
    field.value = typed.value;
    if (typed.focused) field.focus();
  }
  typed = null;
}

function after({ detail: { ctx } }) {
  if (!ctx?.walk) return;
  const isAnotherLanguage = ctx.sourceElement?.id === "walk-shown-form";
  if (ask.querySelector("#walk-answer-form") && !ctx.sourceElement?.matches("#walk-life-form, #walk-rule-form")) hideWhatTells({ all: !isAnotherLanguage });
  if (isAnotherLanguage) bringBack();
  const isAnswer = ["walk-answer-form", "walk-reveal"].includes(ctx.sourceElement?.id);
  const next = document.getElementById("walk-ask-next");
  if (isAnswer && next) {
    next.focus();
    announce(ask.innerText);
  } else if (isAnswer) announce(document.getElementById("walk-verdict").innerText);
  else if (ctx.sourceElement?.id === "walk-form" && goingOn) {
    goingOn = false;
    document.getElementById("walk-answer")?.focus();
    const question = ask.querySelector(".question");
    if (question) announce(question.innerText);
  }
}

/** A word that was refused leaves nothing standing of the one before. */
function dropLife({ detail: { ctx } }) {
  if (ctx?.sourceElement?.id === "walk-life-form" && ctx.response?.status === 422) {
    document.getElementById("walk-life-view").replaceChildren();
  }
}

/** Regions that a form has filled, once more in another language. */
export function again() {
  for (const [form, view] of [["walk-life-form", "walk-life-view"], ["walk-rule-form", "walk-rule-view"]]) {
    if (document.getElementById(view).hasChildNodes()) htmx.trigger(`#${form}`, "submit");
  }
}

/** What was said about a model goes with it. */
function forget() {
  if (state() === "trained") return;
  for (const id of ["walk-life-view", "walk-rule-view", "walk-ask"]) document.getElementById(id)?.replaceChildren();
}

export function start() {
  select().addEventListener("change", choose);
  ask.addEventListener("click", (event) => {
    if (event.target.closest("#walk-ask-next")) goOn();
  });
  document.addEventListener("htmx:before:swap", before);
  document.addEventListener("htmx:after:swap", after);
  document.addEventListener("htmx:after:swap", dropLife);
  new MutationObserver(forget).observe(root, { attributeFilter: ["data-state"] });
}
