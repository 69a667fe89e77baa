// The lesson and what the walkthrough has for a class, once they are here: later.js fetches this when it is needed.

import { adoptAll } from "../language.js";
import { fragment, parsed } from "../later.js";
import { sayAgain, sayFailed } from "../sentences.js";
import { start as startDriving } from "./driving.js";
import { start as startPicture } from "./picture.js";
import { again as practiceAgain, start as startPractice } from "./practice.js";
import { again as toolsAgain, start as startPredicting } from "./predicting.js";
import { start as startProgram } from "./program.js";
import { start as startSharing } from "./sharing.js";

const lesson = document.getElementById("lesson");
const text = document.getElementById("lesson-text");
const body = document.getElementById("lesson-body");

async function fetched(address) {
  const markup = await fragment(address);
  if (markup === null) throw new Error(address);
  return parsed(markup);
}

async function putTools() {
  for (const part of (await fetched(lesson.dataset.tools)).querySelectorAll("[data-into]")) {
    const place = document.getElementById(part.dataset.into);
    place.replaceChildren(...part.childNodes);
    htmx.process(place);
  }
}

/** Go to the place that the address names: it was not there when the browser looked. */
function goToPlace() {
  const place = /^#lesson-[a-z]+$/.test(location.hash) && document.querySelector(location.hash);
  if (place && text.contains(place)) place.scrollIntoView();
}

async function putText() {
  if (lesson.hidden || body.hasChildNodes()) return;
  text.setAttribute("aria-busy", "true");
  try {
    body.replaceChildren(await fetched(lesson.dataset.text));
    goToPlace();
    document.dispatchEvent(new Event("pairloom:lesson"));
  } catch {
    sayFailed();
  }
  text.removeAttribute("aria-busy");
}

/** The same in another language: the words change, what is open or typed stays (rule G). */
async function translate() {
  try {
    const tools = await fetched(lesson.dataset.tools);
    for (const part of tools.querySelectorAll("[data-into]")) adoptAll(document.getElementById(part.dataset.into), part);
    if (body.hasChildNodes()) adoptAll(body, await fetched(lesson.dataset.text));
  } catch {
    sayFailed();
    return;
  }
  sayAgain();
  toolsAgain();
  practiceAgain();
}

export async function start() {
  document.addEventListener("pairloom:view", putText);
  document.addEventListener("pairloom:language", translate);
  await Promise.all([putTools(), putText()]);
  startDriving();
  startPractice();
  startProgram();
  startPredicting();
  startPicture();
  startSharing();
}
