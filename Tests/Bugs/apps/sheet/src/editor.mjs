// The editor of a cell: typed text, references by pointing, suggestions, and what is committed.
import { cellKey, columnIndex, rangeBetween, rangeKey } from './addresses.mjs';
import {
  activeSheet, notified, selectedRange, updateCells, valueAt, withWorkbook,
} from './current.mjs';
import { functionsBeginningWith } from './functions/all.mjs';
import { literal, literalText } from './literals.mjs';
import { faultOf, isFormula, treeOf } from './parser.mjs';
import { printFormula, sheetPrefix } from './printer.mjs';
import { advanced } from './selection.mjs';
import { rejection } from './validation.mjs';
import { cellAt, withCells, withInput, withSheet } from './workbook.mjs';

/** The word of a formula that is being typed at its end, if it may become a function. */
function suggestions(text) {
  const word = /^=.*?([A-Za-z]{2,})$/s.exec(text)?.[1];
  return word ? functionsBeginningWith(word).slice(0, 6) : [];
}

function opened(state, { text } = {}) {
  const { row, column } = state.selection.anchor;
  const shown = text ?? literalText(cellAt(activeSheet(state), row, column)?.input);
  const editor = {
    sheet: state.active, row, column, text: shown, pointed: null, suggestions: suggestions(shown),
  };
  return { ...state, editor, message: null };
}

function typed(state, { text }) {
  if (!state.editor) return opened(state, { text });
  return {
    ...state,
    editor: { ...state.editor, text, pointed: null, suggestions: suggestions(text) },
  };
}

/** A reference may follow the begin, an operator, a comma or a parenthesis. */
const takesReference = (text) => /^=(?:.*[-+*/^&=<>(,:])?\s*$/s.test(text);

/** Writes the address of a clicked cell into the formula, instead of the one clicked before. */
function pointed(state, { row, column, extend = false }) {
  const { editor } = state;
  if (!editor || !editor.text.startsWith('=')) return state;
  const base = editor.pointed ? editor.text.slice(0, editor.pointed.at) : editor.text;
  if (!takesReference(base)) return state;
  const from = extend && editor.pointed ? editor.pointed.from : { row, column };
  const name = state.active === editor.sheet ? undefined : activeSheet(state).name;
  const text = base + sheetPrefix(name) + rangeKey(rangeBetween(from, { row, column }));
  return {
    ...state,
    editor: { ...editor, text, pointed: { at: base.length, from }, suggestions: [] },
  };
}

/** F4: the last reference becomes `$A$1`, `A$1`, `$A1` and `A1` in turn. */
function fixed(state) {
  const { editor } = state;
  const found = editor && /(\$?)([A-Z]{1,3})(\$?)(\d+)$/i.exec(editor.text);
  if (!found || columnIndex(found[2]) < 0) return state;
  const [reference, column, letters, row, digits] = found;
  const next = { $$: ['', '$'], '-$': ['$', ''], '$-': ['', ''], '--': ['$', '$'] }[
    `${column || '-'}${row || '-'}`];
  const text = editor.text.slice(0, -reference.length) + next[0] + letters + next[1] + digits;
  return { ...state, editor: { ...editor, text } };
}

/** A chosen suggestion stands with its parenthesis in place of the begun word. */
function completed(state, { name }) {
  const { editor } = state;
  if (!editor?.suggestions.includes(name)) return state;
  const text = editor.text.replace(/[A-Za-z]+$/, `${name}(`);
  return { ...state, editor: { ...editor, text, suggestions: [] } };
}

/** Adds the parentheses that are missing at the end, as people leave them out. */
function closed(text) {
  const outside = text.replace(/"(?:[^"]|"")*"/g, '');
  const open = outside.split('(').length - outside.split(')').length;
  return open > 0 ? text + ')'.repeat(open) : text;
}

/** The cell after a text was typed into it. */
export function cellTyped(cell, text) {
  if (isFormula(text)) {
    const tree = treeOf(closed(text));
    return withInput(cell, printFormula(tree));
  }
  const { value, format } = literal(text);
  const isFormatted = cell?.format !== undefined && cell.format !== 'general';
  return { ...withInput(cell, value), format: isFormatted ? cell.format : format };
}

function committed(state, { direction } = {}) {
  const { editor } = state;
  if (!editor) return state;
  const fault = faultOf(closed(editor.text));
  if (fault) return { ...notified(state, fault.message), editor: { ...editor, fault: fault.at } };
  const { sheet: id, row, column } = editor;
  const sheet = state.workbook.sheets[id];
  const key = cellKey(row, column);
  const cell = cellTyped(sheet.cells[key], editor.text);
  const refusal = rejection(sheet, row, column, cell.input);
  if (refusal) return notified(state, refusal);
  const workbook = withSheet(state.workbook, id, (each) => withCells(each, [[key, cell]]));
  const next = { ...withWorkbook(state, workbook), editor: null, active: id, message: null };
  return direction ? advanced(next, direction) : next;
}

/** Ctrl+Enter: the text goes into all selected cells. */
function committedToAll(state) {
  const { editor } = state;
  if (!editor || faultOf(closed(editor.text))) return state;
  const range = selectedRange(state);
  const changes = [];
  for (let { top: row } = range; row <= range.bottom; row++) {
    for (let { left: column } = range; column <= range.right; column++) {
      const cell = cellTyped(cellAt(activeSheet(state), row, column), editor.text);
      if (rejection(activeSheet(state), row, column, cell.input)) continue;
      changes.push([cellKey(row, column), cell]);
    }
  }
  return { ...updateCells(state, changes), editor: null };
}

/** Alt+Plus: a sum of the numbers above the cursor, or left of it. */
function summed(state) {
  const { row, column } = state.selection.anchor;
  const isNumber = (r, c) => typeof valueAt(state, state.active, cellKey(r, c)) === 'number';
  let top = row;
  while (top > 0 && isNumber(top - 1, column)) top--;
  let left = column;
  while (top === row && left > 0 && isNumber(row, left - 1)) left--;
  if (top === row && left === column) return opened(state, { text: '=SUM(' });
  const range = top < row ? { top, left: column, bottom: row - 1, right: column }
    : { top: row, left, bottom: row, right: column - 1 };
  return opened(state, { text: `=SUM(${rangeKey(range)})` });
}

export const editorActions = {
  'editor/opened': opened,
  'editor/typed': typed,
  'editor/pointed': pointed,
  'editor/fixed': fixed,
  'editor/completed': completed,
  'editor/committed': committed,
  'editor/committedToAll': committedToAll,
  'editor/summed': summed,
  'editor/cancelled': (state) => ({ ...state, editor: null, message: null }),
};
