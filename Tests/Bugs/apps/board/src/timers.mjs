// The time that people work on cards. One person works on one card at a time.
import { MINUTE, dayOf } from './dates.mjs';
import { omitted } from './records.mjs';

export const initialTimers = { running: {}, spent: {} };

const LONGEST = 10 * 60 * MINUTE;

export function timersReducer(timers, action) {
  switch (action.type) {
    case 'timers/started': {
      const stopped = stop(timers, action.by, action.at);
      const entry = { cardId: action.cardId, since: action.at };
      return { ...stopped, running: { ...stopped.running, [action.by]: entry } };
    }
    case 'timers/stopped':
      return stop(timers, action.by, action.at);
    case 'timers/booked': {
      const minutes = Math.max(0, Math.round(action.minutes));
      return booked(timers, action.cardId, action.by, action.day, minutes);
    }
    case 'members/left':
      return stop(timers, action.id, action.at);
    case 'cards/deleted': {
      const owner = Object.keys(timers.running)
        .find((id) => timers.running[id].cardId === action.id);
      const running = owner ? omitted(timers.running, owner) : timers.running;
      return { running, spent: omitted(timers.spent, action.id) };
    }
    default:
      return timers;
  }
}

function stop(timers, by, at) {
  const entry = timers.running[by];
  if (!entry) return timers;
  const running = omitted(timers.running, by);
  const time = Math.min(at - entry.since, LONGEST);
  const minutes = Math.round(time / MINUTE);
  return booked({ ...timers, running }, entry.cardId, by, dayOf(entry.since), minutes);
}

function booked(timers, cardId, by, day, minutes) {
  if (minutes === 0) return timers;
  const entries = timers.spent[cardId] ?? [];
  const at = entries.findIndex((entry) => entry.by === by && entry.day === day);
  const next = at < 0
    ? [...entries, { by, day, minutes }]
    : entries.map((entry, index) =>
      (index === at ? { ...entry, minutes: entry.minutes + minutes } : entry));
  return { ...timers, spent: { ...timers.spent, [cardId]: next } };
}

export function minutesOn(timers, cardId) {
  return (timers.spent[cardId] ?? []).reduce((sum, entry) => sum + entry.minutes, 0);
}

/** The minutes of a person on each day of a time, for a sheet of hours. */
export function sheetOf(timers, memberId, from, to) {
  const sheet = {};
  for (const [cardId, entries] of Object.entries(timers.spent)) {
    for (const { by, day, minutes } of entries) {
      if (by !== memberId || day < from || day > to) continue;
      sheet[day] ??= { minutes: 0, cardIds: [] };
      sheet[day].minutes += minutes;
      sheet[day].cardIds.push(cardId);
    }
  }
  return sheet;
}
