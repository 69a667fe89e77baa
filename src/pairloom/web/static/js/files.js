// A plain-text file into the training text (rule W14): strictly UTF-8, never cut, under the same limit as typing (L1, L2).
// What is refused leaves the text as it was.

import { replaceText } from "./fields.js";
import { isolated, say, sentence } from "./sentences.js";
import { codePoints } from "./text.js";

const corpus = document.getElementById("corpus");

/** Offset of the first byte that begins no UTF-8 sequence, or −1; bytes that are not the whole may end inside of one. */
function firstInvalid(bytes, { whole }) {
  let at = 0;
  while (at < bytes.length) {
    const lead = bytes[at];
    const size = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (size === 0) return at;
    // The second byte of these has a smaller range: no overlong forms, no surrogates, nothing past U+10FFFF.
    const [low, high] = { 0xe0: [0xa0, 0xbf], 0xed: [0x80, 0x9f], 0xf0: [0x90, 0xbf], 0xf4: [0x80, 0x8f] }[lead] ?? [0x80, 0xbf];
    for (let next = 1; next < size; next++) {
      if (at + next >= bytes.length) return whole ? at : -1;
      const byte = bytes[at + next];
      if (byte < (next === 1 ? low : 0x80) || byte > (next === 1 ? high : 0xbf)) return at;
    }
    at += size;
  }
  return -1;
}

/** Code points of a file of any size, without holding it: every byte but those that continue a sequence. */
async function countCodePoints(file) {
  let count = 0;
  const reader = file.stream().getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    for (const byte of part.value) if ((byte & 0xc0) !== 0x80) count++;
  }
  return count;
}

async function read(file) {
  const limit = Number(corpus.dataset.limit);
  const name = isolated(file.name);
  const tooLong = (length) => ({ objection: sentence("fileTooLong", { name, length, limit }) });
  try {
    // No code point has more than four bytes: a file with more than this is too long, whatever comes after.
    const bytes = new Uint8Array(await file.slice(0, 4 * limit + 4).arrayBuffer());
    const whole = bytes.length === file.size;
    const offset = firstInvalid(bytes, { whole });
    if (offset >= 0) return { objection: sentence("notUtf8", { name, offset }) };
    if (!whole) return tooLong(await countCodePoints(file));
    // U+FEFF at the start is whitespace like any other (N4): it stays. Line ends become what a text field makes of them.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).replace(/\r\n?/g, "\n");
    if (text === "") return { objection: sentence("fileEmpty", { name }) };
    const length = codePoints(text);
    return length > limit ? tooLong(length) : { text };
  } catch {
    return { objection: sentence("notReadable", { name }) };
  }
}

async function open(files) {
  if (files.length === 0) return;
  const reading = files.length === 1 ? read(files[0]) : Promise.resolve({ objection: sentence("oneFile") });
  if (!(await replaceText(corpus, reading))) return;
  say("opened", { name: isolated(files[0].name) });
  document.getElementById("train").focus();
}

function drag(event) {
  if (!event.dataTransfer?.types.includes("Files")) return;
  // Anywhere else a browser would leave the page for the file.
  event.preventDefault();
  const isOver = event.type !== "dragleave" && event.target === corpus;
  event.dataTransfer.dropEffect = isOver ? "copy" : "none";
  corpus.classList.toggle("dropping", isOver && event.type !== "drop");
  if (isOver && event.type === "drop") open([...event.dataTransfer.files]);
}

export function start() {
  const picker = document.getElementById("file");
  document.getElementById("open-file").addEventListener("click", () => picker.click());
  picker.addEventListener("change", () => {
    open([...picker.files]);
    // The same file can be chosen again after it was edited elsewhere.
    picker.value = "";
  });
  for (const type of ["dragover", "dragleave", "drop"]) document.addEventListener(type, drag);
}
