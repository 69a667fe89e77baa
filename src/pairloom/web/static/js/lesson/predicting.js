// Predict before reveal: the server leaves out what is asked about, so it is nowhere in the page. Here is only what
// follows: the focus, what is heard, and the way on.

import { announce } from "../sentences.js";
import { mark, move, pause } from "../stepping.js";
import { root, state } from "../walkthrough.js";

const select = () => document.getElementById("walk-predict");
const slider = () => document.getElementById("walk-slider");
const ask = document.getElementById("walk-ask");
let goingOn = false;

function choose() {
  pause();
  ask.replaceChildren();
  mark();
  if (state() === "trained") slider().dispatchEvent(new Event("input", { bubbles: true }));
}

function goOn() {
  goingOn = true;
  move(Number(slider().value) + 1);
}

function after({ detail: { ctx } }) {
  if (!ctx?.walk) return;
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
  document.addEventListener("htmx:after:swap", after);
  document.addEventListener("htmx:after:swap", dropLife);
  new MutationObserver(forget).observe(root, { attributeFilter: ["data-state"] });
}
