// Practice problems: an answer is judged, a solution is fetched when somebody asks for it, new problems come without end.
// No answer is on the page before that.

import { announce, sayFailed } from "../sentences.js";
import { pageLanguage } from "../requests.js";

const text = document.getElementById("lesson-text");
const language = () => document.documentElement.lang;

/** The fragment that answers a form; null if it did not come. Problems stay those of the language they were made in. */
async function ask(address, form) {
  const body = new URLSearchParams(new FormData(form));
  const answer = await fetch(address, { method: "POST", body, headers: pageLanguage() }).catch(() => null);
  if (answer?.ok) return answer.text();
  if (answer?.status === 400) return null;
  sayFailed();
  return null;
}

const fill = (place, markup) => {
  place.innerHTML = markup;
};

async function check(form) {
  const markup = await ask("/lesson/answer", form);
  if (markup === null) return;
  const place = form.closest(".problem").querySelector(".verdict");
  fill(place, markup);
  announce(place.innerText);
}

async function solve(button) {
  const problem = button.closest(".problem");
  const place = problem.querySelector(".solution");
  const isOpen = button.getAttribute("aria-expanded") === "true";
  button.setAttribute("aria-expanded", String(!isOpen));
  if (isOpen) {
    place.replaceChildren();
    return;
  }
  const markup = await ask("/lesson/solution", problem.querySelector("form"));
  if (markup !== null) fill(place, markup);
  else button.setAttribute("aria-expanded", "false");
}

const generator = () => text.querySelector(".generator");

async function generate() {
  const form = generator();
  const own = `${language()} ${new URLSearchParams(new FormData(form))}`;
  form.dataset.wanted = own;
  const markup = await ask("/lesson/problem", form);
  if (form.dataset.wanted !== own) return;
  document.getElementById("lesson-endless-error").textContent = markup === null ? form.dataset.wrong : "";
  if (markup === null) {
    announce(form.dataset.wrong);
    return;
  }
  const place = document.getElementById("lesson-generated");
  fill(place, markup);
  announce(place.querySelector(".question").innerText);
}

const PROBLEM = "#problem?";

/** The worksheet has the seed, level and kind that are chosen here; the link to a problem has its number too. */
function nameWorksheet() {
  const link = document.getElementById("lesson-worksheet");
  if (!link) return;
  const { seed, level, kind } = generator().elements;
  const query = new URLSearchParams({ seed: seed.value, level: level.value, kind: kind.value, lang: language() });
  link.href = `${link.pathname}?${query}`;
  const own = document.getElementById("lesson-problem-link");
  own.href = `${own.pathname}?lang=${language()}${PROBLEM}${new URLSearchParams(new FormData(generator()))}`;
}

/** Give the problem that the address names: so a class has the same one. Names that it does not know change nothing. */
function openNamed() {
  if (!generator() || !location.hash.startsWith(PROBLEM)) return;
  for (const [name, value] of new URLSearchParams(location.hash.slice(PROBLEM.length))) {
    const field = generator().elements.namedItem(name);
    if (field?.matches("input, select")) field.value = value;
  }
  nameWorksheet();
  document.getElementById("lesson-endless-title").scrollIntoView();
  generate();
}

function submit(event) {
  const form = event.target;
  if (!text.contains(form)) return;
  event.preventDefault();
  if (form.matches(".generator")) generate();
  else check(form);
}

function click(event) {
  const solving = event.target.closest?.("[data-solve]");
  if (solving) solve(solving);
  if (!event.target.closest?.("[data-next]")) return;
  const { number } = generator().elements;
  number.value = String((Number(number.value) || 0) + 1);
  nameWorksheet();
  generate();
}

/** What the server has rendered, once more in another language. */
export function again() {
  if (!generator()) return;
  nameWorksheet();
  if (document.getElementById("lesson-generated").hasChildNodes()) generate();
  for (const problem of text.querySelectorAll(":scope .problem:not(#lesson-generated *)")) {
    if (problem.querySelector(".verdict").hasChildNodes()) check(problem.querySelector("form"));
    const button = problem.querySelector("[data-solve]");
    if (button.getAttribute("aria-expanded") === "true") {
      button.setAttribute("aria-expanded", "false");
      solve(button);
    }
  }
}

export function start() {
  document.addEventListener("submit", submit);
  text.addEventListener("click", click);
  text.addEventListener("input", nameWorksheet);
  document.addEventListener("pairloom:lesson", () => {
    nameWorksheet();
    openNamed();
  });
  addEventListener("hashchange", openNamed);
  if (generator()) {
    nameWorksheet();
    openNamed();
  }
}
