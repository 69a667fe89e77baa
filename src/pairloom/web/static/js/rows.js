// The rows of both tables: which are active, which one is the selected merge, and how they are reached by keyboard. One
// row of each table is a stop of the Tab key; in the merge table the arrow keys move the selection itself (rule W5).

import { tell } from "./curve.js";
import { choose, chosen, maximum, stepOf } from "./selection.js";
import { ungrouped } from "./text.js";

const field = (id) => document.getElementById(id);
const merges = field("merges-view");
const vocabulary = field("vocabulary-view");
const rowOf = (target) => target.closest?.("tbody tr");
const rankOf = (row) => Number(row.dataset.r);

// The prefix that the rows were marked for last.
let marked = null;
// The focus is on a row of the merge table, and goes along when the table is replaced.
let follows = false;
// Where the focus goes as soon as the row is there: "merges" or "vocabulary", after a jump from the other table.
let jumped = null;
// The prefix that the keys have come to on a page of the table that is not shown yet.
let beyond = null;

/** Mark the rows of both tables for the prefix that is shown, and say it at slider and graph. */
export function mark() {
  const shown = document.querySelector("#selection [data-prefix]");
  if (!shown) return;
  const prefix = Number(shown.dataset.prefix);
  tell(prefix, shown.dataset.words);
  // A row that was looked for stands out until another one is chosen.
  if (marked !== prefix) merges.querySelector("tr.found")?.classList.remove("found");
  marked = prefix;
  const { active, inactive } = vocabulary.querySelector("table")?.dataset ?? {};
  const rows = merges.querySelectorAll("tr[data-r]");
  // The rows after the current one are not active; without a current one it is all of the page or none.
  if (rows.length) rows[0].closest("table").classList.toggle("off", rankOf(rows[0]) >= prefix);
  merges.querySelector("tr[aria-current]")?.removeAttribute("aria-current");
  merges.querySelector(`tr[data-r="${prefix - 1}"]`)?.setAttribute("aria-current", "true");
  for (const row of vocabulary.querySelectorAll("tr[data-r]")) {
    const off = rankOf(row) >= prefix;
    if (row.classList.toggle("off", off) !== (row.lastElementChild.textContent.trim() === inactive)) {
      row.lastElementChild.textContent = off ? inactive : active;
    }
  }
  for (const view of [merges, vocabulary]) settle(view);
}

/** One row a table is reached by Tab, with what it holds: that which was looked for, the selected one, or the first. */
function settle(view) {
  const rows = [...view.querySelectorAll("tbody tr")];
  const wanted = view.querySelector("tr.found") ?? view.querySelector("tr[aria-current]") ?? rows[0];
  if (!wanted) return;
  const isNew = !rows[0].hasAttribute("tabindex");
  if (isNew) {
    for (const button of view.querySelectorAll("td button")) button.title = view.querySelector("table").dataset.go;
    for (const row of rows) stop(row, false);
  }
  const focused = rows.includes(document.activeElement) ? document.activeElement : null;
  if (view === merges && follows && !focused && isNew) {
    follows = false;
    const goal = beyond && view.querySelector(`tr[data-r="${beyond - 1}"]`);
    if (goal) beyond = null;
    enter(goal ?? view.querySelector("tr[aria-current]") ?? wanted);
  } else if (jumped === view && view.querySelector("tr.found")) {
    jumped = null;
    enter(wanted);
    view.closest(".panel").scrollIntoView({ block: "nearest" });
  } else if (!focused) makeStop(wanted, rows);
  if (isNew && wanted.matches(".found")) wanted.scrollIntoView({ block: "nearest" });
  else if (isNew || view === merges) keepInSight(wanted);
}

function stop(row, is) {
  row.tabIndex = is ? 0 : -1;
  const button = row.querySelector("button");
  if (button) button.tabIndex = row.tabIndex;
}

function makeStop(row, rows = [...row.parentElement.rows]) {
  for (const each of rows) if (each.tabIndex === 0 && each !== row) stop(each, false);
  stop(row, true);
}

function enter(row) {
  makeStop(row);
  row.focus({ preventScroll: true });
  keepInSight(row);
}

/** Scroll the table, and never the page, to a row. */
function keepInSight(row) {
  const box = row.closest(".scroll");
  const top = row.offsetTop - box.querySelector("thead").offsetHeight;
  const end = row.offsetTop + row.offsetHeight - box.clientHeight;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (end > box.scrollTop) box.scrollTop = end;
}

/** Show a rank in the merge table or an ID in the vocabulary: what somebody could type there. */
function jump(view, name, number) {
  field(name).value = number;
  field(name).form.requestSubmit();
  jumped = view;
}

/** Downwards in a table is onwards, while on a slider upwards is more. */
function stepDown(key) {
  if (key === "Home" || key === "End") return stepOf(key);
  return /Up$|Down$/.test(key) ? -stepOf(key) : undefined;
}

function move(row, event) {
  const step = stepDown(event.key);
  if (step === undefined) return false;
  const rows = [...row.parentElement.rows];
  if (vocabulary.contains(row)) {
    enter(rows[Math.min(Math.max(rows.indexOf(row) + step, 0), rows.length - 1)]);
    return true;
  }
  // A row is a merge, so the least is prefix 1.
  const prefix = Math.min(Math.max((beyond ?? rankOf(row) + 1) + step, 1), maximum());
  const next = merges.querySelector(`tr[data-r="${prefix - 1}"]`);
  beyond = next ? null : prefix;
  if (next) enter(next);
  choose(prefix);
  return true;
}

/** While the table is being replaced no row has the focus: what is pressed then counts all the same. */
function keyMeanwhile(event) {
  if (!follows || document.activeElement !== document.body) return;
  const step = stepDown(event.key);
  if (step === undefined) return;
  event.preventDefault();
  beyond = Math.min(Math.max((beyond ?? chosen()) + step, 1), maximum());
  choose(beyond);
}

function key(event) {
  const row = event.target.matches("tbody tr") ? event.target : null;
  if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "Enter" || event.key === " ") act(row);
  else if (!move(row, event)) return;
  event.preventDefault();
}

function act(row) {
  if (merges.contains(row)) choose(rankOf(row) + 1);
  else if (row.dataset.r) jump(merges, "rank", row.dataset.r);
}

function click(event) {
  const row = rowOf(event.target);
  if (!row) return;
  makeStop(row);
  // In the vocabulary only the rank is a way to somewhere else.
  if (merges.contains(row) || event.target.closest("button")) act(row);
}

export function start() {
  for (const view of [merges, vocabulary]) {
    view.addEventListener("keydown", key);
    view.addEventListener("click", click);
    view.closest(".panel").addEventListener("submit", () => { jumped = null; });
  }
  field("selection").addEventListener("click", (event) => {
    if (event.target.id === "selection-id") jump(vocabulary, "token-id", ungrouped(event.target.textContent));
  });
  document.addEventListener("keydown", keyMeanwhile);
  document.addEventListener("htmx:before:swap", () => {
    follows = merges.contains(rowOf(document.activeElement) ?? null);
  });
  document.addEventListener("htmx:after:swap", (event) => {
    if (merges.contains(document.activeElement)) follows = false;
    if (event.detail.ctx.sourceElement?.id !== "corpus-place") return;
    document.querySelector("#corpus-view .flow mark")?.scrollIntoView({ block: "nearest" });
  });
}
