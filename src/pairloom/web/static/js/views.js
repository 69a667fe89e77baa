// The views of the one document: their addresses, which one is shown, and where one was in each. Moving keeps everything
// in memory (rule W10) and ends what is under way (rule W3). The fragment of the address belongs to places in a view.

import { cancelJobs } from "./jobs.js";
import { say } from "./sentences.js";

const views = [...document.querySelectorAll(".view")];
const called = (name) => views.find((view) => view.dataset.name === name);
const at = (path) => views.find((view) => view.dataset.path === path);
export const shown = () => views.find((view) => !view.hidden);

// How far down one was: by entry of the history, and in each view by its name.
const scrolled = new Map();
let entries = 0;

function enter(state) {
  const entry = state?.entry ?? `${performance.timeOrigin}-${entries++}`;
  if (!state?.entry) {
    history.replaceState({ entry }, "");
    scrolled.set(entry, scrollY);
  }
  return entry;
}
let entry = enter(history.state);

function show(view) {
  if (view === shown()) return false;
  cancelJobs();
  for (const each of views) each.hidden = each !== view && each.id !== view.dataset.beside;
  document.getElementById("main").dataset.shown = view.dataset.name;
  for (const link of document.querySelectorAll(".views a")) {
    if (link.dataset.view === view.dataset.name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  for (const link of document.querySelectorAll("a[data-language]")) {
    link.setAttribute("href", `${view.dataset.path}?lang=${link.dataset.language}`);
  }
  document.title = view.dataset.title;
  document.dispatchEvent(new Event("pairloom:view"));
  return true;
}

function focusHeading(view) {
  const heading = view.querySelector("h2");
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** Go to a control, or to a part that takes the focus itself; what is not there yet comes with a model. */
function focusOn(id) {
  const target = document.getElementById(id);
  if (!target?.checkVisibility()) {
    document.getElementById("train").focus();
    say("notTrained");
    return;
  }
  const field = target.matches("fieldset") ? target.querySelector(":checked") : target;
  if (field.tabIndex < 0) field.tabIndex = -1;
  field.focus();
  field.scrollIntoView({ block: "nearest" });
}

export const isPlainClick = (event) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey && !event.defaultPrevented;

function follow(event) {
  const link = event.target.closest?.("a[data-view]");
  const view = link && called(link.dataset.view);
  if (!view || !isPlainClick(event)) return;
  event.preventDefault();
  if (link.href !== location.href) {
    history.pushState(null, "", link.href);
    entry = enter(null);
  }
  const moved = show(view);
  // Chosen where one is already: what failed to come is tried again.
  if (!moved) document.dispatchEvent(new Event("pairloom:view"));
  if (link.dataset.focus) focusOn(link.dataset.focus);
  else if (moved) {
    scrollTo(0, scrolled.get(view.dataset.name) ?? 0);
    focusHeading(view);
  }
}

function traverse({ state }) {
  const view = at(location.pathname);
  if (!view) return;
  const isNew = !state?.entry;
  entry = enter(state);
  const moved = show(view);
  if (isNew && !moved) return; // a place in this view: the browser has scrolled to it
  scrollTo(0, scrolled.get(entry) ?? scrolled.get(view.dataset.name) ?? 0);
  if (moved) focusHeading(view);
}

export function start() {
  document.addEventListener("click", follow);
  addEventListener("popstate", traverse);
  addEventListener("scroll", () => {
    scrolled.set(entry, scrollY);
    scrolled.set(shown().dataset.name, scrollY);
  }, { passive: true });
  // The browser does not know the views; over a reload it knows better where one was.
  history.scrollRestoration = "manual";
  addEventListener("pagehide", () => { history.scrollRestoration = "auto"; });
  addEventListener("pageshow", () => { history.scrollRestoration = "manual"; });
}
