// Find and replace, in what cells show or in what was typed.
import { parseKey } from './addresses.mjs';
import {
  activeSheet, notified, selectCell, updateCells, valueAt, withWorkbook,
} from './current.mjs';
import { cellTyped } from './editor.mjs';
import { formatted } from './formats.mjs';
import { literalText } from './literals.mjs';
import { faultOf } from './parser.mjs';
import { mapSheets, withCells } from './workbook.mjs';

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function patternOf({ text, isWhole, isExact }) {
  const pattern = isWhole ? `^${escaped(text)}$` : escaped(text);
  return new RegExp(pattern, isExact ? 'g' : 'gi');
}

function searchedText(state, sheet, key, looksInFormulas) {
  const cell = sheet.cells[key];
  return looksInFormulas ? literalText(cell.input ?? null)
    : formatted(valueAt(state, sheet.id, key), cell.format);
}

/** The keys of the cells with a match, by rows. */
function matches(state, query) {
  if (!query.text) return [];
  const sheet = activeSheet(state);
  const pattern = patternOf(query);
  return Object.keys(sheet.cells)
    .filter((key) => searchedText(state, sheet, key, query.looksInFormulas).search(pattern) >= 0)
    .map((key) => ({ key, ...parseKey(key) }))
    .sort((one, other) => one.row - other.row || one.column - other.column);
}

const isAfter = (match, { row, column }) => (
  match.row > row || (match.row === row && match.column > column));

/** Goes to the next match behind the cursor, or to the first one. */
function toNext(state, query) {
  const found = matches(state, query);
  const { anchor } = state.selection;
  const next = found.find((match) => isAfter(match, anchor)) ?? found[0];
  const search = { query, count: found.length, at: next ? next.key : null };
  const searched = notified({ ...state, search }, next ? null : 'Nothing was found.');
  return next ? selectCell(searched, next.row, next.column) : searched;
}

function toPrevious(state) {
  if (!state.search) return state;
  const found = matches(state, state.search.query);
  const { anchor } = state.selection;
  const before = found.filter((match) => !isAfter(match, anchor)
    && (match.row !== anchor.row || match.column !== anchor.column));
  const match = before[before.length - 1] ?? found[found.length - 1];
  return match ? selectCell(
    { ...state, search: { ...state.search, at: match.key } }, match.row, match.column) : state;
}

/** The cell with the text replaced; undefined if that would be a formula with a fault. */
function replacedCell(cell, query, replacement) {
  const before = literalText(cell.input ?? null);
  const text = before.replace(patternOf(query), () => replacement);
  if (text === before || faultOf(text)) return undefined;
  return text === '' ? { ...cell, input: null } : cellTyped(cell, text);
}

function replacedOne(state, { replacement }) {
  const { search } = state;
  const cell = search?.at && activeSheet(state).cells[search.at];
  const replaced = cell && replacedCell(cell, search.query, replacement);
  const next = replaced ? updateCells(state, [[search.at, replaced]]) : state;
  return search ? toNext(next, search.query) : next;
}

function replacedAll(state, { replacement, isEverywhere = false }) {
  if (!state.search) return state;
  const { query } = state.search;
  let count = 0;
  const workbook = mapSheets(state.workbook, (sheet) => {
    if (!isEverywhere && sheet.id !== state.active) return sheet;
    const changes = Object.entries(sheet.cells)
      .map(([key, cell]) => [key, replacedCell(cell, query, replacement)])
      .filter(([, cell]) => cell);
    count += changes.length;
    return withCells(sheet, changes);
  });
  const next = notified(withWorkbook(state, workbook), `${count} cells were changed.`);
  return { ...next, search: { ...state.search, count: 0, at: null } };
}

export const searchActions = {
  'search/began': toNext,
  'search/next': (state) => (state.search ? toNext(state, state.search.query) : state),
  'search/previous': toPrevious,
  'search/replaced': replacedOne,
  'search/replacedAll': replacedAll,
  'search/ended': (state) => ({ ...state, search: null }),
};
