// Undo and redo of events. A step restores the fields that it changed, unless another person has
// changed them since.
import { committed } from './commit.mjs';
import { isEqual } from './lists.mjs';
import { withNotice } from './notices.mjs';

export const emptyHistory = { done: [], undone: [] };

/** From `from` to `to`, in an event that may have changed since. */
function patched(current, from, to) {
  if (!current || !from || !to) return to;
  const next = { ...current };
  for (const key of Object.keys(to)) {
    const isOurs = !isEqual(from[key], to[key]) && isEqual(current[key], from[key]);
    if (isOurs && key !== 'sequence') next[key] = to[key];
  }
  return next;
}

function stepped(state, [source, target], text, reverse) {
  const step = state.history[source].at(-1);
  if (!step) return withNotice(state, `Nothing to ${text.toLowerCase()}.`);
  const changes = step.patches.map(({ id, before, after }) => ({
    id, after: reverse ? patched(state.events[id], after, before)
      : patched(state.events[id], before, after),
  }));
  const next = committed(state, changes);
  const history = {
    ...state.history, [source]: state.history[source].slice(0, -1),
    [target]: [...state.history[target], step],
  };
  return withNotice({ ...next, history }, `${text}: ${step.text}`);
}

export const historyHandlers = {
  'history/undone': (state) => stepped(state, ['done', 'undone'], 'Undo', true),
  'history/redone': (state) => stepped(state, ['undone', 'done'], 'Redo', false),
};
