// Describes a change of an event in words, for letters to attendees.
import { timeOf, weekdayOf } from './civil.mjs';
import { isEqual, plural } from './lists.mjs';
import { describeRule, weekdayName } from './ruleText.mjs';
import { cityOf } from './zones.mjs';

const dayOf = (wall) => `${weekdayName(weekdayOf(wall)).slice(0, 3)} ${wall.slice(0, 10)}`;

function momentOf({ start, isAllDay, zone }) {
  return isAllDay ? dayOf(start) : `${dayOf(start)} ${timeOf(start)} ${cityOf(zone)}`;
}

const repetition = ({ rule, start }) => (rule ? describeRule(rule, start) : 'once');

export function describeChange(before, after) {
  if (!after) return `Cancelled: ${momentOf(before)}`;
  if (!before) return `${momentOf(after)}, ${repetition(after)}`;
  const parts = [];
  if (before.title !== after.title) parts.push(`now called ${after.title}`);
  if (momentOf(before) !== momentOf(after)) {
    parts.push(`moved from ${momentOf(before)} to ${momentOf(after)}`);
  }
  if (before.minutes !== after.minutes) parts.push(`takes ${plural(after.minutes, 'minute')}`);
  if (before.place !== after.place) parts.push(after.place ? `now at ${after.place}` : 'no place');
  if (!isEqual(before.rule, after.rule)) parts.push(repetition(after));
  return [...parts, ...dayChanges(before, after)].join('; ') || 'unchanged';
}

/** The days of a series that were skipped, moved, or put back. */
function dayChanges(before, after) {
  const skipped = after.skipped.filter((day) => !before.skipped.includes(day));
  const back = before.skipped.filter((day) => !after.skipped.includes(day));
  const changed = Object.keys(after.changes)
    .filter((day) => !isEqual(before.changes[day], after.changes[day]));
  return [
    ...skipped.map((day) => `not on ${dayOf(day)}`),
    ...back.map((day) => `again on ${dayOf(day)}`),
    ...changed.map((day) => dayChange(day, after.changes[day])),
  ];
}

function dayChange(day, { start, title, place, minutes }) {
  if (start && start !== day) return `${dayOf(day)} is on ${dayOf(start)} at ${timeOf(start)}`;
  if (minutes) return `${dayOf(day)} takes ${plural(minutes, 'minute')}`;
  return `${dayOf(day)}: ${[title, place].filter(Boolean).join(', ') || 'other details'}`;
}
