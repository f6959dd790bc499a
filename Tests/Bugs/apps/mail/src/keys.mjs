// The keyboard: single letters, and pairs like `g i` that wait for their second letter.
import { commanded } from './commands.mjs';
import { MINUTE } from './dates.mjs';
import { movedCursor, selectionHandlers, targetsOf } from './selection.mjs';
import { undoHandlers } from './undo.mjs';
import { closedThreadView, openedThread, shownPlace, viewHandlers } from './view.mjs';

const PATIENCE = MINUTE / 40;
const FIRST = ['g', '*'];

export const noKeys = { waiting: null, since: null };

const place = (id) => (state) => shownPlace(state, { kind: 'label', id });
const choice = (which) => (state) => selectionHandlers['selection/chosen'](state, { which });
const isStarred = (state) =>
  targetsOf(state).every((id) => state.threads[id].labels.includes('starred'));

const KEYS = {
  j: (state) => movedAlong(state, 1),
  k: (state) => movedAlong(state, -1),
  o: (state) => (state.selection.cursor ? openedThread(state, state.selection.cursor) : state),
  u: closedThreadView,
  x: (state) => (state.selection.cursor
    ? selectionHandlers['selection/toggled'](state, { threadId: state.selection.cursor }) : state),
  e: (state) => commanded(state, 'archive'),
  '#': (state) => commanded(state, 'trash'),
  '!': (state) => commanded(state, 'spam'),
  s: (state) => commanded(state, isStarred(state) ? 'unstar' : 'star'),
  I: (state) => commanded(state, 'read'),
  U: (state) => commanded(state, 'unread'),
  z: (state) => undoHandlers['undo/pressed'](state),
  y: (state) => undoHandlers['redo/pressed'](state),
  n: (state) => viewHandlers['view/pageTurned'](state, { by: 1 }),
  p: (state) => viewHandlers['view/pageTurned'](state, { by: -1 }),
  'g i': place('inbox'),
  'g s': place('starred'),
  'g t': place('sent'),
  'g b': place('snoozed'),
  '* a': choice('all'),
  '* n': choice('none'),
  '* u': choice('unread'),
};

/** With a conversation open, its neighbour opens; else only the cursor moves. */
function movedAlong(state, by) {
  const next = movedCursor(state, by);
  const { cursor } = next.selection;
  return state.view.openThreadId && cursor && cursor !== state.view.openThreadId
    ? openedThread(next, cursor) : next;
}

function pressed(state, { key }) {
  const { waiting, since } = state.keys;
  const isPair = waiting !== null && state.now - since <= PATIENCE;
  if (!isPair && FIRST.includes(key)) {
    return { ...state, keys: { waiting: key, since: state.now } };
  }
  const run = KEYS[isPair ? `${waiting} ${key}` : key];
  const calm = { ...state, keys: noKeys };
  return run ? run(calm) : calm;
}

export const keyHandlers = { 'key/pressed': pressed };
