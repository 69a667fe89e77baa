// Between htmx and the server: what may be sent, what may still be shown, and the one repeat after a 409.

import { canBeSent, markErrors } from "./fields.js";
import { generation, say, settleTraining, startTraining } from "./jobs.js";
import { mark } from "./selection.js";

const trainForm = document.getElementById("train-form");
// What answers with a fragment of the page: results, objections at their fields, "busy".
const FRAGMENTS = [200, 422, 503];
const sayFailed = () => say(trainForm.dataset.failed);
const isTraining = (ctx) => ctx.sourceElement === trainForm;

/** The server forgets models (it keeps no sessions). Then the same request goes out once more, with the inputs. */
async function fetchOrRepeat(address, request) {
  const answer = await fetch(address, request);
  if (answer.status !== 409) return answer;
  const body = new URLSearchParams(request.body);
  for (const [name, value] of new FormData(trainForm)) body.set(name, value);
  return fetch(address, { ...request, body });
}

/** An answer whose model or text is no longer the one on the page must not be shown (W3); nor what is no fragment. */
function dropLate(event) {
  const { ctx, tasks } = event.detail;
  if (ctx.generation?.model !== generation.model) return event.preventDefault();
  if (!FRAGMENTS.includes(ctx.response.status)) {
    sayFailed();
    return event.preventDefault();
  }
  if (ctx.generation.text === generation.text) return undefined;
  for (const task of tasks.splice(0)) if (task.target?.id !== "encoding-view") tasks.push(task);
  return undefined;
}

export function start() {
  document.addEventListener("htmx:config:request", (event) => {
    const { ctx } = event.detail;
    if (!canBeSent(ctx.sourceElement)) {
      event.preventDefault();
      return;
    }
    if (isTraining(ctx)) startTraining();
    else ctx.fetch = fetchOrRepeat;
    ctx.generation = { ...generation };
  });
  document.addEventListener("htmx:before:swap", dropLate);
  document.addEventListener("htmx:after:swap", () => {
    settleTraining({ ended: false });
    markErrors();
    mark();
  });
  document.addEventListener("htmx:finally:request", (event) => {
    const { ctx } = event.detail;
    if (!isTraining(ctx) || ctx.generation?.model !== generation.model) return;
    // A stream that breaks off ends like any other, only without a model and without a word.
    if (settleTraining({ ended: true }) && ctx.response?.status === 200) sayFailed();
  });
  document.addEventListener("htmx:error", (event) => {
    if (event.detail.ctx?.generation?.model === generation.model) sayFailed();
  });
}
