import { formatted } from '../formats.mjs';
import { Failure, isBlank, toNumber, toText } from '../values.mjs';
import { MANY, takes } from './given.mjs';

function length(given, at, otherwise) {
  const count = given.whole(at, otherwise);
  if (count < 0) throw new Failure('#VALUE!');
  return count;
}

function right(given) {
  const text = given.text(0);
  const count = length(given, 1, 1);
  return count === 0 ? '' : text.slice(-count);
}

function middle(given) {
  const start = length(given, 1);
  if (start < 1) throw new Failure('#VALUE!');
  return given.text(0).slice(start - 1, start - 1 + length(given, 2));
}

function find(given) {
  const at = given.text(1).indexOf(given.text(0), given.whole(2, 1) - 1);
  if (at < 0) throw new Failure('#VALUE!');
  return at + 1;
}

/** Replaces all occurrences, or only the one whose number is given. */
function substitute(given) {
  const [text, old, fresh] = [given.text(0), given.text(1), given.text(2)];
  if (old === '') return text;
  if (!given.has(3)) return text.replaceAll(old, fresh);
  const pieces = text.split(old);
  const number = given.whole(3);
  if (number < 1 || number >= pieces.length) return text;
  return pieces.slice(0, number).join(old) + fresh + pieces.slice(number).join(old);
}

const capitalized = (text) => text.toLowerCase()
  .replace(/(^|[^\p{L}])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase());

function joined(given) {
  const separator = given.text(0);
  const skipsBlanks = given.boolean(1);
  const values = given.all(2).filter((value) => !(skipsBlanks && isBlank(value)));
  return values.map(toText).join(separator);
}

export const textFunctions = {
  CONCAT: takes(1, MANY, (given) => given.all().map(toText).join('')),
  TEXTJOIN: takes(3, MANY, joined),
  LEN: takes(1, 1, (given) => given.text(0).length),
  LEFT: takes(1, 2, (given) => given.text(0).slice(0, length(given, 1, 1))),
  RIGHT: takes(1, 2, right),
  MID: takes(3, 3, middle),
  UPPER: takes(1, 1, (given) => given.text(0).toUpperCase()),
  LOWER: takes(1, 1, (given) => given.text(0).toLowerCase()),
  PROPER: takes(1, 1, (given) => capitalized(given.text(0))),
  TRIM: takes(1, 1, (given) => given.text(0).trim().replace(/ +/g, ' ')),
  FIND: takes(2, 3, find),
  SUBSTITUTE: takes(3, 4, substitute),
  REPT: takes(2, 2, (given) => given.text(0).repeat(length(given, 1))),
  VALUE: takes(1, 1, (given) => toNumber(given.text(0))),
  TEXT: takes(2, 2, (given) => formatted(given.value(0), given.text(1))),
};
