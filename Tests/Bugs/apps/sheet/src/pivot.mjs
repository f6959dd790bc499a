// Summaries: rows with the same entries in some columns become one row with a folded number.
import { cellKey } from './addresses.mjs';
import { activeSheet, notified, valueAt } from './current.mjs';
import { formatted } from './formats.mjs';
import { blockAround } from './selection.mjs';
import { sheetActions } from './sheets.mjs';
import { compareValues } from './values.mjs';
import { cellAt, withCells, withSheet } from './workbook.mjs';

const folds = {
  sum: (numbers) => numbers.reduce((total, number) => total + number, 0),
  count: (numbers) => numbers.length,
  average: (numbers) => folds.sum(numbers) / numbers.length,
  greatest: (numbers) => Math.max(...numbers),
};

/** The rows of the source grouped by what they show in a column. */
function groupedRows(state, sheet, range, column) {
  const groups = new Map();
  for (let row = range.top + 1; row <= range.bottom; row++) {
    const value = valueAt(state, sheet.id, cellKey(row, column));
    const text = formatted(value, cellAt(sheet, row, column)?.format) || '(blank)';
    if (!groups.has(text)) groups.set(text, { text, value, rows: [] });
    groups.get(text).rows.push(row);
  }
  return [...groups.values()].sort((one, other) => compareValues(one.value, other.value));
}

function folded(state, sheet, rows, { column, fold }) {
  const numbers = rows.map((row) => valueAt(state, sheet.id, cellKey(row, column)))
    .filter((value) => typeof value === 'number');
  return numbers.length ? Number(folds[fold](numbers).toPrecision(12)) : null;
}

/** The lines of a summary: a header, a line for each group, and a line for all. */
function summaryLines(state, sheet, range, { by, across, value }) {
  const groups = groupedRows(state, sheet, range, by);
  const columns = across === undefined ? [] : groupedRows(state, sheet, range, across);
  const rows = groups.flatMap((group) => group.rows);
  const lineOf = (title, members) => [
    title,
    ...columns.map((column) => folded(
      state, sheet, members.filter((row) => column.rows.includes(row)), value)),
    folded(state, sheet, members, value),
  ];
  const title = valueAt(state, sheet.id, cellKey(range.top, by));
  return [
    [title, ...columns.map(({ text }) => text), value.fold],
    ...groups.map(({ text, rows: members }) => lineOf(text, members)),
    lineOf('All', rows),
  ];
}

function built(state, { summary, name = 'Summary' }) {
  const sheet = activeSheet(state);
  const range = blockAround(state, state.selection.anchor);
  if (range.bottom === range.top) return notified(state, 'A summary needs rows below a header.');
  const lines = summaryLines(state, sheet, range, summary);
  const next = sheetActions['sheet/added'](state, { name });
  const format = cellAt(sheet, range.top + 1, summary.value.column)?.format;
  const changes = lines.flatMap((line, row) => line.map((input, column) => [
    cellKey(row, column),
    typeof input === 'number' && summary.value.fold !== 'count' ? { input, format } : { input },
  ]));
  return {
    ...next, workbook: withSheet(next.workbook, next.active, (each) => withCells(each, changes)),
  };
}

export const pivotActions = {
  'summary/built': built,
};
