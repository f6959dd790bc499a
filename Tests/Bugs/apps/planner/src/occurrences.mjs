// The occurrences of an event: the days of its rule, without skipped ones, with own fields.
import { addDays, addMinutes, DAY, timeOf, wallAt } from './civil.mjs';
import { datesBetween, datesOf, lastDate } from './recurrence.mjs';
import { dateIn, toInstant } from './zones.mjs';

/** An event without a rule is a series of one. */
function originalsBetween(event, from, to) {
  if (!event.rule) return event.start >= from && event.start < to ? [event.start] : [];
  return datesBetween(event.rule, event.start.slice(0, 10), from.slice(0, 10), to.slice(0, 10))
    .map((date) => wallAt(date, timeOf(event.start)));
}

/** One day of a series: the event with the fields that this day changes. */
export function occurrenceOf(event, original) {
  const changed = event.changes[original] ?? {};
  const wall = changed.start ?? original, minutes = changed.minutes ?? event.minutes;
  const start = toInstant(wall, event.zone);
  // Whole days end at midnight, also on a day of 23 hours.
  const end = event.isAllDay ? toInstant(addMinutes(wall, minutes), event.zone) : start + minutes;
  return { ...event, ...changed, eventId: event.id, original, wall, minutes, start, end };
}

/** The occurrences that overlap a time, sorted by their start. */
export function occurrencesBetween(event, from, to) {
  const margin = Math.ceil(event.minutes / DAY) + 1;
  const first = addDays(dateIn(from, event.zone), -margin);
  const last = addDays(dateIn(to, event.zone), 2);
  const regular = originalsBetween(event, first, last)
    .filter((original) => !Object.hasOwn(event.changes, original));
  return [...regular, ...Object.keys(event.changes)]
    .filter((original) => !event.skipped.includes(original))
    .map((original) => occurrenceOf(event, original))
    .filter(({ start, end }) => start < to && Math.max(end, start + 1) > from)
    .sort((one, other) => one.start - other.start);
}

/** The days of the rule before a day. */
export function datesBefore(event, original) {
  const dates = [];
  for (const date of datesOf(event.rule, event.start.slice(0, 10))) {
    if (date >= original.slice(0, 10)) break;
    dates.push(date);
  }
  return dates;
}

/** The days before a day on which the event took place. */
export function heldBefore(event, original) {
  return datesBefore(event, original)
    .filter((date) => !event.skipped.includes(wallAt(date, timeOf(event.start))));
}

export function isOriginal(event, original) {
  if (!event.rule) return original === event.start;
  const date = original.slice(0, 10);
  return timeOf(original) === timeOf(event.start)
    && datesBetween(event.rule, event.start.slice(0, 10), date, addDays(date, 1)).length > 0;
}

/** The end of the last occurrence, or null for an endless series. */
export function endOf(event) {
  if (event.rule && lastDate(event.rule, event.start.slice(0, 10)) === null) return null;
  const last = event.rule ? lastDate(event.rule, event.start.slice(0, 10)) : event.start;
  const ends = Object.keys(event.changes).map((original) => occurrenceOf(event, original).end);
  const regular = wallAt(last, timeOf(event.start));
  return Math.max(toInstant(regular, event.zone) + event.minutes, ...ends);
}
