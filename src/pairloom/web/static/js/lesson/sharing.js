// A link to what the walkthrough shows: copied here, opened anywhere. Whoever opens it is told whether the model is the same
// (its fingerprint travels along); a link that cannot be opened changes nothing.

import { copySelected, intoClipboard } from "../copying.js";
import { canBeSent } from "../fields.js";
import { pageLanguage } from "../requests.js";
import { announce } from "../sentences.js";
import { given, put, root, state } from "../walkthrough.js";
import { MAX_LENGTH, NAME, packed, unpacked } from "./link.js";
import { tell } from "./told.js";

const question = () => document.getElementById("walk-predict");
const slider = () => document.getElementById("walk-slider");
const encodeForm = document.getElementById("walk-encode-form");
const fingerprint = () => document.querySelector("#walk-fingerprint code").textContent;

function offerByHand(link) {
  const field = document.createElement("textarea");
  field.id = "walk-link-text";
  field.readOnly = true;
  field.value = link;
  field.rows = 3;
  tell("linkByHand");
  document.getElementById("walk-said").append(field);
  field.select();
}

async function copy() {
  if (state() !== "trained") {
    tell("notTrainedYet", {}, { isWrong: true });
    return;
  }
  if (!canBeSent(encodeForm)) return;
  const now = { ...given(), prefix: Number(slider().value), fingerprint: fingerprint(), predict: question().value };
  const making = packed(now).then((fragment) => `${location.origin}${root.dataset.path}${fragment}`);
  const copying = making.then((link) => (link.length > MAX_LENGTH ? Promise.reject(new Error("too long")) : link));
  const done = await intoClipboard(copying);
  const link = await making;
  if (link.length > MAX_LENGTH) tell("linkTooLong", { length: link.length, limit: MAX_LENGTH }, { isWrong: true });
  else if (done || copySelected(link)) tell("linkCopied", { length: link.length });
  else offerByHand(link);
}

/** The model that a link leads to, or why there is none; asked for before anything here changes. */
async function ask({ corpus, lowercase, preTokenizer, prefix, text }) {
  const body = new URLSearchParams({ corpus, walk_pre_tokenizer: preTokenizer, prefix, text });
  if (lowercase) body.set("walk_lowercase", "on");
  const answer = await fetch("/walkthrough/link", { method: "POST", body, headers: pageLanguage() }).catch(() => null);
  if (answer?.ok) return answer.json();
  const holder = document.createElement("template");
  if ([422, 503].includes(answer?.status)) holder.innerHTML = await answer.text();
  const reasons = [...holder.content.querySelectorAll("hx-partial")].map((part) => part.textContent.trim());
  return { refused: reasons.filter(Boolean).join(" ") };
}

/** A preset keeps its name only if the text is still what it was. */
async function presetOf({ preset, corpus }) {
  const option = preset && document.querySelector(`#walk-preset option[value="${CSS.escape(preset)}"]`);
  if (!option) return "";
  const answer = await fetch(option.dataset.text).catch(() => null);
  return answer?.ok && (await answer.text()).trim() === corpus ? preset : "";
}

/** The model has words of its own to say when it comes; what it was opened from is said after them. */
function sayWhenTrained() {
  const said = document.getElementById("walk-said").textContent;
  const watching = new MutationObserver(() => {
    if (state() !== "trained") return;
    watching.disconnect();
    announce(`${said} ${document.getElementById("walk-next").innerText}`);
  });
  watching.observe(root, { attributeFilter: ["data-state"] });
}

let opening = 0;

async function open() {
  if (!location.hash.startsWith(NAME)) return;
  const own = ++opening;
  try {
    const sent = await unpacked(location.hash);
    const [found, preset] = await Promise.all([ask(sent), presetOf(sent)]);
    if (own !== opening) return;
    if (found.refused !== undefined) {
      tell("linkRefused", { reason: found.refused }, { isWrong: true });
      return;
    }
    const { predict, ...inputs } = sent;
    // Before the training: what is asked about is hidden from its first step on.
    if (predict !== undefined) question().value = predict;
    put({ ...inputs, preset }, sent.prefix);
    const { fingerprint: here } = found;
    if (here === sent.fingerprint) tell("linkMatches", { fingerprint: here });
    else tell("linkDiffers", { fingerprint: here, expected: sent.fingerprint }, { isWrong: true });
    sayWhenTrained();
  } catch (error) {
    if (own !== opening) return;
    tell(error.message, { length: location.hash.length, limit: MAX_LENGTH }, { isWrong: true });
  }
}

export function start() {
  document.getElementById("walk-link").addEventListener("click", copy);
  addEventListener("hashchange", open);
  open();
}
