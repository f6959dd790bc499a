// Effects of the clock: reminders ring, a new day begins, old data is dropped.
import { movedTo } from './dayIndex.mjs';
import { DAY } from './civil.mjs';
import { filterKeys } from './lists.mjs';
import { aged } from './notices.mjs';
import { planned, rung, tidied } from './reminders.mjs';
import { shown } from './view.mjs';
import { dateIn } from './zones.mjs';

function ticked(state, { before }) {
  const { zone } = state.settings, today = dateIn(state.now, zone);
  const isNewDay = dateIn(before, zone) !== today || state.index.from === null;
  return aged(rung(planned(isNewDay ? dayBegun(state, today) : state)));
}

function dayBegun(state, today) {
  const index = movedTo({ ...state.index, zone: state.settings.zone }, state.events, today);
  const isFresh = (address) => state.now - state.busy[address].at < 7 * DAY;
  const next = { ...tidied(state), index, busy: filterKeys(state.busy, isFresh) };
  return shown(next, { date: today });
}

export const clockHandlers = { 'clock/ticked': ticked };
