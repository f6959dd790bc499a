// Reminders: planned, shown, snoozed and handled ones.
import { addDays, DAY, timeOf } from './civil.mjs';
import { entriesBetween, keyOf } from './dayIndex.mjs';
import { filterKeys } from './lists.mjs';
import { occurrenceOf } from './occurrences.mjs';
import { dateIn, toWall } from './zones.mjs';

const DAYS_AHEAD = 2;

export const noReminders = { planned: [], shown: [], snoozed: [], handled: {} };

const reminderKey = (entry, before) => `${keyOf(entry)}|${before}`;

function remindersOf(state, entry) {
  const event = state.events[entry.eventId], day = occurrenceOf(event, entry.original);
  // Whole days start at midnight, so their reminders count from nine o'clock.
  const begin = day.isAllDay ? day.start + 9 * 60 : day.start;
  return event.alarms.map((before) => ({
    key: reminderKey(entry, before), eventId: entry.eventId, original: entry.original,
    at: begin - before, title: day.title,
  }));
}

/** The reminders of the next days, as the events are now. */
export function planned(state) {
  const { index, now, reminders } = state;
  if (index.from === null) return state;
  const today = dateIn(now, index.zone);
  const entries = entriesBetween(index, today, addDays(today, DAYS_AHEAD + 1));
  const waiting = entries.filter(({ end }) => end > now)
    .flatMap((entry) => remindersOf(state, entry))
    .filter(({ key, at }) => !Object.hasOwn(reminders.handled, key) && at < now + DAYS_AHEAD * DAY)
    .sort((one, other) => one.at - other.at || (one.key < other.key ? -1 : 1));
  const isThere = ({ eventId }) => Boolean(state.events[eventId]);
  return {
    ...state, reminders: {
      ...reminders, planned: waiting, shown: reminders.shown.filter(isThere),
      snoozed: reminders.snoozed.filter(isThere),
    },
  };
}

/** Shows the reminders that are due. */
export function rung(state) {
  const { reminders, now } = state;
  const isDue = ({ at }) => at <= now;
  const due = [...reminders.planned, ...reminders.snoozed].filter(isDue);
  if (due.length === 0) return state;
  const handled = { ...reminders.handled };
  for (const { key } of due) handled[key] = now;
  return {
    ...state, reminders: {
      planned: reminders.planned.filter((one) => !isDue(one)), handled,
      snoozed: reminders.snoozed.filter((one) => !isDue(one)),
      shown: [...reminders.shown.filter(({ key }) => !due.some((one) => one.key === key)), ...due],
    },
  };
}

/** `in 10 min, Standup, Fjord`: what a reminder says. */
export function reminderLine(state, { eventId, original }) {
  const day = occurrenceOf(state.events[eventId], original);
  const where = state.rooms.byId[day.roomId]?.name ?? day.place;
  return [startLine(state, day), day.title, where].filter(Boolean).join(', ');
}

function startLine({ now, settings }, { start, end, isAllDay }) {
  const wall = toWall(start, settings.zone), minutes = start - now;
  const isToday = wall.slice(0, 10) === dateIn(now, settings.zone);
  if (isAllDay) return isToday ? 'today' : wall.slice(0, 10);
  if (end <= now) return 'over';
  if (minutes <= 0) return minutes === 0 ? 'now' : `for ${-minutes} min`;
  if (minutes <= 90) return `in ${minutes} min`;
  return isToday ? `at ${timeOf(wall)}` : `${wall.slice(0, 10)} at ${timeOf(wall)}`;
}

function dismissed(state, { key }) {
  const { reminders } = state;
  return {
    ...state, reminders: {
      ...reminders, shown: reminders.shown.filter((one) => one.key !== key),
    },
  };
}

/** Comes again some minutes later, or some minutes before the event begins. */
function snoozed(state, { key, minutes, isBeforeStart = false }) {
  const { reminders, events } = state, one = reminders.shown.find((other) => other.key === key);
  if (!one || !events[one.eventId]) return state;
  const { start } = occurrenceOf(events[one.eventId], one.original);
  const at = isBeforeStart ? start - minutes : state.now + minutes;
  return {
    ...state, reminders: {
      ...reminders, shown: reminders.shown.filter((other) => other.key !== key),
      snoozed: [...reminders.snoozed, { ...one, at: Math.max(at, state.now + 1) }],
    },
  };
}

/** Drops old keys of handled reminders. */
export function tidied(state) {
  const { reminders, now } = state;
  const handled = filterKeys(reminders.handled, (key) => now - reminders.handled[key] < 30 * DAY);
  return { ...state, reminders: { ...reminders, handled } };
}

export const reminderHandlers = {
  'reminder/dismissed': dismissed,
  'reminder/snoozed': snoozed,
  'reminder/allDismissed': (state) => ({
    ...state, reminders: { ...state.reminders, shown: [] },
  }),
};
