// One worker with Python, and what it has been asked. A worker that stops is replaced; what it had not begun to answer is
// asked again, once. Its models are gone then: the pages ask with their inputs, as they do whenever a server forgets one.

import { site } from "./config.js";

const PING_MS = 2000;
const SILENT_MS = 20_000;
const NO_BODY = [101, 204, 205, 304];

/** An answer of which some has come cannot be asked for again. */
class Broken extends TypeError {}

export class Connection {
  #worker = null;
  #numbers = 0;
  #pending = new Map();
  #heard = 0;
  #isReady = false;
  #tell;

  /** `tell(what, value)` hears how the worker is: "loading", "starting", "ready", "again", "failed". */
  constructor(tell) {
    this.#tell = tell;
    this.#boot();
    setInterval(() => this.#watch(), PING_MS);
  }

  #boot() {
    this.#isReady = false;
    this.#heard = performance.now();
    this.#worker = new Worker(site.files.worker, { type: "module" });
    const own = this.#worker;
    own.addEventListener("message", ({ data }) => own === this.#worker && this.#hear(data));
    own.addEventListener("error", (event) => {
      event.preventDefault();
      if (own === this.#worker) this.#crashed(event.message || "no worker");
    });
    const { files, lock, base, version, source } = site;
    own.postMessage({ kind: "boot", files, lock, base, version, source });
    this.#tell("loading", 0);
  }

  /** Begin anew after a failure: the reader asks for it. */
  retry() {
    this.#worker.terminate();
    this.#boot();
    for (const each of this.#pending.values()) this.#worker.postMessage(each.message);
  }

  /** The same as fetch, with Python at the other end. */
  async ask(address, request) {
    const { signal } = request ?? {};
    signal?.throwIfAborted();
    const asked = new Request(address, { ...request, signal: null });
    const body = new Uint8Array(await asked.arrayBuffer());
    const number = this.#numbers++;
    const message = {
      kind: "ask", number, method: asked.method, path: decodeURI(address.pathname), query: address.search.slice(1), headers: [...asked.headers], body,
    };
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#worker.postMessage({ kind: "leave", number });
        this.#end(number, signal.reason);
      };
      signal?.addEventListener("abort", leave);
      const forget = () => signal?.removeEventListener("abort", leave);
      this.#pending.set(number, { message, resolve, reject, forget, stream: null, isAgain: false });
      this.#worker.postMessage(message);
    });
  }

  #hear({ kind, number, value, bytes }) {
    this.#heard = performance.now();
    if (kind === "loaded") this.#tell("loading", bytes);
    else if (kind === "starting") this.#tell("starting");
    else if (kind === "ready") {
      this.#isReady = true;
      this.#tell("ready");
    } else if (kind === "crashed") this.#crashed(value);
    else if (kind === "head") this.#begin(number, value);
    else if (kind === "part") this.#pending.get(number)?.stream?.enqueue(value);
    else if (kind === "end") this.#end(number);
    else if (kind === "failed") this.#end(number, new Broken(value));
  }

  #begin(number, [status, headers]) {
    const asked = this.#pending.get(number);
    if (!asked) return;
    const body = new ReadableStream({
      start: (controller) => { asked.stream = controller; },
      cancel: () => {
        this.#worker.postMessage({ kind: "leave", number });
        this.#forget(number);
      },
    });
    asked.resolve(new Response(NO_BODY.includes(status) ? null : body, { status, headers }));
  }

  #forget(number) {
    this.#pending.get(number)?.forget();
    this.#pending.delete(number);
  }

  #end(number, error) {
    const asked = this.#pending.get(number);
    if (!asked) return;
    this.#forget(number);
    if (error === undefined) asked.stream?.close();
    else if (asked.stream) asked.stream.error(error);
    else asked.reject(error);
  }

  #crashed(why) {
    const wasReady = this.#isReady;
    this.#worker.terminate();
    for (const [number, asked] of [...this.#pending]) {
      if (asked.stream || asked.isAgain) this.#end(number, new Broken(why));
    }
    if (!wasReady) {
      // It would only fail again: the reader decides. What was asked waits.
      this.#tell("failed", why);
      return;
    }
    this.#boot();
    this.#tell("again");
    for (const asked of this.#pending.values()) {
      asked.isAgain = true;
      this.#worker.postMessage(asked.message);
    }
  }

  /** A worker may end without a word; as long as somebody waits for it, it is asked whether it is there. */
  #watch() {
    if (!this.#isReady || this.#pending.size === 0) {
      this.#heard = performance.now();
      return;
    }
    if (performance.now() - this.#heard > SILENT_MS) this.#crashed("no answer");
    else this.#worker.postMessage({ kind: "ping" });
  }
}
