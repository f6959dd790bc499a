// The contents of the screen: the part of the sheet in the window, the formula bar, the line below.
import { cellKey, contains, positions, rangeKey } from './addresses.mjs';
import { activeSheet, selectedRange, valueAt } from './current.mjs';
import { alignmentOf, formatted } from './formats.mjs';
import { styleOf } from './formatting.mjs';
import { highlightStyle } from './highlights.mjs';
import { historyTitles } from './history.mjs';
import { literalText } from './literals.mjs';
import { selectedAndUsed } from './selection.mjs';
import { isError } from './values.mjs';
import { cellAt } from './workbook.mjs';

const DEFAULT_WIDTH = 80;
const CHARACTER_WIDTH = 8;

export const startView = { row: 0, column: 0, rows: 30, columns: 10 };

/** The visible rows of the window: frozen ones first, then those from the scrolled place on. */
function visibleRows(sheet, view) {
  const rows = [];
  for (let row = 0; row < sheet.frozen.rows; row++) if (!sheet.hiddenRows[row]) rows.push(row);
  for (let row = Math.max(view.row, sheet.frozen.rows); rows.length < view.rows; row++) {
    if (!sheet.hiddenRows[row]) rows.push(row);
  }
  return rows;
}

function visibleColumns(sheet, view) {
  const columns = [];
  for (let column = 0; column < sheet.frozen.columns; column++) columns.push(column);
  const first = Math.max(view.column, sheet.frozen.columns);
  for (let column = first; columns.length < view.columns; column++) columns.push(column);
  return columns;
}

const widthOfColumn = (sheet, column) => sheet.widths[column] ?? DEFAULT_WIDTH;

/** A number that is wider than its column shows as `###`. */
function fitted(text, value, width) {
  const isTooWide = text.length * CHARACTER_WIDTH > width;
  return isTooWide && typeof value === 'number' ? '###' : text;
}

function shownCell(state, sheet, row, column) {
  const cell = cellAt(sheet, row, column);
  const value = valueAt(state, sheet.id, cellKey(row, column));
  const text = formatted(value, cell?.format);
  const style = { ...styleOf(cell), ...highlightStyle(state, sheet, row, column) };
  return {
    text: fitted(text, value, widthOfColumn(sheet, column)),
    align: alignmentOf(value, style),
    style,
    hasNote: cellKey(row, column) in sheet.notes,
    isError: isError(value),
  };
}

/** The window of the active sheet, row by row. */
export function grid(state) {
  const sheet = activeSheet(state);
  const columns = visibleColumns(sheet, state.view);
  return visibleRows(sheet, state.view).map((row) => ({
    row, cells: columns.map((column) => shownCell(state, sheet, row, column)),
  }));
}

export function formulaBar(state) {
  const { row, column } = state.selection.anchor;
  const cell = cellAt(activeSheet(state), row, column);
  return {
    address: rangeKey(selectedRange(state)),
    text: state.editor ? state.editor.text : literalText(cell?.input),
    note: activeSheet(state).notes[cellKey(row, column)]?.text ?? null,
  };
}

/** Sum, mean and count of the selected numbers, as the line below the grid shows them. */
export function selectionSummary(state) {
  const sheet = activeSheet(state);
  const values = [...positions(selectedAndUsed(state))]
    .filter(({ row }) => !sheet.hiddenRows[row])
    .map(({ row, column }) => valueAt(state, sheet.id, cellKey(row, column)))
    .filter((value) => value !== null);
  const numbers = values.filter((value) => typeof value === 'number');
  const sum = numbers.reduce((total, number) => total + number, 0);
  return {
    count: values.length,
    sum: numbers.length ? Number(sum.toPrecision(12)) : null,
    mean: numbers.length ? Number((sum / numbers.length).toPrecision(12)) : null,
  };
}

/** The window after it follows the cursor: the cursor is inside of it. */
export function followed(state) {
  const { row, column } = state.selection.head;
  const { view } = state;
  const shown = {
    top: view.row, left: view.column,
    bottom: view.row + view.rows - 1, right: view.column + view.columns - 1,
  };
  if (contains(shown, row, column)) return state;
  const placed = (start, size, at) => {
    if (at < start) return at;
    return at >= start + size ? at - size + 1 : start;
  };
  return {
    ...state,
    view: {
      ...view,
      row: placed(view.row, view.rows, row),
      column: placed(view.column, view.columns, column),
    },
  };
}

/** The width that shows the longest text of a column. */
export function bestWidth(state, column) {
  const sheet = activeSheet(state);
  const texts = Object.keys(sheet.cells)
    .filter((key) => key.replace(/\d+$/, '') === cellKey(0, column).slice(0, -1))
    .map((key) => formatted(valueAt(state, sheet.id, key), sheet.cells[key].format));
  return Math.max(DEFAULT_WIDTH, ...texts.map((text) => (text.length + 1) * CHARACTER_WIDTH));
}

export const menu = (state) => ({
  ...historyTitles(state.history),
  canPaste: state.clipboard !== null,
  tabs: state.workbook.order.map((id) => state.workbook.sheets[id].name),
});

export const viewActions = {
  'view/scrolled': (state, { row, column }) => ({
    ...state, view: { ...state.view, row: Math.max(0, row), column: Math.max(0, column) },
  }),
  'view/resized': (state, { rows, columns }) => followed({
    ...state, view: { ...state.view, rows, columns },
  }),
};
