// Filters hide the rows whose values the user does not want to see.
import { cellKey, heightOf } from './addresses.mjs';
import {
  activeSheet, notified, selectedRange, updateSheet, valueAt,
} from './current.mjs';
import { criterion } from './criteria.mjs';
import { formatted } from './formats.mjs';
import { blockAround } from './selection.mjs';
import { isBlank } from './values.mjs';
import { cellAt, patched } from './workbook.mjs';

function* dataRows({ range }) {
  for (let row = range.top + 1; row <= range.bottom; row++) yield row;
}

/** How a column's condition tests the value and the shown text of a cell. */
function testOf(condition) {
  switch (condition.kind) {
    case 'shown': return (_, text) => condition.texts.includes(text);
    case 'meets': {
      const isMatch = criterion(condition.text);
      return (value) => isMatch(value);
    }
    case 'top': return (value) => typeof value === 'number' && value >= condition.least;
    default: return (value) => !isBlank(value);
  }
}

function hiddenBy(state, sheet, filter) {
  const tests = Object.entries(filter.conditions).map(([column, condition]) => (
    [Number(column), testOf(condition)]));
  const hidden = {};
  for (const row of dataRows(filter)) {
    const isShown = tests.every(([column, test]) => {
      const value = valueAt(state, sheet.id, cellKey(row, column));
      return test(value, formatted(value, cellAt(sheet, row, column)?.format));
    });
    if (!isShown) hidden[row] = true;
  }
  return hidden;
}

/** The sheet with the rows hidden that the filter leaves out. */
const filteredSheet = (state, sheet, filter) => ({
  ...sheet, filter, hiddenRows: filter ? hiddenBy(state, sheet, filter) : {},
});

const withFilter = (state, filter) => updateSheet(state, (sheet) => (
  filteredSheet(state, sheet, filter)));

function began(state) {
  const selected = selectedRange(state);
  const range = heightOf(selected) > 1 ? selected : blockAround(state, state.selection.anchor);
  if (heightOf(range) < 2) return notified(state, 'A filter needs rows below its header.');
  return withFilter(state, { range, conditions: {} });
}

/** The least of the `count` largest numbers of a column. */
function leastOfTop(state, filter, column, count) {
  const numbers = [...dataRows(filter)]
    .map((row) => valueAt(state, state.active, cellKey(row, column)))
    .filter((value) => typeof value === 'number')
    .sort((one, other) => other - one);
  return numbers[Math.min(count, numbers.length) - 1] ?? 0;
}

function conditioned(state, { column, condition }) {
  const { filter } = activeSheet(state);
  if (!filter || column < filter.range.left || column > filter.range.right) return state;
  const complete = condition?.kind === 'top'
    ? { ...condition, least: leastOfTop(state, filter, column, condition.count) } : condition;
  const conditions = patched(filter.conditions, column, complete);
  return withFilter(state, { ...filter, conditions });
}

/** The texts of a column to choose from, each once, in the order of the sheet. */
export function filterChoices(state, column) {
  const sheet = activeSheet(state);
  if (!sheet.filter) return [];
  const texts = [...dataRows(sheet.filter)].map((row) => (
    formatted(valueAt(state, sheet.id, cellKey(row, column)),
      cellAt(sheet, row, column)?.format)));
  return [...new Set(texts)];
}

export const filterActions = {
  'filter/began': began,
  'filter/conditioned': conditioned,
  'filter/again': (state) => {
    const { filter } = activeSheet(state);
    return filter ? withFilter(state, filter) : state;
  },
  'filter/ended': (state) => (activeSheet(state).filter ? withFilter(state, null) : state),
};
