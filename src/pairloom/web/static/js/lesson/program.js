// The Python program of the lesson: copied as it stands, or with the words of the corpus that the walkthrough is trained on.

import { copySelected, intoClipboard } from "../copying.js";
import { announce, sayFailed, sentence } from "../sentences.js";
import { fetchOrRepeat, pageLanguage } from "../requests.js";
import { generation, state } from "../walkthrough.js";

const words = () => document.getElementById("walk-words-said");

function tellAt(place, name) {
  place.replaceChildren(sentence(name, {}, words()));
  announce(place.textContent);
}

async function copy(button) {
  const code = document.getElementById(button.dataset.copy);
  const place = button.closest(".listing-line").querySelector("[data-copy-word]");
  const program = code.textContent;
  if ((await intoClipboard(Promise.resolve(program))) || copySelected(program)) {
    tellAt(place, "programCopied");
    return;
  }
  getSelection().selectAllChildren(code);
  tellAt(place, "programByHand");
}

async function ownWords(button) {
  const place = button.closest(".listing-line").querySelector("[data-copy-word]");
  if (state() !== "trained") {
    tellAt(place, "notTrainedYet");
    return;
  }
  const body = new URLSearchParams({ key: document.getElementById("walk-key").value });
  const inputs = document.getElementById("walk-inputs");
  const request = { method: "POST", body, headers: pageLanguage() };
  const answer = await fetchOrRepeat("/walkthrough/program", request, inputs, { generation, key: "walk-key" }).catch(() => null);
  if (!answer?.ok) {
    sayFailed();
    return;
  }
  document.getElementById("lesson-listing").innerHTML = await answer.text();
  document.querySelector("[data-program]").focus();
}

export function start() {
  document.getElementById("lesson-text").addEventListener("click", (event) => {
    const copying = event.target.closest("[data-copy]");
    if (copying) copy(copying);
    const filling = event.target.closest("[data-program]");
    if (filling) ownWords(filling);
  });
}
