// Links of the lesson set the walkthrough: a text, a prefix, what is encoded, and where to look (rule S7). A text of the
// reader's own can be brought back, as always.

import { announce } from "../sentences.js";
import { move } from "../stepping.js";
import { given, put, root, state } from "../walkthrough.js";

const DEFAULTS = { lowercase: false, preTokenizer: "punctuation" };
let cameFrom = null;
// Where the two stand below each other: whether a link led away from the lesson, and whether that is in sight.
let isAway = false;
let isInSight = false;

const textOf = async (name) => {
  const { text } = document.querySelector(`#walk-preset option[value="${CSS.escape(name)}"]`).dataset;
  const answer = await fetch(text);
  if (!answer.ok) throw new Error(text);
  return (await answer.text()).trim();
};

const isSet = (wanted) => {
  const now = given();
  return state() === "trained" && Object.keys(wanted).every((name) => name === "text" || now[name] === wanted[name]);
};

function encode(text) {
  const area = document.getElementById("walk-text");
  if (area.value === text) return;
  area.value = text;
  area.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Set the walkthrough; what is there already stays. */
export function set(wanted, prefix) {
  if (isSet(wanted)) {
    encode(wanted.text);
    move(prefix);
    return;
  }
  put(wanted, prefix);
}

const isBeside = () => document.getElementById("lesson").getBoundingClientRect().right <= root.getBoundingClientRect().left + 1;

function unpoint() {
  for (const panel of root.querySelectorAll(".pointed")) panel.classList.remove("pointed");
}

/** Show where to look: a frame around the panel, and the page goes there. */
export function point(id) {
  unpoint();
  const panel = document.getElementById(id)?.closest(".panel");
  if (!panel) return;
  panel.classList.add("pointed");
  const { top, bottom } = panel.getBoundingClientRect();
  const covered = panel.matches(".transport") ? 0 : root.querySelector(".transport").offsetHeight;
  // What stays in sight above would cover its beginning.
  if (!isBeside() || top < covered || bottom > innerHeight) scrollBy(0, top - covered - 12);
}

async function follow(link) {
  const { preset, corpus, text, prefix, show, scene } = link.dataset;
  cameFrom = link;
  for (const each of document.querySelectorAll(".go[aria-current]")) each.removeAttribute("aria-current");
  link.setAttribute("aria-current", "true");
  root.dataset.scene = scene;
  set({ ...DEFAULTS, preset, corpus: corpus || (await textOf(preset)), text }, Number(prefix));
  point(show);
  isAway = !isBeside();
  showBack();
  announce(link.textContent);
}

function showBack() {
  document.getElementById("lesson-back").hidden = !isAway || isInSight;
}

function goBack() {
  isAway = false;
  showBack();
  cameFrom?.scrollIntoView({ block: "center" });
  cameFrom?.focus({ preventScroll: true });
}

const isPlain = (event) => !event.defaultPrevented && !event.button && !event.metaKey && !event.ctrlKey && !event.shiftKey;

function click(event) {
  const link = event.target.closest?.(".go");
  if (link && isPlain(event)) {
    event.preventDefault();
    follow(link);
  }
  const step = event.target.closest?.("#walk-more [data-prefix]");
  if (step && isPlain(event)) {
    event.preventDefault();
    move(Number(step.dataset.prefix));
    document.querySelector(".transport").scrollIntoView({ block: "nearest" });
  }
}

export function start() {
  document.addEventListener("click", click);
  // Whoever goes on from here has looked.
  for (const name of ["pointerdown", "keydown"]) root.addEventListener(name, unpoint);
  document.getElementById("lesson-back").addEventListener("click", goBack);
  new IntersectionObserver(([{ isIntersecting }]) => {
    isInSight = isIntersecting;
    showBack();
  }).observe(document.getElementById("lesson-text"));
}
