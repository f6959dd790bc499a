// Undo and redo. An entry holds the parts of the workbook that an action changed.
import { applied, merged, reverted } from './patches.mjs';

const LIMIT = 80;

export const emptyHistory = { done: [], undone: [], isOpen: false };

/** Actions in a row that the user takes for one: typing into one cell, dragging one border. */
const mergeable = new Set(['format/placesChanged', 'column/resized', 'style/applied']);

function canMerge(history, entry) {
  const last = history.done[history.done.length - 1];
  return history.isOpen && last !== undefined && mergeable.has(entry.type)
    && last.type === entry.type && last.subject === entry.subject;
}

/** The history with one more change; what was undone can no longer be redone. */
export function remembered(history, entry) {
  if (!canMerge(history, entry)) {
    return { done: [...history.done, entry].slice(-LIMIT), undone: [], isOpen: true };
  }
  const last = history.done[history.done.length - 1];
  const together = { ...last, patches: merged(last.patches, entry.patches) };
  return { done: [...history.done.slice(0, -1), together], undone: [], isOpen: true };
}

/** Where an entry happened, so that undo shows the place. */
const shown = (state, { sheet, selection }) => ({
  ...state,
  active: state.workbook.sheets[sheet] ? sheet : state.workbook.order[0],
  selection,
});

export function undo(state) {
  const { done, undone } = state.history;
  const entry = done[done.length - 1];
  if (!entry) return state;
  const workbook = reverted(state.workbook, entry.patches);
  const history = { done: done.slice(0, -1), undone: [...undone, entry], isOpen: false };
  return shown({ ...state, workbook, history }, entry);
}

export function redo(state) {
  const { done, undone } = state.history;
  const entry = undone[undone.length - 1];
  if (!entry) return state;
  const workbook = applied(state.workbook, entry.patches);
  const history = { done: [...done, entry], undone: undone.slice(0, -1), isOpen: false };
  return shown({ ...state, workbook, history }, entry);
}

/** The words of the menu, such as “Undo sort”. */
export function historyTitles({ done, undone }) {
  const title = (entry) => entry?.type.replace('/', ' ');
  return { undo: title(done[done.length - 1]), redo: title(undone[undone.length - 1]) };
}
