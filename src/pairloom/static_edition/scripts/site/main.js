// What the static edition adds to the pages: Python in a worker in the place of a server.

import { Connection } from "./connection.js";
import { start as startLanguages } from "./languages.js";
import { start as startLoading, tell } from "./loading.js";
import { start as startOffline } from "./offline.js";
import { start as startSheet } from "./sheet.js";
import { start as startTransport } from "./transport.js";

const connection = new Connection((what, value) => {
  tell(what, value);
  if (what === "ready") startOffline();
});
startLoading(connection);
startTransport(connection);
startLanguages();
startSheet();
