// All changes of events go through this file. It updates the index, reminders, letters, history
// and the queue for the server.
import { announced } from './announcements.mjs';
import { metIn } from './contacts.mjs';
import { reindexed } from './dayIndex.mjs';
import { isEqual, omit } from './lists.mjs';
import { withNotice } from './notices.mjs';
import { planned } from './reminders.mjs';
import { deletionQueued, putQueued } from './syncQueue.mjs';

/** Fields whose change makes a new invitation necessary. */
const WEIGHTY = ['start', 'minutes', 'zone', 'rule', 'place', 'isAllDay', 'skipped', 'changes'];

const MOST_STEPS = 25;

function remembered(history, step) {
  return { done: [...history.done, step].slice(-MOST_STEPS), undone: [] };
}

const isWeighty = (before, after) => WEIGHTY.some((key) => !isEqual(before[key], after[key]));

function numbered(state, before, after) {
  if (!before || !after || after.organizer !== state.account.address) return after;
  return isWeighty(before, after) ? { ...after, sequence: before.sequence + 1 } : after;
}

/**
 * `changes` are `{ id, after }`, where null deletes. Changes that come from outside are neither
 * announced nor queued, and cannot be undone.
 */
export function committed(state, changes, { text = null, isFromOutside = false } = {}) {
  const patches = changes
    .map(({ id, after }) => ({ id, before: state.events[id] ?? null, after }))
    .map((patch) => (isFromOutside ? patch
      : { ...patch, after: numbered(state, patch.before, patch.after) }))
    .filter(({ before, after }) => !isEqual(before, after));
  if (patches.length === 0) return state;
  const next = patches.reduce((result, { id, before, after }) => ({
    ...result,
    events: after ? { ...result.events, [id]: after } : omit(result.events, id),
    index: reindexed(result.index, before, after),
    contacts: metIn(result.contacts, before, after, state.now),
  }), state);
  const told = isFromOutside ? next : patches.reduce(tellOthers, next);
  const kept = text === null || isFromOutside ? told
    : withNotice({ ...told, history: remembered(told.history, { text, patches }) }, text);
  return planned(kept);
}

function tellOthers(state, { id, before, after }) {
  const sync = after ? putQueued(state.sync, after) : deletionQueued(state.sync, id);
  return announced({ ...state, sync }, before, after);
}
