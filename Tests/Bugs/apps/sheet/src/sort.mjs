// Sorts the rows of a range by one or more columns.
import { cellKey, contains, heightOf } from './addresses.mjs';
import { activeSheet, notified, selectedRange, updateSheet, valueAt } from './current.mjs';
import { movedNotes } from './notes.mjs';
import { copiedInput } from './references.mjs';
import { blockAround } from './selection.mjs';
import { compareValues } from './values.mjs';
import { cellAt, withCells, withInput } from './workbook.mjs';

/** A first row of texts above other kinds of values is a header, and stays. */
function hasHeader(state, range) {
  if (heightOf(range) < 2) return false;
  for (let { left: column } = range; column <= range.right; column++) {
    const [head, below] = [0, 1].map((down) => (
      valueAt(state, state.active, cellKey(range.top + down, column))));
    if (typeof head !== 'string') return false;
    if (typeof below === 'number') return true;
  }
  return false;
}

/** Blanks are last in both directions. */
function comparison(one, other, isFalling) {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return isFalling ? compareValues(other, one) : compareValues(one, other);
}

/** For each row of the sorted range, the row that comes there. Equal rows keep their order. */
function sortedRows(state, range, keys) {
  const rows = Array.from({ length: heightOf(range) }, (_, at) => range.top + at);
  const value = (row, column) => valueAt(state, state.active, cellKey(row, column));
  return rows.sort((one, other) => {
    for (const { column, isFalling } of keys) {
      const order = comparison(value(one, column), value(other, column), isFalling);
      if (order !== 0) return order;
    }
    return one - other;
  });
}

/** The cells in their new rows; their relative references move with them. */
function sortedCells(sheet, range, sources) {
  const changes = [];
  for (const [at, source] of sources.entries()) {
    const row = range.top + at;
    for (let { left: column } = range; column <= range.right; column++) {
      const cell = cellAt(sheet, source, column);
      const input = cell && copiedInput(cell.input, row - source, 0);
      changes.push([cellKey(row, column), cell && withInput(cell, input)]);
    }
  }
  return changes;
}

/** Notes in the range go with their cells. */
const sortedNotes = (notes, range, sources) => movedNotes(notes, (place) => (
  contains(range, place.row, place.column)
    ? { ...place, row: range.top + sources.indexOf(place.row) } : place));

function sorted(state, { keys, range: given, header }) {
  const selected = selectedRange(state);
  const isOneRow = selected.top === selected.bottom;
  const whole = given ?? (isOneRow ? blockAround(state, state.selection.anchor) : selected);
  const keepsFirst = header ?? hasHeader(state, whole);
  const range = keepsFirst ? { ...whole, top: whole.top + 1 } : whole;
  if (heightOf(range) < 2) return notified(state, 'There is nothing to sort here.');
  const { hiddenRows } = activeSheet(state);
  for (let { top: row } = range; row <= range.bottom; row++) {
    if (hiddenRows[row]) return notified(state, 'Show all rows before you sort.');
  }
  const sources = sortedRows(state, range, keys);
  return updateSheet(state, (sheet) => ({
    ...withCells(sheet, sortedCells(sheet, range, sources)),
    notes: sortedNotes(sheet.notes, range, sources),
  }));
}

export const sortActions = {
  'rows/sorted': sorted,
};
