// Takes a picture of the memory of Python with the app in it, so that a browser need not start it:
//
//     node snapshot.mjs FOLDER JOB
//
// FOLDER holds Pyodide as npm installs it. JOB is JSON: {library, app, target, lock, base, version, source}.
import { readFileSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

// The cause alone, and all of it: what Node.js writes by itself quotes a line of a megabyte and may be cut off.
process.on("uncaughtException", (error) => {
  writeSync(2, `${error?.message ?? error}\n`);
  process.exit(1);
});

const [folder, job] = process.argv.slice(2);
const { library, app, target, lock, base, version, source } = JSON.parse(job);
const { loadPyodide } = await import(pathToFileURL(path.resolve(folder, "pyodide.mjs")).href);
const python = await loadPyodide({
  indexURL: path.resolve(folder),
  stdLibURL: path.resolve(library),
  lockFileContents: { info: lock, packages: {} },
  packageBaseUrl: path.resolve(folder),
  env: { HOME: "/home/pyodide", PYTHONDONTWRITEBYTECODE: "1" },
  _makeSnapshot: true,
});
python.FS.writeFile("/lib/app.zip", new Uint8Array(readFileSync(app)));
python.globals.set("place", python.toPy([base, version, source]));
python.runPython(`
import sys
sys.path.insert(0, "/lib/app.zip")
from pairloom.static_edition import bridge
bridge.prepare(*place)
del place
`);
writeFileSync(target, python.makeMemorySnapshot());
process.exit(0);
