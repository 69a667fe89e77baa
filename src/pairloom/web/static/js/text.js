// Text as the rules count it: in code points, never in UTF-16 units (rules N8, L1).

/** The number of code points; an unpaired surrogate is one. */
export function codePoints(text) {
  let pairs = 0;
  for (let i = 1; i < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) {
      pairs++;
      i++;
    }
  }
  return text.length - pairs;
}

/**
 * The first unpaired surrogate, or null if there is none or a literal marker comes before it: then the server, which
 * never sees a surrogate (a form turns it into U+FFFD), names the marker as the first offence.
 */
export function firstUnpaired(text) {
  if (text.isWellFormed()) return null;
  let position = 0;
  for (const character of text) {
    if (character === "▁") return null;
    if (!character.isWellFormed()) return { position, codePoint: character.charCodeAt(0) };
    position++;
  }
  return null;
}

/** A whole number in groups of three digits, with the sign that the page's catalogue gives. */
export function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, document.documentElement.dataset.grouping);
}

/** What was typed, as plain digits if it is a number just as the page writes it; else as it is (rule G). */
export function ungrouped(typed) {
  const groups = typed.trim().split(document.documentElement.dataset.grouping);
  const isGrouped = groups.length > 1 && /^[1-9][0-9]{0,2}$/.test(groups[0]) && groups.slice(1).every((group) => /^[0-9]{3}$/.test(group));
  return isGrouped ? groups.join("") : typed;
}

/** A sentence of the catalogue with its places filled in; numbers in the form of its language. */
export function filled(sentence, values) {
  const shown = (value) => (typeof value === "number" ? grouped(value) : value);
  return sentence.replace(/\{(\w+)\}/g, (_, name) => shown(values[name]));
}
