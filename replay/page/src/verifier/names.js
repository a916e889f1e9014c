// Names and what may stand in a line: protocol.md section 3.

import { MARKS, UNKNOWN } from "./codepoints.js";

const LONGEST = 24;
const PILE = 4;
const YOU = "(you)";

/** The code points of no line. */
const HIDDEN = [
  [0x0, 0x1f], [0x7f, 0xa0], [0xad, 0xad], [0x34f, 0x34f], [0x600, 0x605], [0x61c, 0x61c],
  [0x6dd, 0x6dd], [0x70f, 0x70f], [0x890, 0x891], [0x8e2, 0x8e2], [0x115f, 0x1160], [0x1680, 0x1680],
  [0x17b4, 0x17b5], [0x180b, 0x180f], [0x2000, 0x200f], [0x2028, 0x202f], [0x205f, 0x206f], [0x2800, 0x2800],
  [0x3000, 0x3000], [0x3164, 0x3164], [0xd800, 0xf8ff], [0xfdd0, 0xfdef], [0xfe00, 0xfe0f], [0xfeff, 0xfeff],
  [0xffa0, 0xffa0], [0xfff0, 0xfffb], [0xfffe, 0xffff], [0x110bd, 0x110bd], [0x110cd, 0x110cd], [0x13430, 0x1343f],
  [0x1bca0, 0x1bca3], [0x1d173, 0x1d17a], [0x1fffe, 0x1ffff], [0x2fffe, 0x2ffff], [0x3fffe, 0x10ffff],
];

const isIn = (runs, character) => {
  const point = character.codePointAt(0);
  return runs.some(([first, last]) => first <= point && point <= last);
};

/** What a page may show of a text that somebody sent: what is hidden is replaced, the end cut. */
export function printable(text, most) {
  const shown = Array.from(text.slice(0, 2 * most + 2), (one) => (isIn(HIDDEN, one) ? "\ufffd" : one));
  return shown.length <= most ? shown.join("") : `${shown.slice(0, most - 1).join("")}\u2026`;
}

/** The runs of a table: how far each is from the end of the one before, and its length less one. */
function runs(table) {
  const numbers = table.split(" ").map((number) => parseInt(number, 36));
  const found = [];
  let end = 0;
  for (let at = 0; at < numbers.length; at += 2) {
    const first = end + numbers[at];
    end = first + numbers[at + 1];
    found.push([first, end]);
  }
  return found;
}

const UNKNOWN_RUNS = runs(UNKNOWN);
const MARK_RUNS = runs(MARKS);

/** Two names are one where this is equal: NFKC, full case folding, NFKC. */
export const folded = (name) => caseFolded(name.normalize("NFKC")).normalize("NFKC");

/** Full case folding by the mappings of case, from which it differs in the dotless i and the sigma. */
const caseFolded = (text) =>
  text
    .split("\u0131")
    .map((part) => part.toUpperCase().toLowerCase().replaceAll("\u03c2", "\u03c3"))
    .join("\u0131");

/** Why this is no name; null for one. */
export function nameFault(name) {
  const characters = Array.from(name);
  if (characters.length < 1 || characters.length > LONGEST) return "a name of another length";
  if (characters.some((one) => isIn(UNKNOWN_RUNS, one))) return "a name that cannot be printed";
  if (/^ | $| {2}/.test(name)) return "a name with blanks at an end, or two together";
  if (!marksFollow(characters)) return "a name with marks that stand on no letter, or too many on one";
  if (folded(name).replaceAll(" ", "").includes(YOU)) return "a name that says (you)";
  return null;
}

function marksFollow(characters) {
  let pile = PILE;
  for (const one of characters) {
    if (isIn(MARK_RUNS, one)) pile += 1;
    else pile = one === " " ? PILE : 0;
    if (pile > PILE) return false;
  }
  return true;
}
