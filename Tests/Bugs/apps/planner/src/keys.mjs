// The keyboard: pages, kinds of pages, and the events on them.
import { eventHandlers } from './events.mjs';
import { historyHandlers } from './history.mjs';
import { keyOf } from './dayIndex.mjs';
import { visibleBetween } from './pages.mjs';
import { span, viewHandlers } from './view.mjs';

/** Chooses the next event on the page, or the one before. */
function chosenBeside(state, by) {
  const entries = visibleBetween(state, ...span(state));
  if (entries.length === 0) return state;
  const { chosen } = state.view;
  const at = chosen ? entries.findIndex((one) => keyOf(one) === keyOf(chosen)) : -1;
  const next = at < 0 ? entries.at(by > 0 ? 0 : -1)
    : entries[Math.max(0, Math.min(entries.length - 1, at + by))];
  return {
    ...state, view: { ...state.view, chosen: { eventId: next.eventId, original: next.original } },
  };
}

function deletedChosen(state) {
  const { chosen } = state.view;
  if (!chosen) return state;
  const next = eventHandlers['event/deleted'](state,
    { id: chosen.eventId, original: chosen.original, scope: 'one' });
  return { ...next, view: { ...next.view, chosen: null } };
}

const kind = (name) => (state) => viewHandlers['view/kindChosen'](state, { kind: name });
const page = (by) => (state) => viewHandlers['view/paged'](state, { by });

const KEYS = {
  d: kind('day'), w: kind('week'), m: kind('month'), a: kind('agenda'),
  n: page(1), p: page(-1), t: (state) => viewHandlers['view/todayShown'](state),
  j: (state) => chosenBeside(state, 1), k: (state) => chosenBeside(state, -1),
  x: deletedChosen,
  z: (state) => historyHandlers['history/undone'](state),
  y: (state) => historyHandlers['history/redone'](state),
};

export const keyHandlers = {
  'key/pressed': (state, { key }) => (Object.hasOwn(KEYS, key) ? KEYS[key](state) : state),
};
