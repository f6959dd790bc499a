// Clocks and working hours of other zones.
import { addDays, HOUR, minutesOfTime, timeOf, weekdayOf } from './civil.mjs';
import { sharedTime } from './findTime.mjs';
import { sum } from './lists.mjs';
import { cityOf, distance, shortName, startOfDate, toWall } from './zones.mjs';

const EARLY = 7 * HOUR, LATE = 21 * HOUR;

function partOfDay(minutes, isWorkday) {
  if (minutes < EARLY || minutes >= LATE) return 'night';
  return isWorkday && minutes >= 9 * HOUR && minutes < 17 * HOUR ? 'work' : 'free';
}

/** One row for each zone: its clock now, and the hours of the user's day over there. */
export function clockRows(state, zones, date) {
  const { zone, workdays } = state.settings, midnight = startOfDate(date, zone);
  return zones.map((id) => ({
    city: cityOf(id), name: shortName(state.now, id), now: timeOf(toWall(state.now, id)),
    distance: distance(state.now, zone, id),
    hours: Array.from({ length: 24 }, (_, hour) => {
      const wall = toWall(midnight + hour * HOUR, id);
      return partOfDay(minutesOfTime(timeOf(wall)), workdays.includes(weekdayOf(wall)));
    }),
  }));
}

/** The hours of a week in which all of some people work and are free. */
export function sharedHours(state, addresses, date) {
  const { zone } = state.settings;
  const times = sharedTime(state, addresses, startOfDate(date, zone),
    startOfDate(addDays(date, 7), zone));
  return Math.round(sum(times, ({ from, to }) => to - from) / HOUR * 10) / 10;
}
