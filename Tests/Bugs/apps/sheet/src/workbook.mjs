// The workbook: what is saved and what undo restores. Values and links are made from it.
import { cellKey, parseKey } from './addresses.mjs';
import { isFormula } from './parser.mjs';

export const emptySheet = (id, name) => ({
  id,
  name,
  cells: {},
  notes: {},
  widths: {},
  hiddenRows: {},
  frozen: { rows: 0, columns: 0 },
  filter: null,
  rules: [],
  highlights: [],
  charts: [],
});

export const emptyWorkbook = {
  sheets: { s1: emptySheet('s1', 'Sheet1') },
  order: ['s1'],
  names: {},
  nextSheet: 2,
  nextItem: 1,
};

export const sheetNamed = (workbook, name) => Object.values(workbook.sheets)
  .find((sheet) => sheet.name.toLowerCase() === name.toLowerCase());

export const cellAt = (sheet, row, column) => sheet.cells[cellKey(row, column)];

export function withSheet(workbook, id, change) {
  const before = workbook.sheets[id];
  const after = change(before);
  return after === before ? workbook : { ...workbook, sheets: { ...workbook.sheets, [id]: after } };
}

/** A cell without its empty parts; undefined if nothing is left. */
function tidied(cell) {
  const kept = Object.entries(cell).filter(([, part]) => (
    part !== null && part !== undefined && part !== ''));
  return kept.length ? Object.fromEntries(kept) : undefined;
}

const isSameCell = (one, other) => {
  const keys = Object.keys({ ...one, ...other });
  return keys.every((key) => one?.[key] === other?.[key]);
};

/** The sheet with other cells: `changes` has the new cell of each key, or undefined. */
export function withCells(sheet, changes) {
  const cells = { ...sheet.cells };
  let isChanged = false;
  for (const [key, cell] of changes) {
    const next = cell && tidied(cell);
    if (isSameCell(cells[key], next)) continue;
    isChanged = true;
    if (next) cells[key] = next;
    else delete cells[key];
  }
  return isChanged ? { ...sheet, cells } : sheet;
}

export const withInput = (cell, input) => ({ ...cell, input });

/** The sheet with each formula as `change` writes it. */
export function withFormulas(sheet, change) {
  const changes = [];
  for (const [key, cell] of Object.entries(sheet.cells)) {
    if (!isFormula(cell.input)) continue;
    const input = change(cell.input, sheet);
    if (input !== cell.input) changes.push([key, withInput(cell, input)]);
  }
  return changes.length ? withCells(sheet, changes) : sheet;
}

export function mapSheets(workbook, change) {
  let next = workbook;
  for (const id of workbook.order) next = withSheet(next, id, change);
  return next;
}

/** The smallest range from A1 that holds all cells; undefined for an empty sheet. */
export function usedRange(sheet) {
  let bottom = -1;
  let right = -1;
  for (const key of Object.keys(sheet.cells)) {
    const { row, column } = parseKey(key);
    bottom = Math.max(bottom, row);
    right = Math.max(right, column);
  }
  return bottom < 0 ? undefined : { top: 0, left: 0, bottom, right };
}

/** The workbook with a number for a new item, and its id. */
export function numbered(workbook, prefix) {
  const id = `${prefix}${workbook.nextItem}`;
  return { id, workbook: { ...workbook, nextItem: workbook.nextItem + 1 } };
}

export const patched = (object, key, value) => {
  if (value === undefined) {
    const { [key]: _gone, ...rest } = object;
    return rest;
  }
  return { ...object, [key]: value };
};
