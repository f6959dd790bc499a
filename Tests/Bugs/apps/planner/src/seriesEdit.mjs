// Changes of a series: one day of it, a day and all that follow, or everything.
import { addDays, addMinutes, daysBetween, minutesBetween } from './civil.mjs';
import { filterKeys, mapKeys, omit } from './lists.mjs';
import { datesBefore, isOriginal } from './occurrences.mjs';
import { movedRule } from './recurrence.mjs';

/** Fields that one day of a series can have for itself. */
const OWN_FIELDS = ['title', 'place', 'notes', 'start', 'minutes', 'roomId', 'isBusy'];

export function withOneChanged(event, original, fields) {
  if (!event.rule) return withAllChanged(event, fields);
  const own = filterKeys(fields, (key) => OWN_FIELDS.includes(key));
  const earlier = event.changes[original] ?? {};
  return { ...event, changes: { ...event.changes, [original]: { ...earlier, ...own } } };
}

/** Changes all days. Skipped and changed days move with the series. */
export function withAllChanged(event, fields) {
  const delta = fields.start ? minutesBetween(event.start, fields.start) : 0;
  const moved = delta === 0 ? event : shifted(event, delta, event.start, fields.start);
  return { ...moved, ...fields, rule: 'rule' in fields ? fields.rule : moved.rule };
}

/** Moves the keys of skipped and changed days, which are their original times. */
function shifted(event, delta, from, to) {
  const later = (original) => addMinutes(original, delta);
  return {
    ...event,
    rule: event.rule && movedRule(event.rule, daysBetween(from, to)),
    skipped: event.skipped.map(later),
    changes: mapKeys(event.changes, later),
  };
}

/** Splits a series at a day; the second part gets other fields. */
export function split(event, original, fields, newId) {
  if (!event.rule || original === event.start) {
    return { head: null, tail: withAllChanged(event, fields) };
  }
  const before = (key) => key < original, after = (key) => key >= original;
  const head = {
    ...event,
    rule: { ...event.rule, count: null, until: addDays(original, -1) },
    skipped: event.skipped.filter(before), changes: filterKeys(event.changes, before),
  };
  const { count } = event.rule;
  const rest = {
    ...event, id: newId, uid: newId, start: original,
    rule: { ...event.rule, count: count && count - datesBefore(event, original).length },
    skipped: event.skipped.filter(after), changes: filterKeys(event.changes, after),
  };
  return { head, tail: withAllChanged(rest, { start: original, ...fields }) };
}

export function withoutOne(event, original) {
  if (!event.rule || !isOriginal(event, original)) return null;
  const next = {
    ...event, skipped: [...event.skipped, original].sort(), changes: omit(event.changes, original),
  };
  const { count } = event.rule;
  return count !== null && next.skipped.length >= count ? null : next;
}

export function withoutFollowing(event, original) {
  if (!event.rule || original <= event.start) return null;
  const before = (key) => key < original;
  return {
    ...event, rule: { ...event.rule, count: null, until: addDays(original, -1) },
    skipped: event.skipped.filter(before), changes: filterKeys(event.changes, before),
  };
}

/** Restores the original state of one day. */
export function restored(event, original) {
  return {
    ...event, skipped: event.skipped.filter((other) => other !== original),
    changes: omit(event.changes, original),
  };
}
