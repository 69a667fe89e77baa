// Everything again without a network: a service worker that only keeps files. Where the page came over plain HTTP from
// another machine there is none, and the pages work all the same as long as the network does.

import { site } from "./config.js";

export function start() {
  navigator.serviceWorker?.register(site.files.offline, { scope: site.base }).catch(() => {
    // No room, or forbidden: nothing is lost but this.
  });
}
