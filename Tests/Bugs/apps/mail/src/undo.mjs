// Undo and redo. A step has the labels that it added and removed, so that an undo keeps later
// changes of the same messages.
import { applied } from './gestures.mjs';
import { withNotice } from './notices.mjs';
import { forgot } from './spamFilter.mjs';

export const emptyUndo = { done: [], undone: [] };

const reversed = ({ messageId, add, remove }) => ({ messageId, add: remove, remove: add });

function steppedBack(state) {
  const step = state.undo.done.at(-1);
  if (!step) return withNotice(state, 'Nothing to undo.');
  const { state: next } = applied(state, step.effects.map(reversed));
  const spamFilter = step.effects.filter(({ add }) => add.includes('spam'))
    .reduce((filter, { messageId }) => forgot(filter, messageId), state.spamFilter);
  const undo = {
    done: state.undo.done.slice(0, -1), undone: [...state.undo.undone, step],
  };
  return withNotice({ ...next, undo, spamFilter }, `Undone: ${step.text}`);
}

function steppedForth(state) {
  const step = state.undo.undone.at(-1);
  if (!step) return withNotice(state, 'Nothing to redo.');
  const { state: next } = applied(state, step.effects);
  const undo = {
    done: [...state.undo.done, step], undone: state.undo.undone.slice(0, -1),
  };
  return withNotice({ ...next, undo }, `Done again: ${step.text}`, { canUndo: true });
}

export const undoHandlers = { 'undo/pressed': steppedBack, 'redo/pressed': steppedForth };
