// Inserts and deletes rows and columns. Everything that has an address moves.
import { MAX_COLUMNS, MAX_ROWS, cellKey, parseKey } from './addresses.mjs';
import {
  activeSheet, notified, selectCell, selectRange, selectedRange, withWorkbook,
} from './current.mjs';
import { movedNotes } from './notes.mjs';
import { shiftedIndex, shiftedInput, shiftedRange } from './references.mjs';
import { mapSheets, usedRange, withFormulas, withSheet } from './workbook.mjs';

function shiftedCells(cells, shift) {
  const next = {};
  for (const [key, cell] of Object.entries(cells)) {
    const place = parseKey(key);
    const index = shiftedIndex(place[shift.axis], shift);
    if (index === undefined) continue;
    const moved = { ...place, [shift.axis]: index };
    next[cellKey(moved.row, moved.column)] = cell;
  }
  return next;
}

/** A table by rows or by columns, with the numbers of those that are still there. */
function shiftedTable(table, shift) {
  const entries = Object.entries(table).map(([index, entry]) => (
    [shiftedIndex(Number(index), shift), entry]));
  return Object.fromEntries(entries.filter(([index]) => index !== undefined));
}

/** Items with a range: those whose cells are all gone go, too. */
const shiftedItems = (items, shift) => items
  .map((item) => ({ ...item, range: shiftedRange(item.range, shift) }))
  .filter(({ range }) => range);

function shiftedFilter(filter, shift) {
  const range = filter && shiftedRange(filter.range, shift);
  if (!range) return null;
  const conditions = shift.axis === 'column'
    ? shiftedTable(filter.conditions, shift) : filter.conditions;
  return { range, conditions };
}

/** The rows above a border that does not scroll: rows inserted there belong to them. */
function shiftedFrozen(frozen, { axis, kind, at, count }) {
  const part = axis === 'row' ? 'rows' : 'columns';
  if (at >= frozen[part]) return frozen;
  const change = kind === 'insert' ? count : -Math.min(count, frozen[part] - at);
  return { ...frozen, [part]: frozen[part] + change };
}

function shiftedCharts(charts, shift) {
  return charts.map((chart) => {
    const series = chart.series.map((each) => shiftedRange(each, shift)).filter(Boolean);
    const labels = chart.labels && (shiftedRange(chart.labels, shift) ?? null);
    return { ...chart, series, labels };
  }).filter(({ series }) => series.length > 0);
}

function shiftedSheet(sheet, shift) {
  const isRow = shift.axis === 'row';
  return {
    ...sheet,
    cells: shiftedCells(sheet.cells, shift),
    notes: movedNotes(sheet.notes, (place) => {
      const index = shiftedIndex(place[shift.axis], shift);
      return index === undefined ? undefined : { ...place, [shift.axis]: index };
    }),
    widths: isRow ? sheet.widths : shiftedTable(sheet.widths, shift),
    hiddenRows: isRow ? shiftedTable(sheet.hiddenRows, shift) : sheet.hiddenRows,
    frozen: shiftedFrozen(sheet.frozen, shift),
    filter: shiftedFilter(sheet.filter, shift),
    rules: shiftedItems(sheet.rules, shift),
    highlights: shiftedItems(sheet.highlights, shift),
    charts: shiftedCharts(sheet.charts, shift),
  };
}

function shiftedNames(names, id, shift) {
  const entries = Object.entries(names).map(([key, named]) => (
    [key, named.sheet === id ? { ...named, range: shiftedRange(named.range, shift) } : named]));
  return Object.fromEntries(entries.filter(([, { range }]) => range));
}

/** The workbook after rows or columns of one sheet moved. */
function shiftedWorkbook(workbook, id, shift) {
  const { name } = workbook.sheets[id];
  const moved = withSheet(workbook, id, (sheet) => shiftedSheet(sheet, shift));
  const changed = mapSheets(moved, (sheet) => withFormulas(sheet, (input) => (
    shiftedInput(input, shift, (written) => (written === undefined ? sheet.id === id
      : written.toLowerCase() === name.toLowerCase())))));
  const isNamed = Object.values(workbook.names).some((named) => named.sheet === id);
  return isNamed ? { ...changed, names: shiftedNames(changed.names, id, shift) } : changed;
}

const limits = { row: MAX_ROWS, column: MAX_COLUMNS };

/** The cells behind an insertion must stay on the sheet. */
function fits(state, axis, count) {
  const used = usedRange(activeSheet(state));
  const last = used ? used[axis === 'row' ? 'bottom' : 'right'] : 0;
  return last + count < limits[axis];
}

function inserted(axis) {
  return (state, { at, count = 1 }) => {
    if (!fits(state, axis, count)) return notified(state, 'The sheet has no room for more.');
    const shift = { axis, kind: 'insert', at, count };
    const next = withWorkbook(state, shiftedWorkbook(state.workbook, state.active, shift));
    const { anchor } = state.selection;
    return selectCell({ ...next, clipboard: null }, axis === 'row' ? at : anchor.row,
      axis === 'row' ? anchor.column : at);
  };
}

function deleted(axis) {
  return (state, { at, count = 1 }) => {
    const shift = { axis, kind: 'delete', at, count };
    const next = withWorkbook(state, shiftedWorkbook(state.workbook, state.active, shift));
    const range = shiftedRange(selectedRange(state), shift);
    const { anchor } = state.selection;
    const cleared = { ...next, clipboard: null };
    return range ? selectRange(cleared, range) : selectCell(
      cleared, axis === 'row' ? at : anchor.row, axis === 'row' ? anchor.column : at);
  };
}

export const structureActions = {
  'rows/inserted': inserted('row'),
  'rows/deleted': deleted('row'),
  'columns/inserted': inserted('column'),
  'columns/deleted': deleted('column'),
};
