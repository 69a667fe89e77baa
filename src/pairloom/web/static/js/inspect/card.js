// Everything about one token, on a card that stays in sight: pointed at on the page, typed, or chosen on the card itself.

import { shown as viewShown } from "../views.js";

const byId = (id) => document.getElementById(id);
const isOpen = () => byId("token-card")?.hidden === false;
let cameFrom = null;
let now = null;
let awaited = null;
let shownText = "";

/** What the card was asked for: the fields of its request. */
export const asked = () => (isOpen() ? now : null);

export function ask(fields) {
  now = fields;
  const inputs = Object.entries(fields).map(([name, value]) => Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  byId("token-card-form").replaceChildren(...inputs);
  htmx.trigger(byId("token-card-form"), "look");
}

/** The fields that say which token an element of the page shows. */
function fieldsOf(target) {
  const [corpus, encoding, merges] = ["corpus-view", "encoding-view", "merges-view"].map((id) => byId(id));
  if (corpus.contains(target)) return { box: [...corpus.querySelectorAll(".flow :is(i, mark)")].indexOf(target) };
  if (encoding.contains(target)) return { item: [...encoding.querySelectorAll("li")].indexOf(target) };
  if (byId("selection").contains(target)) {
    const rank = Number(document.querySelector("#selection [data-prefix]").dataset.prefix) - 1;
    const part = ["left", "right", "result"][[...target.parentElement.querySelectorAll("bdi")].indexOf(target)];
    return { inspect_rank: rank, part };
  }
  const row = target.closest("tr");
  return merges.contains(row) ? { inspect_rank: row.dataset.r } : { inspect_id: row.cells[0].textContent.trim() };
}

export function point(target) {
  const fields = fieldsOf(target);
  if (fields.box === -1 || fields.item === -1) return;
  cameFrom = document.activeElement;
  ask(fields);
}

export function close() {
  now = null;
  const card = byId("token-card");
  if (!card || card.hidden) return;
  const hadFocus = card.contains(document.activeElement);
  card.hidden = true;
  byId("token-card-view").replaceChildren();
  if (hadFocus && cameFrom?.isConnected) cameFrom.focus();
}

/** The token that is shown, at the prefix and in the text that are shown now; one that is on its way is waited for. */
export function refresh(prefix, text) {
  const part = byId("token-card-view")?.querySelector("[data-at]");
  if (!isOpen() || !part || awaited || (part.dataset.at === prefix && shownText === text)) return;
  shownText = text;
  ask(itself(part));
}

export function forgetText() {
  shownText = null;
}

const itself = ({ dataset }) => ("inspectId" in dataset ? { inspect_id: dataset.inspectId } : { inspect_token: dataset.inspectToken });

const isCards = (ctx) => ctx.sourceElement?.id === "token-card-form";

export function start(place, cardPlace, refreshSoon) {
  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    if (isCards(ctx)) awaited = ctx;
  });
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (awaited !== ctx) return;
    awaited = null;
    refreshSoon();
  });
  document.addEventListener("htmx:before:swap", (event) => {
    // Closed since it was asked for.
    if (isCards(event.detail.ctx) && now === null) event.preventDefault();
  });
  document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
    if (!isCards(ctx) || ctx.response?.status !== 200) return;
    const part = byId("token-card-view").querySelector("[data-at]");
    if (!part) return;
    // From now on the token itself is meant, not the box that stood there.
    now = itself(part);
    const card = byId("token-card");
    if (card.hidden) {
      card.hidden = false;
      card.focus({ preventScroll: true });
    }
  });
  cardPlace.addEventListener("click", ({ target }) => {
    if (target.closest("#token-card-close")) close();
    const chosen = target.closest("button[data-inspect-id]");
    if (chosen) ask({ inspect_id: chosen.dataset.inspectId });
  });
  place.addEventListener("submit", (event) => {
    if (event.target.id !== "inspect-typed") return;
    event.preventDefault();
    byId("inspect-token-error").replaceChildren();
    cameFrom = byId("inspect-token");
    ask({ inspect_token: byId("inspect-token").value });
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && isOpen()) close();
  });
  document.addEventListener("pairloom:view", () => viewShown().id !== "workbench" && close());
}
