// Copy IDs (rules W9, E4): those of the whole encoding, as a JSON list. Over plain HTTP on a LAN there is no
// `navigator.clipboard`; then a selection is copied, and if that is refused too, the list is there to be copied by hand.

import { generation } from "./jobs.js";
import { fetchOrRepeat, pageLanguage } from "./requests.js";
import { announce, sayFailed, sentence } from "./sentences.js";

const view = document.getElementById("encoding-view");
const part = (id) => view.querySelector(`#${id}`);
const shownPrefix = () => view.querySelector("[data-encoded]")?.dataset.encoded;

/** The list for what is shown now; refused when something else is shown by the time it arrives (W3). */
async function fetchList() {
  const [{ model, text }, prefix] = [generation, shownPrefix()];
  const body = new URLSearchParams({
    key: document.getElementById("model-key").value,
    prefix,
    text: document.getElementById("text").value,
  });
  const answer = await fetchOrRepeat("/workbench/ids", { method: "POST", body, headers: pageLanguage() });
  const list = await answer.text();
  const isLate = model !== generation.model || text !== generation.text || prefix !== shownPrefix();
  if (!answer.ok || isLate) throw new Error(isLate ? "late" : "failed");
  return list;
}

function copySelected(list) {
  const field = document.createElement("textarea");
  field.className = "unseen";
  field.readOnly = true;
  field.value = list;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  part("copy-ids").focus();
  return done;
}

function offerByHand(list) {
  const field = part("copy-list");
  field.value = list;
  field.hidden = false;
  field.focus();
  field.select();
  part("copy-word").replaceChildren(sentence("copyByHand"));
  announce(part("copy-word").textContent);
}

async function intoClipboard(fetching) {
  const { clipboard } = navigator;
  if (!clipboard) return false;
  try {
    if (clipboard.write && window.ClipboardItem) {
      // The list may still be under way: so the permission of this very click counts.
      const blob = fetching.then((list) => new Blob([list], { type: "text/plain" }));
      await clipboard.write([new ClipboardItem({ "text/plain": blob })]);
    } else await clipboard.writeText(await fetching);
    return true;
  } catch {
    return false;
  }
}

async function copy() {
  const fetching = fetchList();
  try {
    const done = await intoClipboard(fetching);
    const list = await fetching;
    if (!done && !copySelected(list)) return offerByHand(list);
    part("copy-word").replaceChildren(part("copied-word").firstElementChild.cloneNode(true));
    announce(part("copy-word").textContent);
  } catch (error) {
    if (error.message !== "late") sayFailed();
  }
  return undefined;
}

export function start() {
  view.addEventListener("click", (event) => {
    if (event.target.closest("#copy-ids")) copy();
  });
}
