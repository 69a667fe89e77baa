// A state of the walkthrough as the fragment of an address, which browsers never send by themselves. JSON, compressed where
// that is shorter, in the letters of base64url, behind a checksum: what was damaged on its way is known before it is used.
// Every browser that can run these pages can unpack it, and reads what was not compressed as well.

export const NAME = "#walk=";
export const MAX_LENGTH = 300_000;
const MAX_BYTES = 1 << 20;
const FORM = /^1([dp])\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)$/;
const TYPES = { corpus: "string", lowercase: "boolean", preTokenizer: "string", prefix: "number", text: "string", fingerprint: "string", preset: "string" };

/** The checksum of PNG and gzip (CRC-32). */
export function checksum(bytes) {
  let rest = -1;
  for (const byte of bytes) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  return (~rest >>> 0).toString(16).padStart(8, "0");
}

function toLetters(bytes) {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

const fromLetters = (letters) =>
  Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));

/** What a stream brings, as long as it is not too much: a small link could unpack into anything. */
async function collected(stream) {
  const parts = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > MAX_BYTES) {
      await reader.cancel();
      throw new RangeError("too much");
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

const through = (bytes, transform) => collected(new Blob([bytes]).stream().pipeThrough(transform));

/** The fragment that stands for a state. */
export async function packed(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const plain = `1p.${checksum(bytes)}.${toLetters(bytes)}`;
  if (!globalThis.CompressionStream) return NAME + plain;
  const small = toLetters(await through(bytes, new CompressionStream("deflate-raw")));
  const compressed = `1d.${checksum(bytes)}.${small}`;
  return NAME + (compressed.length < plain.length ? compressed : plain);
}

// What is asked before each step. Links made before they carried it have no such name, and are as good.
const QUESTIONS = ["", "merge", "split", "replacements", "mixed"];

/** What a key stands twice in, readers understand differently; this one would take the last. */
function parsed(json) {
  const state = JSON.parse(json);
  const keys = [...json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon);
  if (keys.length !== Object.keys(state).length) throw new TypeError("a key twice");
  return state;
}

function checked(state) {
  const names = Object.keys(state).filter((name) => name !== "predict");
  const isOurs =
    names.length === Object.keys(TYPES).length &&
    names.every((name) => typeof state[name] === TYPES[name]) &&
    (!Object.hasOwn(state, "predict") || QUESTIONS.includes(state.predict)) &&
    Number.isInteger(state.prefix) && state.prefix >= 0 &&
    state.corpus.isWellFormed() && state.text.isWellFormed() && /^[0-9a-f]{64}$/.test(state.fingerprint);
  if (!isOurs) throw new TypeError("not a state");
  return state;
}

/** The state that a fragment stands for; throws an error whose message is the name of the sentence that says why not. */
export async function unpacked(fragment) {
  if (fragment.length > MAX_LENGTH) throw new Error("linkOversized");
  const found = FORM.exec(fragment.slice(NAME.length));
  if (!found) throw new Error("linkBroken");
  const [, kind, sum, letters] = found;
  if (kind === "d" && !globalThis.DecompressionStream) throw new Error("linkOldBrowser");
  try {
    const sent = fromLetters(letters);
    const bytes = kind === "d" ? await through(sent, new DecompressionStream("deflate-raw")) : sent;
    if (checksum(bytes) !== sum) throw new TypeError("checksum");
    return checked(parsed(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch (error) {
    throw new Error(error instanceof RangeError ? "linkTooMuch" : "linkBroken", { cause: error });
  }
}
