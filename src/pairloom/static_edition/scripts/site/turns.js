// Python's event loop gives way by sending itself a message. Chromium hands on such messages in one go, as long as there is
// a next one: while a training runs, what the page sends would wait for a tenth of a second and more. So Pyodide gets a
// channel whose messages are tasks like any other.

const TURN_MS = 12;

/** Where a browser has no tasks to post: messages, and a timer now and then, behind which everybody else has a turn. */
function mixed() {
  const { port1, port2 } = new MessageChannel();
  const waiting = [];
  let last = 0;
  port1.onmessage = () => waiting.shift()();
  return (task) => {
    const now = performance.now();
    if (now - last < TURN_MS) {
      waiting.push(task);
      port2.postMessage(0);
      return;
    }
    last = now;
    setTimeout(task, 0);
  };
}

export function start() {
  const post = globalThis.scheduler?.postTask ? (task) => globalThis.scheduler.postTask(task) : mixed();
  globalThis.MessageChannel = class {
    constructor() {
      this.port1 = { onmessage: null };
      this.port2 = { postMessage: () => post(() => this.port1.onmessage()) };
    }
  };
}
