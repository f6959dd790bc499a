// Effects of the clock: snoozes end, drafts leave, the bin is emptied.
import { purged, woken } from './commands.mjs';
import { DAY, startOfDay } from './dates.mjs';
import { leftDrafts } from './drafts.mjs';
import { contextOf } from './mailbox.mjs';
import { agedNotices } from './notices.mjs';
import { filedByTime } from './savedSearches.mjs';
import { dueSnoozes } from './snoozes.mjs';

function ticked(state, { before }) {
  const awake = dueSnoozes(state.snoozes, state.now).reduce(woken, state);
  const sent = endedVacation(leftDrafts(agedNotices(awake)));
  const { offset } = state.settings;
  return startOfDay(before, offset) === startOfDay(state.now, offset) ? sent : newDay(sent);
}

function newDay(state) {
  const searches = filedByTime(state.searches, state.messages, contextOf(state));
  const oldest = state.now - state.settings.trashDays * DAY;
  const old = Object.values(state.messages)
    .filter(({ labels, at }) => labels.includes('trash') && at < oldest).map(({ id }) => id);
  return purged({ ...state, searches }, old);
}

function endedVacation(state) {
  const { vacation } = state;
  return vacation.isOn && state.now >= vacation.until
    ? { ...state, vacation: { ...vacation, isOn: false } } : state;
}

export const clockHandlers = { 'clock/ticked': ticked };
