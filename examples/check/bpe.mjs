// Pairloom's conventions in JavaScript, plain and slow: a program that `pairloom check -- node bpe.mjs` passes.
//
// One JSON object a line comes in on standard input, one goes out for each. docs/check.md describes the protocol.

import { createInterface } from "node:readline";

const MARKER = "\u2581";

class Refused extends Error {
  constructor(error) {
    super(error.kind);
    this.error = error;
  }
}

// Rules N1–N8. JavaScript's own lower case and white space are the ones that the rules name.
function normalize(text, lowercase) {
  const position = [...text].indexOf(MARKER);
  if (position >= 0) throw new Refused({ kind: "marker", position });
  const lowered = lowercase ? text.toLowerCase() : text;
  return lowered.replace(/\s+/g, " ").replace(/^ | $/g, "");
}

// Rules P1–P3.
function preTokenize(normalized, preTokenizer, marker) {
  if (normalized === "") return [];
  return normalized.split(" ").flatMap((word) => {
    const pieces = preTokenizer === "punctuation" ? splitPunctuation(word) : [word];
    return pieces.map((piece, place) => (marker && place === 0 ? MARKER + piece : piece));
  });
}

function splitPunctuation(word) {
  const pieces = [];
  let inWord = true; // marks at the start of a word are of the word class
  for (const char of word) {
    const inherits = /[\p{M}\u200c\u200d]/u.test(char);
    const isWord = inherits ? inWord : /[\p{L}\p{N}\p{Pc}]/u.test(char);
    if (pieces.length === 0 || isWord !== inWord) pieces.push(char);
    else pieces[pieces.length - 1] += char;
    inWord = isWord;
  }
  return pieces;
}

// Code point by code point: JavaScript's own `<` compares UTF-16 units.
function compare(left, right) {
  const [a, b] = [[...left], [...right]];
  for (let place = 0; place < Math.min(a.length, b.length); place += 1) {
    const difference = a[place].codePointAt(0) - b[place].codePointAt(0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

const key = (left, right) => JSON.stringify([left, right]);

// Rules T2 and T7: every position of every word counts.
function countPairs(words) {
  const counts = new Map();
  for (const { symbols, count } of words) {
    for (let place = 0; place + 1 < symbols.length; place += 1) {
      const pair = key(symbols[place], symbols[place + 1]);
      counts.set(pair, (counts.get(pair) ?? 0) + count);
    }
  }
  return counts;
}

// Rule T5: left to right, without overlap.
function replace(symbols, left, right) {
  const replaced = [];
  for (let place = 0; place < symbols.length; place += 1) {
    if (symbols[place] === left && symbols[place + 1] === right) {
      replaced.push(left + right);
      place += 1;
    } else replaced.push(symbols[place]);
  }
  return replaced;
}

// Rules T3 and T4.
function choose(counts, minFrequency) {
  let best = null;
  for (const [pair, frequency] of counts) {
    const [left, right] = JSON.parse(pair);
    const order =
      best === null ? -1 : best.frequency - frequency || compare(left, best.left) || compare(right, best.right);
    if (frequency >= minFrequency && order < 0) best = { left, right, frequency };
  }
  return best;
}

function countWords(request) {
  if (request.word_counts) {
    const front = request.marker ? MARKER : "";
    return Object.entries(request.word_counts).map(([word, count]) => [front + word, count]);
  }
  const counts = new Map();
  for (const word of preTokenize(normalize(request.text, request.lowercase), request.pre_tokenizer, true)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts];
}

function train(request) {
  const words = countWords(request).map(([word, count]) => ({ symbols: [...word], count }));
  if (words.length === 0) throw new Refused({ kind: "empty_corpus" });
  const alphabet = [...new Set(words.flatMap(({ symbols }) => symbols))].sort(compare); // T1
  const merges = [];
  const size = () => words.reduce((sum, { symbols, count }) => sum + symbols.length * count, 0);
  while (merges.length < request.merge_limit) {
    const best = choose(countPairs(words), request.min_frequency);
    if (best === null) break;
    const before = size();
    for (const word of words) word.symbols = replace(word.symbols, best.left, best.right);
    merges.push([best.left, best.right, best.frequency, before - size(), size()]);
  }
  return { alphabet, merges };
}

// Rules V1 and V2.
function numbered(model) {
  const ids = new Map();
  for (const token of [...model.alphabet].sort(compare)) ids.set(token, ids.size);
  for (const [left, right] of model.merges) if (!ids.has(left + right)) ids.set(left + right, ids.size);
  return ids;
}

// Rule E2: the lowest rank, the leftmost, one occurrence, look again.
function merge(word, ranks) {
  const symbols = [...word];
  for (;;) {
    let best = -1;
    let lowest = Infinity;
    for (let place = 0; place + 1 < symbols.length; place += 1) {
      const rank = ranks.get(key(symbols[place], symbols[place + 1])) ?? Infinity;
      if (rank < lowest) [best, lowest] = [place, rank];
    }
    if (best < 0) return symbols;
    symbols.splice(best, 2, symbols[best] + symbols[best + 1]);
  }
}

function encode({ model, text, prefix }) {
  const ids = numbered(model);
  const ranks = new Map();
  for (const [rank, [left, right]] of model.merges.slice(0, prefix ?? model.merges.length).entries()) {
    if (!ranks.has(key(left, right))) ranks.set(key(left, right), rank);
  }
  const words = preTokenize(normalize(text, model.lowercase), model.pre_tokenizer, model.marker);
  const tokens = words.flatMap((word) => merge(word, ranks));
  return { tokens, ids: tokens.map((token) => ids.get(token) ?? null) };
}

const ANSWERS = {
  train,
  encode,
  normalize: ({ text, lowercase }) => ({ normalized: normalize(text, lowercase) }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  let answer;
  try {
    answer = ANSWERS[request.op]?.(request) ?? { unsupported: request.op };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    answer = { error: error.error };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
