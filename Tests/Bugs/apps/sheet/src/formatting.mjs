// Formats and styles of the selected cells, the width of columns, and hidden rows.
import { cellKey, positions } from './addresses.mjs';
import { activeSheet, selectedRange, updateCells, updateSheet } from './current.mjs';
import { withPlaces } from './formats.mjs';
import { selectedAndUsed } from './selection.mjs';
import { cellAt, patched } from './workbook.mjs';

const LEAST_WIDTH = 20;

function changeCells(state, change) {
  const sheet = activeSheet(state);
  const changes = [...positions(selectedAndUsed(state))].map(({ row, column }) => (
    [cellKey(row, column), change(cellAt(sheet, row, column))]));
  return updateCells(state, changes);
}

/** Styles are one text per cell, such as `bold fill:yellow`: equal styles are equal values. */
const styleParts = (text) => Object.fromEntries((text ?? '').split(' ').filter(Boolean)
  .map((part) => part.split(':')));

const styleText = (parts) => Object.entries(parts)
  .filter(([, value]) => value !== null)
  .map(([name, value]) => (value === undefined ? name : `${name}:${value}`))
  .sort().join(' ');

export const styleOf = (cell) => styleParts(cell?.style);

function toggled(state, { name }) {
  const { row, column } = state.selection.anchor;
  const isOn = name in styleOf(cellAt(activeSheet(state), row, column));
  return changeCells(state, (cell) => {
    const { [name]: _old, ...rest } = styleOf(cell);
    return { ...cell, style: styleText(isOn ? rest : { ...rest, [name]: undefined }) };
  });
}

const styled = (state, { name, value }) => changeCells(state, (cell) => (
  { ...cell, style: styleText({ ...styleOf(cell), [name]: value }) }));

function resized(state, { column, width }) {
  const kept = width === undefined ? undefined : Math.max(LEAST_WIDTH, Math.round(width));
  return updateSheet(state, (sheet) => ({ ...sheet, widths: patched(sheet.widths, column, kept) }));
}

function withHiddenRows(state, isHidden) {
  const { top, bottom } = selectedRange(state);
  return updateSheet(state, (sheet) => {
    let { hiddenRows } = sheet;
    for (let row = top; row <= bottom; row++) {
      hiddenRows = patched(hiddenRows, row, isHidden ? true : undefined);
    }
    return { ...sheet, hiddenRows };
  });
}

/** Copies the look of the cursor's cell to a range, as the brush does. */
function brushed(state, { range }) {
  const { row, column } = state.selection.anchor;
  const { format, style } = cellAt(activeSheet(state), row, column) ?? {};
  const sheet = activeSheet(state);
  return updateCells(state, [...positions(range)].map((place) => [
    cellKey(place.row, place.column),
    { ...cellAt(sheet, place.row, place.column), format, style },
  ]));
}

export const formattingActions = {
  'format/applied': (state, { format }) => changeCells(state, (cell) => ({ ...cell, format })),
  'format/placesChanged': (state, { by }) => changeCells(state, (cell) => (
    { ...cell, format: withPlaces(cell?.format, by) })),
  'format/brushed': brushed,
  'style/toggled': toggled,
  'style/applied': styled,
  'style/cleared': (state) => changeCells(state, (cell) => (
    { ...cell, style: null, format: null })),
  'column/resized': resized,
  'rows/hidden': (state) => withHiddenRows(state, true),
  'rows/shown': (state) => withHiddenRows(state, false),
  'panes/frozen': (state, { rows, columns }) => updateSheet(state, (sheet) => (
    { ...sheet, frozen: { rows, columns } })),
};
