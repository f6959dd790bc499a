// Copy, cut and paste.
import {
  cellKey, encloses, heightOf, isOnSheet, movedRange, positions, sizedRange, widthOf,
} from './addresses.mjs';
import {
  activeSheet, notified, selectRange, selectedRange, updateCells, valueAt, withWorkbook,
} from './current.mjs';
import { literalValue } from './literals.mjs';
import { movedNotes, splitNotes } from './notes.mjs';
import { isFormula } from './parser.mjs';
import { copiedInput, followedInput, qualifiedInput } from './references.mjs';
import { selectedAndUsed } from './selection.mjs';
import { cellAt, mapSheets, withCells, withFormulas, withInput, withSheet } from './workbook.mjs';

/** Visible rows only: what a filter hides is not copied. */
function rowsOf(sheet, range) {
  const rows = [];
  for (let row = range.top; row <= range.bottom; row++) {
    if (!sheet.hiddenRows[row]) rows.push(row);
  }
  return rows;
}

function taken(state, kind) {
  const sheet = activeSheet(state);
  const range = selectedAndUsed(state);
  const rows = kind === 'cut' ? rowsOf({ hiddenRows: {} }, range) : rowsOf(sheet, range);
  const cells = rows.map((row) => (
    Array.from({ length: widthOf(range) }, (_, at) => {
      const key = cellKey(row, range.left + at);
      return {
        row,
        column: range.left + at,
        cell: sheet.cells[key] ?? null,
        value: valueAt(state, sheet.id, key),
      };
    })));
  return { ...state, clipboard: { kind, sheet: sheet.id, range, cells }, message: null };
}

/** How a copied cell arrives, for each way to paste. */
const pastes = {
  all: ({ cell, row, column }, place) => (
    cell && withInput(cell, copiedInput(cell.input, place.row - row, place.column - column))),
  values: ({ cell, value }, place, before) => {
    const isComputed = isFormula(cell?.input);
    const input = isComputed && typeof value === 'object' ? null : value;
    return { ...withInput(before, isComputed ? input : cell?.input), format: cell?.format };
  },
  formulas: ({ cell, row, column }, place, before) => (
    withInput(before, copiedInput(cell?.input, place.row - row, place.column - column))),
  formats: ({ cell }, _, before) => ({ ...cell, input: before?.input }),
};

const transposed = (cells) => cells[0].map((_, column) => cells.map((line) => line[column]));

/** Where a paste goes: the copied size, or as often as it fits into the selection. */
function targetOf(state, height, width) {
  const selected = selectedRange(state);
  const down = heightOf(selected) % height === 0 ? heightOf(selected) : height;
  const across = widthOf(selected) % width === 0 ? widthOf(selected) : width;
  return sizedRange(selected.top, selected.left, down, across);
}

function pastedCopy(state, { mode = 'all', transpose = false }) {
  const { clipboard } = state;
  const cells = transpose ? transposed(clipboard.cells) : clipboard.cells;
  const target = targetOf(state, cells.length, cells[0].length);
  if (!isOnSheet(target.bottom, target.right)) {
    return notified(state, 'The copied cells do not fit here.');
  }
  const paste = pastes[mode];
  const changes = [];
  for (const place of positions(target)) {
    const line = cells[(place.row - target.top) % cells.length];
    const source = line[(place.column - target.left) % line.length];
    const before = cellAt(activeSheet(state), place.row, place.column);
    changes.push([cellKey(place.row, place.column), paste(source, place, before) ?? undefined]);
  }
  return selectRange(updateCells(state, changes), target);
}

/** Notes go with the cells that are cut. */
function withMovedNotes(workbook, from, to, source, rows, columns) {
  const { inside, outside } = splitNotes(workbook.sheets[from].notes, source);
  if (Object.keys(inside).length === 0) return workbook;
  const arriving = movedNotes(inside, (place) => ({
    row: place.row + rows, column: place.column + columns,
  }));
  const left = withSheet(workbook, from, (sheet) => ({ ...sheet, notes: outside }));
  return withSheet(left, to, (sheet) => ({ ...sheet, notes: { ...sheet.notes, ...arriving } }));
}

/** The formulas of all sheets after cells moved: they read the cells at their new place. */
function followed(workbook, source, rows, columns, from, to) {
  const fromName = workbook.sheets[from].name;
  const toName = workbook.sheets[to].name;
  return mapSheets(workbook, (sheet) => withFormulas(sheet, (input) => followedInput(input, {
    source,
    rows,
    columns,
    isSource: (name) => (name === undefined ? sheet.id === from
      : name.toLowerCase() === fromName.toLowerCase()),
    sheet: from === to ? undefined : toName,
  })));
}

/** Names whose whole range was cut mean the cells at their new place. */
function withMovedNames(workbook, source, rows, columns, from, to) {
  const names = Object.entries(workbook.names).map(([key, named]) => {
    const isInside = named.sheet === from && encloses(source, named.range);
    return [key, isInside
      ? { ...named, sheet: to, range: movedRange(named.range, rows, columns) } : named];
  });
  const isChanged = names.some(([key, named]) => named !== workbook.names[key]);
  return isChanged ? { ...workbook, names: Object.fromEntries(names) } : workbook;
}

function pastedCut(state) {
  const { sheet: from, range: source, cells } = state.clipboard;
  const { top, left } = selectedRange(state);
  const to = state.active;
  const [rows, columns] = [top - source.top, left - source.left];
  const target = movedRange(source, rows, columns);
  if (!isOnSheet(target.bottom, target.right) || !state.workbook.sheets[from]) {
    return notified(state, 'The cut cells do not fit here.');
  }
  const home = state.workbook.sheets[from].name;
  const held = cells.flat().map((each) => (from === to || !each.cell ? each
    : { ...each, cell: withInput(each.cell, qualifiedInput(each.cell.input, home)) }));
  const cleared = withSheet(state.workbook, from, (sheet) => (
    withCells(sheet, held.map(({ row, column }) => [cellKey(row, column), undefined]))));
  const placed = withSheet(cleared, to, (sheet) => withCells(sheet, held.map(
    ({ row, column, cell }) => [cellKey(row + rows, column + columns), cell ?? undefined])));
  const noted = withMovedNotes(placed, from, to, source, rows, columns);
  const named = withMovedNames(noted, source, rows, columns, from, to);
  const workbook = followed(named, source, rows, columns, from, to);
  return selectRange({ ...withWorkbook(state, workbook), clipboard: null }, target);
}

function pasted(state, payload = {}) {
  const { clipboard } = state;
  if (!clipboard) return state;
  return clipboard.kind === 'cut' ? pastedCut(state) : pastedCopy(state, payload);
}

/** The copied cells as text with tabs, as other programs take them. */
export const clipboardText = ({ cells }) => cells.map((line) => (
  line.map(({ value }) => String(literalValue(value) ?? '')).join('\t'))).join('\n');

function cleared(state) {
  const range = selectedAndUsed(state);
  const sheet = activeSheet(state);
  const changes = [...positions(range)].map(({ row, column }) => {
    const cell = cellAt(sheet, row, column);
    return [cellKey(row, column), cell && withInput(cell, null)];
  });
  return updateCells(state, changes);
}

export const clipboardActions = {
  'clipboard/copied': (state) => taken(state, 'copy'),
  'clipboard/cut': (state) => taken(state, 'cut'),
  'clipboard/pasted': pasted,
  'clipboard/emptied': (state) => ({ ...state, clipboard: null }),
  'cells/cleared': cleared,
};
