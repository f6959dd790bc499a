// Comma-separated values: reads what other programs write, and writes the active sheet.
import { MAX_COLUMNS, MAX_ROWS, cellKey } from './addresses.mjs';
import {
  activeSheet, notified, selectRange, selectedRange, updateCells, valueAt,
} from './current.mjs';
import { cellTyped } from './editor.mjs';
import { formatted } from './formats.mjs';
import { faultOf } from './parser.mjs';
import { cellAt, usedRange } from './workbook.mjs';

const SEPARATORS = [',', ';', '\t'];

/** The separator that stands most often in the first line, outside of quotes. */
function separatorOf(text) {
  const [line] = text.replace(/"(?:[^"]|"")*"/g, '').split('\n');
  const counts = SEPARATORS.map((separator) => line.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))];
}

/** The fields of each line. Quoted fields may hold separators, quotes and line ends. */
function parseCsv(text, separator = separatorOf(text)) {
  const rows = [[]];
  let field = '';
  let isQuoted = false;
  const endField = () => {
    rows[rows.length - 1].push(field);
    field = '';
  };
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (isQuoted) {
      if (sign !== '"') field += sign;
      else if (text[at + 1] === '"') {
        field += sign;
        at++;
      } else isQuoted = false;
    } else if (sign === '"' && field === '') isQuoted = true;
    else if (sign === separator) endField();
    else if (sign === '\n') {
      endField();
      rows.push([]);
    } else if (sign !== '\r') field += sign;
  }
  if (field !== '' || rows[rows.length - 1].length > 0) endField();
  return rows.filter((row) => row.length > 0);
}

const quoted = (text, separator) => (
  /["\n\r]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text);

function imported(state, { text, separator }) {
  const rows = parseCsv(text, separator);
  if (rows.length === 0) return notified(state, 'There is nothing to import.');
  const width = Math.max(...rows.map((row) => row.length));
  const { top, left } = selectedRange(state);
  if (top + rows.length > MAX_ROWS || left + width > MAX_COLUMNS) {
    return notified(state, 'The imported rows do not fit here.');
  }
  const sheet = activeSheet(state);
  const changes = rows.flatMap((fields, down) => fields.map((field, across) => {
    const [row, column] = [top + down, left + across];
    const typed = faultOf(field) ? `'${field}` : field;
    const before = cellAt(sheet, row, column);
    return [cellKey(row, column), typed === '' ? undefined : cellTyped(before, typed)];
  }));
  const target = { top, left, bottom: top + rows.length - 1, right: left + width - 1 };
  return notified(
    selectRange(updateCells(state, changes), target), `${rows.length} rows were imported.`);
}

/** The text of a sheet, as its cells show it. */
function csvOf(state, sheet, separator = ',') {
  const range = usedRange(sheet);
  if (!range) return '';
  const lines = [];
  for (let { top: row } = range; row <= range.bottom; row++) {
    const fields = [];
    for (let { left: column } = range; column <= range.right; column++) {
      const value = valueAt(state, sheet.id, cellKey(row, column));
      fields.push(quoted(formatted(value, cellAt(sheet, row, column)?.format), separator));
    }
    lines.push(fields.join(separator));
  }
  return lines.join('\n');
}

function exported(state, { separator }) {
  const sheet = activeSheet(state);
  const text = csvOf(state, sheet, separator);
  const file = { name: `${sheet.name}.csv`, lines: text.split('\n').length, size: text.length };
  return { ...state, files: [...state.files, file].slice(-10) };
}

export const csvActions = {
  'csv/imported': imported,
  'csv/exported': exported,
};
