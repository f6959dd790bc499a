// Which formulas read a cell. The index is kept from step to step: a recalculation asks it for the
// readers of what changed, and never looks at all formulas.
import {
  cellKey, contains, parseKey, parseRange, placeOf, rangeBetween, rangeKey, splitPlace,
} from './addresses.mjs';
import { treeOf } from './parser.mjs';
import { eachReference } from './references.mjs';
import { patched, sheetNamed } from './workbook.mjs';

export const noLinks = { cells: {}, ranges: {}, clocks: [] };

function readsClock(tree) {
  if (tree.type === 'call' && tree.name === 'TODAY') return true;
  const inner = [tree.inner, tree.operand, tree.left, tree.right, ...(tree.parts ?? [])];
  return inner.some((part) => part && readsClock(part));
}

/** The places and ranges that a formula reads. */
export function precedents(workbook, sheet, input) {
  const found = { cells: [], ranges: [], readsClock: false };
  const tree = treeOf(input);
  if (!tree) return found;
  found.readsClock = readsClock(tree);
  const add = (id, range) => {
    const key = rangeKey(range);
    const list = key.includes(':') ? found.ranges : found.cells;
    const place = placeOf(id, key);
    if (!list.includes(place)) list.push(place);
  };
  eachReference(tree, (reference) => {
    if (reference.type === 'name') {
      const named = workbook.names[reference.name.toLowerCase()];
      if (named) add(named.sheet, named.range);
      return;
    }
    const id = reference.sheet === undefined ? sheet : sheetNamed(workbook, reference.sheet)?.id;
    if (id === undefined) return;
    const { from = reference, to = reference } = reference;
    add(id, rangeBetween(from, to));
  });
  return found;
}

function withReader(index, place, reader) {
  const readers = index[place] ?? [];
  return readers.includes(reader) ? index : { ...index, [place]: [...readers, reader] };
}

function withoutReader(index, place, reader) {
  const readers = index[place] ?? [];
  if (!readers.includes(reader)) return index;
  const left = readers.filter((each) => each !== reader);
  return patched(index, place, left.length > 0 ? left : undefined);
}

function changed(links, reader, { cells, ranges, readsClock: isTimed }, change) {
  return {
    cells: cells.reduce((index, place) => change(index, place, reader), links.cells),
    ranges: ranges.reduce((index, place) => change(index, place, reader), links.ranges),
    clocks: isTimed ? change({ all: links.clocks }, 'all', reader).all ?? [] : links.clocks,
  };
}

const inputOf = (workbook, { sheet, key }) => workbook.sheets[sheet]?.cells[key]?.input;

/** Whether a formula still reads the same cells: its names may mean others now. */
function readsTheSame(before, after, target) {
  return before.names === after.names && before.order === after.order
    && inputOf(before, target) === inputOf(after, target);
}

/** The links after the formulas in `places` became others. */
export function relinked(links, places, before, after) {
  let next = links;
  for (const place of places) {
    const target = splitPlace(place);
    if (readsTheSame(before, after, target)) continue;
    const old = precedents(before, target.sheet, inputOf(before, target));
    const fresh = precedents(after, target.sheet, inputOf(after, target));
    next = changed(next, place, old, withoutReader);
    next = changed(next, place, fresh, withReader);
  }
  return next;
}

/** All formulas that read a place, by itself or in a range. */
export function readersOf(links, place) {
  const { sheet, key } = splitPlace(place);
  const { row, column } = parseKey(key);
  const found = new Set(links.cells[place]);
  for (const [rangePlace, readers] of Object.entries(links.ranges)) {
    const range = splitPlace(rangePlace);
    if (range.sheet !== sheet || !contains(parseRange(range.key), row, column)) continue;
    for (const reader of readers) found.add(reader);
  }
  return found;
}

/** The user's arrows: the cells that a formula reads, and the formulas that read it. */
export function tracedFrom(workbook, links, sheet, row, column) {
  const key = cellKey(row, column);
  const { cells, ranges } = precedents(workbook, sheet, inputOf(workbook, { sheet, key }));
  return {
    precedents: [...cells, ...ranges],
    dependents: [...readersOf(links, placeOf(sheet, key))].sort(),
  };
}
