// An index of the occurrences on each day, updated with each change, so that pages and reminders
// need not expand every series.
import { addDays, DAY, daysBetween } from './civil.mjs';
import { mapValues } from './lists.mjs';
import { occurrencesBetween } from './occurrences.mjs';
import { dateIn, startOfDate } from './zones.mjs';

const DAYS_BACK = 21, DAYS_AHEAD = 56;

export const emptyIndex = { zone: 'UTC', from: null, to: null, days: {} };

const byStart = (one, other) => one.start - other.start || other.end - one.end
  || (one.eventId < other.eventId ? -1 : 1);

/** The days that an occurrence touches. Whole days are the same in every zone. */
function datesTouched({ isAllDay, wall, minutes, start, end }, zone) {
  const first = isAllDay ? wall.slice(0, 10) : dateIn(start, zone);
  const last = isAllDay ? addDays(first, Math.max(0, minutes / DAY - 1))
    : dateIn(Math.max(start, end - 1), zone);
  return Array.from({ length: daysBetween(first, last) + 1 }, (_, day) => addDays(first, day));
}

/** Adds the occurrences of an event to the days from `from` up to `to`. */
function withEvent(days, event, zone, from, to) {
  const begin = startOfDate(from, zone) - DAY, end = startOfDate(to, zone) + DAY;
  const next = { ...days };
  for (const occurrence of occurrencesBetween(event, begin, end)) {
    const { eventId, original, start, end: ends } = occurrence;
    const dates = datesTouched(occurrence, zone).filter((date) => date >= from && date < to);
    for (const date of dates) {
      next[date] = [...(next[date] ?? []), { eventId, original, start, end: ends }].sort(byStart);
    }
  }
  return next;
}

function withoutEvent(days, eventId) {
  const next = {};
  for (const [date, entries] of Object.entries(days)) {
    const rest = entries.filter((entry) => entry.eventId !== eventId);
    if (rest.length === entries.length) next[date] = entries;
    else if (rest.length) next[date] = rest;
  }
  return next;
}

export function reindexed(index, before, after) {
  if (index.from === null) return index;
  const { zone, from, to } = index;
  const rest = before ? withoutEvent(index.days, before.id) : index.days;
  return { ...index, days: after ? withEvent(rest, after, zone, from, to) : rest };
}

export function built(events, zone, from, to) {
  const days = Object.values(events)
    .reduce((result, event) => withEvent(result, event, zone, from, to), {});
  return { zone, from, to, days };
}

/** Extends the index to a range of days, and keeps the days that it has. */
export function extended(index, events, from, to) {
  if (index.from === null) return built(events, index.zone, from, to);
  const missing = [];
  if (from < index.from) missing.push([from, index.from]);
  if (to > index.to) missing.push([index.to, to]);
  if (missing.length === 0) return index;
  let { days } = index;
  for (const [start, end] of missing) {
    for (const event of Object.values(events)) {
      days = withEvent(days, event, index.zone, start, end);
    }
  }
  return {
    ...index, days,
    from: from < index.from ? from : index.from, to: to > index.to ? to : index.to,
  };
}

/** Moves the range of the index to a new day: adds days ahead, drops old ones. */
export function movedTo(index, events, today) {
  const grown = extended(index, events, today, addDays(today, DAYS_AHEAD));
  const oldest = addDays(today, -DAYS_BACK);
  if (grown.from >= oldest) return grown;
  const days = Object.fromEntries(
    Object.entries(grown.days).filter(([date]) => date >= oldest));
  return { ...grown, from: oldest, days };
}

export const inZone = (index, events, zone) => (index.from === null ? { ...index, zone }
  : built(events, zone, index.from, index.to));

export function entriesBetween(index, from, to) {
  const seen = new Map();
  for (let date = from; date < to; date = addDays(date, 1)) {
    for (const entry of index.days[date] ?? []) seen.set(keyOf(entry), entry);
  }
  return [...seen.values()].sort(byStart);
}

export const keyOf = ({ eventId, original }) => `${eventId}|${original}`;

/** How many things each day has, for the dots of the small month. */
export const countsByDay = (index) => mapValues(index.days, (entries) => entries.length);
