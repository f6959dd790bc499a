// Import and export of calendar files.
import { committed } from './commit.mjs';
import { eventFault, newEvent } from './events.mjs';
import { readCalendar } from './icsRead.mjs';
import { writeCalendar } from './icsWrite.mjs';
import { plural, unique } from './lists.mjs';
import { withFault, withNotice } from './notices.mjs';

export function exportedCalendar(state, calendarId) {
  const events = Object.values(state.events)
    .filter((event) => event.calendarId === calendarId)
    .sort((one, other) => (one.start < other.start ? -1 : 1));
  return writeCalendar(events, state.calendars.byId[calendarId].name);
}

/** Adds new events, and updates known ones if the file has a newer state. */
function imported(state, { id, text, calendarId }) {
  const { events, faults } = readCalendar(text, state.settings.zone);
  const known = new Map(Object.values(state.events).map((event) => [event.uid, event]));
  const changes = [], wrong = [...faults];
  for (const [index, fields] of events.entries()) {
    const old = known.get(fields.uid);
    if (old && old.sequence >= fields.sequence) continue;
    const after = old ? { ...old, ...fields }
      : { ...newEvent(state, { id: `${id}.${index}`, calendarId, ...fields }), organizer: '' };
    const fault = eventFault(after);
    if (fault) wrong.push(`${fields.title}: ${fault}`);
    else changes.push({ id: after.id, after });
  }
  const next = committed(state, changes, { text: `Imported ${plural(changes.length, 'event')}` });
  const same = events.length - changes.length;
  const noted = same ? withNotice(next, `${plural(same, 'event')} as before.`) : next;
  return unique(wrong).reduce(withFault, noted);
}

export const transferHandlers = { 'calendar/imported': imported };
