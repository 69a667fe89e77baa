// The language stands in the address of each view, so whoever chooses one gets other addresses, here and further back in
// the history; the choice is kept for the next visit.

import { site } from "./config.js";

const language = () => document.documentElement.lang;

/** The address of a view's document in the language that the page has now; null if it is no view's. */
function own(pathname) {
  const view = site.views.find((folders) => Object.values(folders).includes(pathname));
  return view ? view[language()] : null;
}

/** Every address of a view on the page, in its language. */
function translate() {
  for (const link of document.querySelectorAll("a[href]:not([data-language])")) {
    const path = link.origin === location.origin ? own(link.pathname) : null;
    if (path !== null && path !== link.pathname) link.setAttribute("href", path + link.hash);
  }
}

function adopt() {
  const path = own(location.pathname);
  if (path !== null && path !== location.pathname) history.replaceState(history.state, "", path + location.hash);
}

function keep() {
  try {
    localStorage.setItem(site.languageKey, language());
  } catch {
    // Where nothing can be kept, the next visit begins as the first one did.
  }
}

export function start() {
  // Before the views look at the address.
  addEventListener("popstate", adopt);
  document.addEventListener("pairloom:language", () => {
    keep();
    translate();
    adopt();
  });
  // Files that came late in another language bring addresses of that language.
  document.addEventListener("pairloom:lesson", translate);
  if (new URLSearchParams(location.search).has("lang")) history.replaceState(history.state, "", location.pathname + location.hash);
}
