// What the pages would ask a server for goes to Python in a worker, or to a file that was rendered beforehand. Everything
// on these pages is asked for through `fetch`, by htmx too: so it is replaced here, and nothing else of the pages knows.

import { site } from "./config.js";

const plain = globalThis.fetch.bind(globalThis);

/** The file in which the answer to a GET stands already; null if there is none. */
function rendered(address, request) {
  const wanted = address.searchParams.get("lang");
  const view = site.views.find((folders) => Object.values(folders).includes(address.pathname));
  if (view && wanted) return view[wanted];
  const language = request?.headers?.["Page-Language"] ?? document.documentElement.lang;
  if (address.search || !site.fragments.includes(address.pathname)) return null;
  return `${site.base}static/${site.version}/${language}${address.pathname}.html`;
}

/** Is this for Python? What else is fetched are files: scripts, styles, texts. */
function isAsked(address, method) {
  return method !== "GET" || site.asked.includes(address.pathname);
}

export function start(connection) {
  globalThis.fetch = (target, request) => {
    const address = new URL(target, location.href);
    const method = (request?.method ?? "GET").toUpperCase();
    const file = method === "GET" ? rendered(address, request) : null;
    if (file) return plain(file, { signal: request?.signal });
    return isAsked(address, method) ? connection.ask(address, request) : plain(target, request);
  };
}
