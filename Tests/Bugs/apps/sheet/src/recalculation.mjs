// Calculates what a change reaches: formulas after the cells that they read, cycles as errors.
import { cellKey, contains, parseKey, parseRange, splitPlace } from './addresses.mjs';
import { evaluate } from './evaluator.mjs';
import { precedents, readersOf } from './links.mjs';
import { literalValue } from './literals.mjs';
import { isFormula, treeOf } from './parser.mjs';
import { sameValue } from './values.mjs';
import { sheetNamed } from './workbook.mjs';

const CYCLE = { error: '#CYCLE!' };

/** The changed places and all formulas that read them, by one or more steps. */
function reachedFrom(links, places) {
  const reached = new Set(places);
  const waiting = [...places];
  while (waiting.length) {
    for (const reader of readersOf(links, waiting.pop())) {
      if (reached.has(reader)) continue;
      reached.add(reader);
      waiting.push(reader);
    }
  }
  return reached;
}

/** The reached places by sheet, so that a range finds those inside of it. */
function bySheet(places) {
  const sheets = new Map();
  for (const place of places) {
    const { sheet, key } = splitPlace(place);
    if (!sheets.has(sheet)) sheets.set(sheet, []);
    sheets.get(sheet).push({ place, ...parseKey(key) });
  }
  return sheets;
}

function readAmong(workbook, reached, sheets, place) {
  const { sheet, key } = splitPlace(place);
  const input = workbook.sheets[sheet]?.cells[key]?.input;
  const { cells, ranges } = precedents(workbook, sheet, input);
  const read = cells.filter((each) => reached.has(each));
  for (const rangePlace of ranges) {
    const target = splitPlace(rangePlace);
    const range = parseRange(target.key);
    for (const other of sheets.get(target.sheet) ?? []) {
      if (contains(range, other.row, other.column)) read.push(other.place);
    }
  }
  return read;
}

/** Groups of places, each after the groups that it reads; a group of several is a cycle. */
function orderOf(places, readBy) {
  const order = [];
  const numbers = new Map();
  const lowest = new Map();
  const stack = [];
  const isStacked = new Set();

  function visit(start) {
    const frames = [{ place: start, read: undefined, at: 0 }];
    while (frames.length) {
      const frame = frames[frames.length - 1];
      const { place } = frame;
      if (!frame.read) {
        numbers.set(place, numbers.size);
        lowest.set(place, numbers.get(place));
        stack.push(place);
        isStacked.add(place);
        frame.read = readBy(place);
      }
      if (frame.at < frame.read.length) {
        const next = frame.read[frame.at++];
        if (!numbers.has(next)) frames.push({ place: next, read: undefined, at: 0 });
        else if (isStacked.has(next)) {
          lowest.set(place, Math.min(lowest.get(place), numbers.get(next)));
        }
        continue;
      }
      frames.pop();
      const parent = frames[frames.length - 1]?.place;
      if (parent) lowest.set(parent, Math.min(lowest.get(parent), lowest.get(place)));
      if (lowest.get(place) === numbers.get(place)) order.push(groupFrom(place, frame.read));
    }
  }

  function groupFrom(place, read) {
    const members = stack.splice(stack.indexOf(place));
    for (const member of members) isStacked.delete(member);
    return { members, isCycle: members.length > 1 || read.includes(place) };
  }

  for (const place of places) if (!numbers.has(place)) visit(place);
  return order;
}

/** Values that are written while formulas are calculated; untouched sheets stay as they are. */
class Sheetful {
  constructor(values, workbook) {
    this.values = Object.fromEntries(workbook.order.map((id) => [id, values[id] ?? {}]));
    this.copied = new Set();
  }

  value(sheet, key) {
    return this.values[sheet]?.[key] ?? null;
  }

  write(sheet, key, value) {
    const own = this.values[sheet];
    if (!own || sameValue(own[key] ?? null, value)) return;
    if (!this.copied.has(sheet)) this.values[sheet] = { ...own };
    this.copied.add(sheet);
    if (value === null) delete this.values[sheet][key];
    else this.values[sheet][key] = value;
  }
}

function readerOf(workbook, written, today) {
  return {
    today,
    value: (sheet, row, column) => written.value(sheet, cellKey(row, column)),
    sheetNamed: (name) => sheetNamed(workbook, name)?.id,
    named: (name) => workbook.names[name.toLowerCase()],
  };
}

/** The values after the inputs of `places` changed. */
export function recalculated({ workbook, links, values, today }, places) {
  const reached = reachedFrom(links, places);
  const sheets = bySheet(reached);
  const written = new Sheetful(values, workbook);
  const reader = readerOf(workbook, written, today);
  const order = orderOf(reached, (place) => readAmong(workbook, reached, sheets, place));
  for (const { members, isCycle } of order) {
    for (const place of members) {
      const { sheet, key } = splitPlace(place);
      const input = workbook.sheets[sheet]?.cells[key]?.input ?? null;
      if (!isFormula(input)) {
        written.write(sheet, key, literalValue(input));
        continue;
      }
      const { row, column } = parseKey(key);
      const value = isCycle ? CYCLE : evaluate(treeOf(input), reader, sheet, row, column);
      written.write(sheet, key, value);
    }
  }
  return written.values;
}
