// Events: made, changed for one day or for all, copied and deleted.
import { addMinutes, DAY, isWall, minutesBetween, timeOf } from './civil.mjs';
import { committed } from './commit.mjs';
import { withFault } from './notices.mjs';
import { isOriginal, occurrenceOf } from './occurrences.mjs';
import { ruleFault } from './recurrence.mjs';
import {
  restored, split, withAllChanged, withOneChanged, withoutFollowing, withoutOne,
} from './seriesEdit.mjs';
import { isZone } from './zones.mjs';

export function newEvent(state, { id, ...fields }) {
  const calendar = state.calendars.byId[fields.calendarId ?? state.calendars.order[0]];
  return {
    id, uid: id, calendarId: calendar.id, title: '', place: '', notes: '', isAllDay: false,
    start: null, minutes: 60, zone: state.settings.zone, rule: null, skipped: [], changes: {},
    alarms: calendar.alarms, attendees: [], organizer: state.account.address, sequence: 0,
    isBusy: true, category: null, roomId: null, ...fields,
  };
}

/** The reason why an event is invalid, or null. */
export function eventFault(event) {
  if (!event.start || !isWall(event.start)) return 'This day or time does not exist.';
  if (!isZone(event.zone)) return `Unknown zone ${event.zone}.`;
  if (!(event.minutes >= 0) || event.minutes > 60 * DAY) return 'It lasts too long.';
  if (event.isAllDay && (timeOf(event.start) !== '00:00' || event.minutes % DAY !== 0)) {
    return 'Whole days begin and end at midnight.';
  }
  return event.rule ? ruleFault(event.rule, event.start) : null;
}

function created(state, fields) {
  const event = newEvent(state, { ...fields, title: (fields.title ?? '').trim() });
  const fault = eventFault(event);
  if (fault || state.events[event.id]) return withFault(state, fault ?? 'It exists already.');
  return committed(state, [{ id: event.id, after: event }], { text: `Added: ${event.title}` });
}

/** Changes fields for one day, for a day and all following ones, or for all. */
function edited(state, { id, original, scope = 'all', fields, newId }) {
  const event = state.events[id];
  if (!event) return state;
  if (scope !== 'all' && !isOriginal(event, original)) return withFault(state, 'It is gone.');
  const changes = {
    one: () => [{ id, after: withOneChanged(event, original, fields) }],
    following: () => {
      const { head, tail } = split(event, original, fields, newId);
      return head ? [{ id, after: head }, { id: newId, after: tail }] : [{ id, after: tail }];
    },
    all: () => [{ id, after: withAllChanged(event, startForAll(event, original, fields)) }],
  }[scope]();
  const fault = changes.map(({ after }) => eventFault(after)).find(Boolean);
  if (fault) return withFault(state, fault);
  return committed(state, changes, { text: `Changed: ${event.title}` });
}

/** Moves the whole series by as much as the user moved one day of it. */
function startForAll(event, original, fields) {
  if (!fields.start || !original) return fields;
  return { ...fields, start: addMinutes(event.start, minutesBetween(original, fields.start)) };
}

function deleted(state, { id, original, scope = 'all' }) {
  const event = state.events[id];
  if (!event) return state;
  const after = {
    one: () => withoutOne(event, original),
    following: () => withoutFollowing(event, original),
    all: () => null,
  }[scope]();
  return committed(state, [{ id, after }], { text: `Deleted: ${event.title}` });
}

/** A copy of one day, without the series and without the people. */
function duplicated(state, { id, original, newId, start }) {
  const event = state.events[id];
  if (!event) return state;
  const day = occurrenceOf(event, original ?? event.start);
  const copy = newEvent(state, {
    id: newId, title: day.title, place: day.place, notes: day.notes, zone: day.zone,
    calendarId: day.calendarId, isAllDay: day.isAllDay, minutes: day.minutes,
    start: start ?? day.wall, category: day.category,
  });
  return committed(state, [{ id: newId, after: copy }], { text: `Copied: ${event.title}` });
}

function restoredDay(state, { id, original }) {
  const event = state.events[id];
  if (!event) return state;
  return committed(state, [{ id, after: restored(event, original) }],
    { text: `As before: ${event.title}` });
}

export const eventHandlers = {
  'event/created': created,
  'event/edited': edited,
  'event/deleted': deleted,
  'event/duplicated': duplicated,
  'event/dayRestored': restoredDay,
};
