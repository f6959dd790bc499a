import { heightOf, widthOf } from '../addresses.mjs';
import { criterion } from '../criteria.mjs';
import { Failure, checked, compareValues } from '../values.mjs';
import { MANY, takes } from './given.mjs';

function found(at) {
  if (at < 0) throw new Failure('#N/A');
  return at;
}

/** The place of the last value that is not above the wanted one, in a rising list. */
function placeBelow(values, wanted) {
  let place = -1;
  for (const [at, value] of values.entries()) {
    if (value === null || typeof value !== typeof wanted) continue;
    if (compareValues(value, wanted) > 0) break;
    place = at;
  }
  return place;
}

const isPattern = (value) => typeof value === 'string' && /[*?]/.test(value);

function exactPlace(values, wanted) {
  if (isPattern(wanted)) return values.findIndex(criterion(wanted));
  return values.findIndex((value) => compareValues(value, wanted) === 0);
}

const transposed = (rows) => rows[0].map((_, column) => rows.map((row) => row[column]));

/** The entry in the `line`-th row behind a key; the keys are the first row. */
function lookedUp(given, lines) {
  const wanted = given.value(0);
  const line = given.whole(2);
  if (line < 1) throw new Failure('#VALUE!');
  if (line > lines.length) throw new Failure('#REF!');
  const isSorted = given.boolean(3, true);
  const [keys] = lines;
  const place = found(isSorted ? placeBelow(keys, wanted) : exactPlace(keys, wanted));
  return checked(lines[line - 1][place]);
}

/** MATCH: 1 looks in a rising list, 0 for the same value, -1 in a falling list. */
function matchPlace(given) {
  const wanted = given.value(0);
  const values = given.list(1);
  const kind = given.whole(2, 1);
  if (kind === 0) return found(exactPlace(values, wanted)) + 1;
  if (kind > 0) return found(placeBelow(values, wanted)) + 1;
  const below = values.findIndex((value) => (
    value !== null && compareValues(value, wanted) < 0));
  return found((below < 0 ? values.length : below) - 1) + 1;
}

function indexed(given) {
  const rows = given.rows(0);
  const isRow = rows.length === 1 && !given.has(2);
  const row = isRow ? 1 : given.whole(1);
  const column = isRow ? given.whole(1) : given.whole(2, 1);
  if (row < 1 || column < 1 || row > rows.length || column > rows[0].length) {
    throw new Failure('#REF!');
  }
  return checked(rows[row - 1][column - 1]);
}

function chosen(given) {
  const number = given.whole(0);
  if (number < 1 || number >= given.count) throw new Failure('#VALUE!');
  return given.value(number);
}

export const lookupFunctions = {
  VLOOKUP: takes(3, 4, (given) => lookedUp(given, transposed(given.rows(1)))),
  HLOOKUP: takes(3, 4, (given) => lookedUp(given, given.rows(1))),
  MATCH: takes(2, 3, matchPlace),
  INDEX: takes(2, 3, indexed),
  CHOOSE: takes(2, MANY, chosen),
  ROW: takes(0, 1, (given) => (given.has(0) ? given.target(0).range.top : given.scope.row) + 1),
  COLUMN: takes(0, 1, (given) => (
    (given.has(0) ? given.target(0).range.left : given.scope.column) + 1)),
  ROWS: takes(1, 1, (given) => heightOf(given.target(0).range)),
  COLUMNS: takes(1, 1, (given) => widthOf(given.target(0).range)),
};
