// Statistics: hours by calendar, category and person.
import { addDays, DAY, HOUR, startOfWeek } from './civil.mjs';
import { gaps, ownBusy, united } from './busy.mjs';
import { entriesBetween } from './dayIndex.mjs';
import { grouped, sum } from './lists.mjs';
import { occurrenceOf } from './occurrences.mjs';
import { dateIn, startOfDate } from './zones.mjs';

function heldBetween(state, from, to) {
  return entriesBetween(state.index, from, to)
    .map(({ eventId, original }) => occurrenceOf(state.events[eventId], original))
    .filter(({ isAllDay, isBusy }) => !isAllDay && isBusy);
}

const hours = (occurrences) =>
  Math.round(sum(occurrences, ({ start, end }) => end - start) / HOUR * 10) / 10;

/** Hours of a week by calendar and by category, the most first. */
export function hoursOfWeek(state, date) {
  const from = startOfWeek(date, state.settings.weekStart);
  const held = heldBetween(state, from, addDays(from, 7));
  const table = (keyOf) => [...grouped(held, keyOf)]
    .map(([name, own]) => ({ name, hours: hours(own) }))
    .sort((one, other) => other.hours - one.hours || (one.name < other.name ? -1 : 1));
  return {
    calendars: table(({ calendarId }) => state.calendars.byId[calendarId]?.name ?? 'Other'),
    categories: table(({ category }) => category ?? 'none'),
    total: hours(held),
  };
}

export function peopleOfWeek(state, date) {
  const from = startOfWeek(date, state.settings.weekStart);
  const pairs = heldBetween(state, from, addDays(from, 7))
    .flatMap((one) => one.attendees.map(({ address }) => ({ address, one })));
  return [...grouped(pairs, ({ address }) => address)]
    .map(([address, own]) => ({ address, hours: hours(own.map(({ one }) => one)) }))
    .sort((one, other) => other.hours - one.hours || (one.address < other.address ? -1 : 1))
    .slice(0, 5);
}

/** Stretches without meetings that are long enough for real work. */
export function quietTimes(state, date, shortest = 2 * HOUR) {
  const { zone, workFrom, workTo } = state.settings;
  const midnight = startOfDate(date, zone);
  const at = (time) => midnight + Number(time.slice(0, 2)) * HOUR + Number(time.slice(3));
  const [from, to] = [at(workFrom), at(workTo)];
  return gaps(ownBusy(state, from, to), from, to).filter((gap) => gap.to - gap.from >= shortest);
}

/** The share of the working time of the last days that meetings took. */
export function meetingShare(state, days = 5) {
  const today = dateIn(state.now, state.settings.zone), { workFrom, workTo } = state.settings;
  const length = Number(workTo.slice(0, 2)) - Number(workFrom.slice(0, 2));
  const held = heldBetween(state, addDays(today, -days), today)
    .filter(({ attendees }) => attendees.length > 0);
  const taken = sum(united(held.map(({ start, end }) => ({ from: start, to: end }))),
    ({ from, to }) => Math.min(to - from, DAY));
  return Math.round(100 * taken / (length * HOUR * days));
}
