// Compiles archives of Python sources in the Python that the pages carry, so that no browser has to:
//
//     node compile.mjs FOLDER JOBS
//
// FOLDER holds Pyodide as npm installs it. JOBS is JSON: [{source, target, optimize, keep}]; `source` and `target` are
// zip files, `optimize` is Python's own (2 leaves docstrings and assertions out), `keep` names files that stay as source.
import { readFileSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

// The cause alone, and all of it: what Node.js writes by itself quotes a line of a megabyte and may be cut off.
process.on("uncaughtException", (error) => {
  writeSync(2, `${error?.message ?? error}\n`);
  process.exit(1);
});

const [folder, jobs] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.resolve(folder, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: path.resolve(folder) });
const compile = python.runPython(`
import importlib.util, io, zipfile
from importlib._bootstrap_external import _code_to_hash_pyc

def compiled(data, optimize, keep):
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data.to_bytes())) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as new:
        for entry in sorted(old.infolist(), key=lambda entry: entry.filename):
            name, body = entry.filename, old.read(entry)
            if entry.is_dir():
                continue
            if name.endswith(".py") and name not in keep:
                code = compile(body, f"<{name}>", "exec", dont_inherit=True, optimize=optimize)
                # Unchecked: there is no source beside it.
                body = bytes(_code_to_hash_pyc(code, importlib.util.source_hash(body), False))
                name += "c"
            # The same bytes in, the same bytes out; what is stored plainly compresses better as a whole.
            new.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), body)
    return target.getvalue()

compiled`);

for (const { source, target, optimize, keep } of JSON.parse(jobs)) {
  const made = compile(new Uint8Array(readFileSync(source)), optimize, python.toPy(keep));
  writeFileSync(target, made.toJs());
  made.destroy();
}
process.exit(0);
