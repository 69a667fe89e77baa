// Writes compressed twins beside files, as small as can be:
//
//     node compress.mjs < NAMES
//
// One name a line on standard input. A twin that would not be smaller is not written.
import { readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

// What is larger takes minutes at the highest level, for a few percent.
const LARGE = 16e6;

for (const name of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const data = readFileSync(name);
  const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_LGWIN: window, BROTLI_PARAM_SIZE_HINT: size } = constants;
  const twins = {
    br: brotliCompressSync(data, { params: { [quality]: data.length < LARGE ? 11 : 9, [window]: 24, [size]: data.length } }),
    gz: gzipSync(data, { level: 9 }),
  };
  for (const [ending, body] of Object.entries(twins)) if (body.length < data.length) writeFileSync(`${name}.${ending}`, body);
}
