// Patterns: several events that belong together, such as all meetings of a workshop. They are kept
// with their distance from a first day.
import { addDays, addMinutes, minutesBetween, wallAt } from './civil.mjs';
import { committed } from './commit.mjs';
import { newEvent } from './events.mjs';
import { nextWorkday } from './holidays.mjs';
import { omit, plural } from './lists.mjs';
import { withFault } from './notices.mjs';

const KEPT = ['title', 'place', 'notes', 'minutes', 'isAllDay', 'alarms', 'category', 'calendarId'];

/** Makes a pattern of events that are there. */
function kept(state, { id, name, eventIds }) {
  const events = eventIds.map((eventId) => state.events[eventId]).filter(Boolean)
    .sort((one, other) => (one.start < other.start ? -1 : 1));
  if (events.length === 0 || !name.trim()) return withFault(state, 'A pattern needs events.');
  const first = wallAt(events[0].start, '00:00');
  const parts = events.map((event) => ({
    fields: Object.fromEntries(KEPT.map((key) => [key, event[key]])),
    after: minutesBetween(first, event.start),
  }));
  return { ...state, patterns: { ...state.patterns, [id]: { id, name: name.trim(), parts } } };
}

/** Adds the events of a pattern, on workdays only. */
function used(state, { id, date, newIds }) {
  const pattern = state.patterns[id];
  if (!pattern) return state;
  const changes = pattern.parts.slice(0, newIds.length).map(({ fields, after }, index) => {
    const wall = addMinutes(`${date}T00:00`, after);
    const workday = nextWorkday(addDays(wall, -1), state.settings);
    const start = wallAt(workday, wall.slice(11));
    const known = state.calendars.byId[fields.calendarId] ? fields
      : omit(fields, 'calendarId');
    return { id: newIds[index], after: newEvent(state, { ...known, id: newIds[index], start }) };
  });
  return committed(state, changes,
    { text: `${pattern.name}: ${plural(changes.length, 'event')}` });
}

export const patternHandlers = {
  'pattern/kept': kept,
  'pattern/used': used,
  'pattern/deleted': (state, { id }) => ({ ...state, patterns: omit(state.patterns, id) }),
};
