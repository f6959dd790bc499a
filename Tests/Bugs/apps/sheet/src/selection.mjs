// Moves the cursor, by keys and by the mouse.
import { MAX_COLUMNS, MAX_ROWS, cellKey, isOnSheet, rangeBetween } from './addresses.mjs';
import { activeSheet, selectCell, selectRange, selectedRange, valueAt } from './current.mjs';
import { usedRange } from './workbook.mjs';

const STEPS = {
  up: { rows: -1, columns: 0 },
  down: { rows: 1, columns: 0 },
  left: { rows: 0, columns: -1 },
  right: { rows: 0, columns: 1 },
};

const isHidden = (state, row) => Boolean(activeSheet(state).hiddenRows[row]);

/** The next cell that can be seen in a direction, or the same at the border. */
function neighbour(state, from, direction) {
  const { rows, columns } = STEPS[direction];
  let { row, column } = from;
  do {
    row += rows;
    column += columns;
  } while (isOnSheet(row, column) && isHidden(state, row));
  return isOnSheet(row, column) ? { row, column } : from;
}

const isFilled = (state, { row, column }) => (
  valueAt(state, state.active, cellKey(row, column)) !== null);

/** The end of the block of filled cells, or the begin of the next block. */
function edge(state, from, direction) {
  let at = from;
  let next = neighbour(state, at, direction);
  const staysFilled = isFilled(state, at) && isFilled(state, next);
  while (next.row !== at.row || next.column !== at.column) {
    if (staysFilled && !isFilled(state, next)) return at;
    at = next;
    if (!staysFilled && isFilled(state, at)) return at;
    next = neighbour(state, at, direction);
  }
  return at;
}

function moved(state, { direction, jump = false, extend = false }) {
  const { anchor, head } = state.selection;
  const from = extend ? head : anchor;
  const to = jump ? edge(state, from, direction) : neighbour(state, from, direction);
  return { ...state, selection: { anchor: extend ? anchor : to, head: to } };
}

/** Enter and Tab inside of a range go through its cells; else they go on by one. */
export function advanced(state, direction) {
  const range = selectedRange(state);
  const { anchor } = state.selection;
  if (range.top === range.bottom && range.left === range.right) {
    const next = neighbour(state, anchor, direction);
    return selectCell(state, next.row, next.column);
  }
  const isDown = direction === 'down';
  let { row, column } = anchor;
  if (isDown) row++;
  else column++;
  if (row > range.bottom) {
    row = range.top;
    column = column === range.right ? range.left : column + 1;
  }
  if (column > range.right) {
    column = range.left;
    row = row === range.bottom ? range.top : row + 1;
  }
  const head = {
    row: row === range.top ? range.bottom : range.top,
    column: column === range.left ? range.right : range.left,
  };
  const isWhole = rangeBetween({ row, column }, head);
  const keepsRange = isWhole.top === range.top && isWhole.bottom === range.bottom
    && isWhole.left === range.left && isWhole.right === range.right;
  return keepsRange ? { ...state, selection: { anchor: { row, column }, head } }
    : selectCell(state, row, column);
}

/** The block of filled cells around the cursor, as Ctrl+A selects it first. */
export function blockAround(state, { row, column }) {
  const filled = (range) => {
    for (let r = range.top; r <= range.bottom; r++) {
      for (let c = range.left; c <= range.right; c++) {
        if (isOnSheet(r, c) && isFilled(state, { row: r, column: c })) return true;
      }
    }
    return false;
  };
  const block = { top: row, left: column, bottom: row, right: column };
  for (let grew = true; grew;) {
    grew = false;
    const { top, left, bottom, right } = block;
    const around = { left: Math.max(0, left - 1), right: right + 1 };
    if (top > 0 && filled({ ...around, top: top - 1, bottom: top - 1 })) block.top--;
    if (filled({ ...around, top: bottom + 1, bottom: bottom + 1 })) block.bottom++;
    if (left > 0 && filled({ top, bottom, left: left - 1, right: left - 1 })) block.left--;
    if (filled({ top, bottom, left: right + 1, right: right + 1 })) block.right++;
    grew = block.top !== top || block.left !== left || block.bottom !== bottom
      || block.right !== right;
  }
  return block;
}

const wholeRows = (state) => ({
  ...selectedRange(state), left: 0, right: MAX_COLUMNS - 1,
});

const wholeColumns = (state) => ({ ...selectedRange(state), top: 0, bottom: MAX_ROWS - 1 });

/** A selection of whole rows or columns without the empty rest of the sheet. */
export function selectedAndUsed(state) {
  const range = selectedRange(state);
  const used = usedRange(activeSheet(state)) ?? { bottom: 0, right: 0 };
  return {
    ...range,
    bottom: Math.max(range.top, Math.min(range.bottom, used.bottom)),
    right: Math.max(range.left, Math.min(range.right, used.right)),
  };
}

export const selectionActions = {
  'cell/selected': (state, { row, column }) => (
    isOnSheet(row, column) ? selectCell(state, row, column) : state),
  'selection/extended': (state, { row, column }) => (isOnSheet(row, column)
    ? { ...state, selection: { ...state.selection, head: { row, column } } } : state),
  'selection/moved': moved,
  'selection/advanced': (state, { direction }) => advanced(state, direction),
  'selection/block': (state) => selectRange(state, blockAround(state, state.selection.anchor)),
  'selection/rows': (state) => selectRange(state, wholeRows(state)),
  'selection/columns': (state) => selectRange(state, wholeColumns(state)),
};
