// Splits the text of a formula into tokens.
import { columnIndex } from './addresses.mjs';

const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const TEXT = /"((?:[^"]|"")*)"/y;
const QUOTED_SHEET = /'((?:[^']|'')+)'!/y;
const PLAIN_SHEET = /([A-Za-z_][A-Za-z0-9_]*)!/y;
const CELL = /(\$?)([A-Za-z]{1,3})(\$?)([1-9]\d{0,4})(?![A-Za-z0-9_(])/y;
const WORD = /[A-Za-z_][A-Za-z0-9_.]*/y;
const ERROR = /#(?:REF!|DIV\/0!|VALUE!|NAME\?|N\/A|NUM!|CYCLE!)/y;
const OPERATOR = /<=|>=|<>|[-+*/^&=<>%]/y;
const SPACE = /\s+/y;
const PUNCTUATION = '(),:';

export class SyntaxFailure extends Error {
  constructor(text, at) {
    super(`${text} at ${at + 1}`);
    this.at = at;
  }
}

function match(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const cornerOf = ([, fixedColumn, letters, fixedRow, digits]) => ({
  row: Number(digits) - 1,
  column: columnIndex(letters),
  isRowFixed: fixedRow === '$',
  isColumnFixed: fixedColumn === '$',
});

/** The tokens that may begin at a place, in the order in which they are tried. */
const kinds = [
  [NUMBER, ([digits]) => ({ type: 'number', value: Number(digits) })],
  [TEXT, ([, inner]) => ({ type: 'text', value: inner.replaceAll('""', '"') })],
  [QUOTED_SHEET, ([, name]) => ({ type: 'sheet', name: name.replaceAll("''", "'") })],
  [PLAIN_SHEET, ([, name]) => ({ type: 'sheet', name })],
  [ERROR, ([code]) => ({ type: 'error', code })],
  [CELL, (found) => ({ type: 'cell', corner: cornerOf(found) })],
  [WORD, ([word]) => ({ type: 'word', word })],
  [OPERATOR, ([sign]) => ({ type: 'operator', sign })],
];

function tokenAt(text, at) {
  if (PUNCTUATION.includes(text[at])) return { type: text[at], at, end: at + 1 };
  for (const [pattern, make] of kinds) {
    const found = match(pattern, text, at);
    if (found) return { ...make(found), at, end: at + found[0].length };
  }
  throw new SyntaxFailure(`Unexpected “${text[at]}”`, at);
}

/** The tokens behind the `=` of a formula. */
export function tokens(formula) {
  const found = [];
  let at = 1;
  while (at < formula.length) {
    const space = match(SPACE, formula, at);
    if (space) {
      at += space[0].length;
      continue;
    }
    const token = tokenAt(formula, at);
    found.push(token);
    at = token.end;
  }
  found.push({ type: 'end', at: formula.length, end: formula.length });
  return found;
}
