// The places of the user's actions: the active sheet and the selected cells.
import { rangeBetween } from './addresses.mjs';
import { numbered, withCells, withSheet } from './workbook.mjs';

export const activeSheet = (state) => state.workbook.sheets[state.active];

export const selectedRange = ({ selection }) => rangeBetween(selection.anchor, selection.head);

export const selectionOfCell = (row, column) => ({
  anchor: { row, column }, head: { row, column },
});

const selectionOfRange = (range) => ({
  anchor: { row: range.top, column: range.left },
  head: { row: range.bottom, column: range.right },
});

export const withWorkbook = (state, workbook) => (
  workbook === state.workbook ? state : { ...state, workbook });

export const updateSheet = (state, change) => (
  withWorkbook(state, withSheet(state.workbook, state.active, change)));

export const updateCells = (state, changes) => (
  updateSheet(state, (sheet) => withCells(sheet, changes)));

export const selectCell = (state, row, column) => ({
  ...state, selection: selectionOfCell(row, column),
});

export const selectRange = (state, range) => ({ ...state, selection: selectionOfRange(range) });

export const valueAt = (state, sheet, key) => state.values[sheet]?.[key] ?? null;

/** Says something to the user below the grid. */
export const notified = (state, message) => ({ ...state, message });

/** Adds an item with a new id to a list of the active sheet. */
export function withItem(state, list, prefix, item) {
  const { id, workbook } = numbered(state.workbook, prefix);
  return updateSheet({ ...state, workbook }, (sheet) => ({
    ...sheet, [list]: [...sheet[list], { id, ...item }],
  }));
}

export const withoutItem = (state, list, id) => updateSheet(state, (sheet) => ({
  ...sheet, [list]: sheet[list].filter((item) => item.id !== id),
}));
