// Busy times: of the user from the index, of others from their calendars.
import { addDays } from './civil.mjs';
import { entriesBetween } from './dayIndex.mjs';
import { occurrenceOf } from './occurrences.mjs';
import { dateIn } from './zones.mjs';

/** Sorted intervals without overlaps; those that touch become one. */
export function united(intervals) {
  const sorted = [...intervals].sort((one, other) => one.from - other.from);
  const result = [];
  for (const { from, to } of sorted) {
    const last = result.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}

/** The parts of a time that no interval covers. */
export function gaps(intervals, from, to) {
  const free = [];
  let at = from;
  for (const busy of united(intervals)) {
    if (busy.to <= from || busy.from >= to) continue;
    if (busy.from > at) free.push({ from: at, to: busy.from });
    at = Math.max(at, busy.to);
  }
  return at < to ? [...free, { from: at, to }] : free;
}

export function ownBusy(state, from, to, exceptId = null) {
  const { index, events } = state;
  const first = dateIn(from, index.zone), last = addDays(dateIn(to, index.zone), 1);
  return united(entriesBetween(index, first, last)
    .filter(({ eventId }) => eventId !== exceptId)
    .filter(({ eventId, original }) => occurrenceOf(events[eventId], original).isBusy)
    .map(({ start, end }) => ({ from: start, to: end }))
    .filter((one) => one.from < to && one.to > from));
}

export function busyOf(state, address, from, to) {
  if (address === state.account.address) return ownBusy(state, from, to);
  const known = state.busy[address];
  return known ? united(known.intervals.filter((one) => one.from < to && one.to > from)) : [];
}

/** Other things at the same time, for the sign beside an event. */
export function conflictsOf(state, occurrence) {
  const { index, events } = state, { start, end, eventId } = occurrence;
  if (!occurrence.isBusy || occurrence.isAllDay) return [];
  const first = dateIn(start, index.zone), last = addDays(dateIn(end, index.zone), 1);
  return entriesBetween(index, first, last)
    .filter((entry) => entry.eventId !== eventId && entry.start < end && entry.end > start)
    .map((entry) => occurrenceOf(events[entry.eventId], entry.original))
    .filter(({ isBusy, isAllDay }) => isBusy && !isAllDay);
}

export const busyHandlers = {
  'busy/received': (state, { address, from, to, intervals }) => ({
    ...state,
    busy: { ...state.busy, [address]: { from, to, intervals: united(intervals), at: state.now } },
  }),
};
