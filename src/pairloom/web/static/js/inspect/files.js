// The model and its trace as files, and a model file to open. The server keeps neither: a file that it has forgotten is
// sent again, once, and then the request that was about it.

import { markErrors, objection, showCounts } from "../fields.js";
import { fetchOrRepeat, pageLanguage } from "../requests.js";
import { announce, isolated, sayFailed } from "../sentences.js";
import { filled } from "../text.js";

const byId = (id) => document.getElementById(id);
// The file that is open, and the number of the attempt to open one that came last.
let file = null;
let attempts = 0;

async function download(name) {
  const body = new URLSearchParams({ key: byId("model-key").value });
  const answer = await fetchOrRepeat(`/workbench/files/${name}`, { method: "POST", body, headers: pageLanguage() });
  if (!answer.ok) throw new Error(name);
  const href = URL.createObjectURL(await answer.blob());
  const [, download] = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition"));
  Object.assign(document.createElement("a"), { href, download }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

const send = (data) => fetch("/workbench/opened", { method: "POST", body: data, headers: { ...pageLanguage(), "Content-Type": "application/json" } });

/** A request about the open file; if the server has forgotten the file it is sent again first. */
async function fetchAboutFile(address, request) {
  const answer = await fetchOrRepeat(address, request);
  if (answer.status !== 409 || !file) return answer;
  const sent = await send(file.data);
  if (!sent.ok) return answer;
  const key = new DOMParser().parseFromString(await sent.text(), "text/html").querySelector("[name=file_key]").value;
  const field = byId("opened-view").querySelector("[name=file_key]");
  if (field) field.value = key;
  const body = new URLSearchParams(request.body);
  body.set("file_key", key);
  return fetchOrRepeat(address, { ...request, body });
}

function object(sentence, values) {
  byId("opened-error").textContent = filled(byId("opened-error").dataset[sentence], values);
  byId("opened-view").replaceChildren();
}

async function show() {
  const own = ++attempts;
  const answer = await send(file.data);
  if (own !== attempts) return;
  if (!answer.ok) throw new Error("opened");
  const view = byId("opened-view");
  byId("opened-error").replaceChildren();
  byId("opened-name").textContent = isolated(file.name);
  view.innerHTML = await answer.text();
  htmx.process(view);
  announce(view.querySelector(".verdict").textContent);
}

async function open(chosen) {
  const name = isolated(chosen.name);
  file = null;
  byId("opened-name").replaceChildren();
  const limit = Number(byId("opened-error").dataset.maxBytes);
  if (chosen.size > limit) return object("tooLarge", { name, size: chosen.size, limit: limit / 1024 });
  try {
    file = { name: chosen.name, data: await chosen.arrayBuffer() };
  } catch {
    return object("unreadable", { name });
  }
  return show();
}

/** A text that must not be sent is objected to here, as everywhere (rules N8, L1). */
function mayBeEncoded() {
  const found = objection(byId("file-text"));
  byId("file-text-error").replaceChildren(found ?? "");
  markErrors();
  return found === null;
}

/** After the words have come anew. */
export const again = () => (file ? show().catch(sayFailed) : undefined);

export function start(place) {
  place.addEventListener("click", ({ target }) => {
    const { file: name } = target.closest("button")?.dataset ?? {};
    if (name) download(name).catch(sayFailed);
    if (target.closest("#open-model")) byId("model-file").click();
  });
  place.addEventListener("change", ({ target }) => {
    if (target.id !== "model-file" || !target.files.length) return;
    open(target.files[0]).catch(sayFailed);
    // The same file can be chosen again after it was changed elsewhere.
    target.value = "";
  });
  place.addEventListener("input", ({ target }) => {
    if (target.id !== "file-text") return;
    showCounts();
    byId("opened-encoding").replaceChildren();
  });
  document.addEventListener("htmx:config:request", (event) => {
    const { ctx } = event.detail;
    if (!byId("opened-view")?.contains(ctx.sourceElement)) return;
    ctx.fetch = fetchAboutFile;
    if (ctx.request.action.includes("encode") && !mayBeEncoded()) event.preventDefault();
  });
}
