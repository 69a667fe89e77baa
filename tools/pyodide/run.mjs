// Runs a Python script of this project in a CPython that Pyodide carries, on Node.js:
//
//     node tools/pyodide/run.mjs python-3.14 tests/pyodide/run_vectors.py [EXTRA_IMPORT_FOLDER …]
//
// The script's `main()`, plain or async, returns the exit status. The project is mounted read-write where it is, as
// /project; `src` and the folders given are importable, and nothing else that is installed on this machine.
import { fileURLToPath } from "node:url";
import path from "node:path";

const [name, script, ...folders] = process.argv.slice(2);
if (!script) {
  console.error("usage: run.mjs python-3.12|python-3.13|python-3.14 SCRIPT [FOLDER …]");
  process.exit(2);
}

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const { loadPyodide } = await import(name);
const python = await loadPyodide({ env: { HOME: "/home/pyodide", PYTHONDONTWRITEBYTECODE: "1" } });
python.FS.mkdirTree("/project");
python.mountNodeFS("/project", root);

const imports = ["/project/src", ...folders.map((folder) => `/project/${folder}`)];
const run = python.runPython(`
import inspect, runpy, sys, warnings

async def run(script, imports):
    sys.path[:0] = imports
    sys.argv = [script]
    warnings.simplefilter("error")
    status = runpy.run_path(script, run_name="pyodide")["main"]()
    return await status if inspect.isawaitable(status) else status

run`);
process.exitCode = await run(`/project/${script}`, python.toPy(imports));
