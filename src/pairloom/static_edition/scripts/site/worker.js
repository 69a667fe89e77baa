// Python in a worker: it starts once, then answers requests as a server would. All messages have a `kind`.

import { loadPyodide } from "pyodide";
import { start as startTurns } from "./turns.js";

const waiting = [];
let bridge = null;
let loaded = 0;

/** Fetch, and tell the page how far it is. Old servers know no type for WebAssembly: it is named here. */
async function fetched(address, type) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status} for ${address}`);
  const counted = answer.body.pipeThrough(new TransformStream({
    transform(part, controller) {
      loaded += part.byteLength;
      postMessage({ kind: "loaded", bytes: loaded });
      controller.enqueue(part);
    },
  }));
  return new Response(counted, { headers: { "Content-Type": type } });
}

const bytes = async (address) => new Uint8Array(await (await fetched(address, "application/zip")).arrayBuffer());

/** Pyodide asks for its parts by names of its own; here they have others, and are counted as they come. */
function answerFor(files) {
  const plain = globalThis.fetch.bind(globalThis);
  globalThis.fetch = (address, request) => {
    const name = String(address?.url ?? address).split("/").at(-1);
    if (name === "pyodide.asm.wasm") return fetched(files.wasm, "application/wasm");
    if (name === "python_stdlib.zip") return fetched(files.library, "application/zip");
    return plain(address, request);
  };
}

function post(number, kind, value) {
  if (value?.toJs === undefined) {
    postMessage({ kind, number, value });
    return;
  }
  // Nobody else has it: the page gets the memory, not a copy.
  const own = value.toJs({ create_pyproxies: false });
  value.destroy?.();
  postMessage({ kind, number, value: own }, own instanceof Uint8Array ? [own.buffer] : []);
}

const PAGE = 65_536;

/** Pyodide puts the picture into the memory that WebAssembly begins with: it has to be large enough before. */
function roomFor(picture, create) {
  return (settings) => {
    const { instantiateWasm } = settings;
    settings.instantiateWasm = (info, done) => instantiateWasm(info, (instance, module) => {
      const { memory } = instance.exports;
      const missing = Math.ceil((picture.length - memory.buffer.byteLength) / PAGE);
      if (missing > 0) memory.grow(missing);
      return done(instance, module);
    });
    return create(settings);
  };
}

/** Start Python, from the picture of its memory if there is one and it fits; else from the beginning. */
async function started(options, picture) {
  if (picture) {
    try {
      const createPyodideModule = roomFor(picture, options.createPyodideModule);
      return await loadPyodide({ ...options, createPyodideModule, _loadSnapshot: picture });
    } catch (error) {
      console.info(`the snapshot does not fit: ${error}`);
    }
  }
  return loadPyodide(options);
}

async function boot({ files, lock, base, version, source }) {
  answerFor(files);
  startTurns();
  const app = bytes(files.app);
  const picture = files.snapshot ? bytes(files.snapshot).catch(() => null) : null;
  const options = {
    indexURL: files.folder,
    stdLibURL: "python_stdlib.zip",
    // Nothing else is ever loaded, from anywhere.
    lockFileContents: { info: lock, packages: {} },
    packageBaseUrl: files.folder,
    env: { HOME: "/home/pyodide", PYTHONDONTWRITEBYTECODE: "1" },
    createPyodideModule: (await import(files.module)).default,
  };
  const [python, archive] = await Promise.all([started(options, await picture), app]);
  python.FS.writeFile("/lib/app.zip", archive);
  postMessage({ kind: "starting" });
  python.runPython("import sys; '/lib/app.zip' in sys.path or sys.path.insert(0, '/lib/app.zip')");
  bridge = python.pyimport("pairloom.static_edition.bridge").start(base, version, source, post);
  // Nothing of the pages looks here; tests do.
  globalThis.python = python;
  globalThis.bridge = bridge;
}

function act(message) {
  const { kind, number } = message;
  if (kind === "ask") {
    const { method, path, query, headers, body } = message;
    const { python } = globalThis;
    bridge.ask(number, python.toPy([method, path, query, headers]), python.toPy(body).tobytes());
  } else if (kind === "leave") bridge.leave(number);
}

/** Whatever it is, Python does not go on after it: the page starts another worker. */
function crash(error) {
  postMessage({ kind: "crashed", value: String(error?.message ?? error) });
}

addEventListener("message", async ({ data }) => {
  if (data.kind === "ping") postMessage({ kind: "pong" });
  else if (data.kind === "boot") {
    try {
      await boot(data);
      postMessage({ kind: "ready" });
      for (const message of waiting.splice(0)) act(message);
    } catch (error) {
      crash(error);
    }
  } else if (bridge === null) {
    if (data.kind === "leave") {
      const place = waiting.findIndex(({ number }) => number === data.number);
      if (place >= 0) waiting.splice(place, 1);
    } else waiting.push(data);
  } else {
    try {
      act(data);
    } catch (error) {
      crash(error);
    }
  }
});
