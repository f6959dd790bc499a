import { addMonths, dateOf, daysInMonth, serialOf, weekdayOf } from '../calendar.mjs';
import { Failure } from '../values.mjs';
import { takes } from './given.mjs';

function endOfMonth(given) {
  const { year, month } = dateOf(addMonths(given.number(0), given.whole(1)));
  return serialOf(year, month, daysInMonth(year, month));
}

/** WEEKDAY: kind 1 counts from Sunday as 1, 2 from Monday as 1, 3 from Monday as 0. */
function weekday(given) {
  const sunday = weekdayOf(given.number(0));
  const monday = (sunday + 5) % 7;
  switch (given.whole(1, 1)) {
    case 1: return sunday;
    case 2: return monday + 1;
    case 3: return monday;
    default: throw new Failure('#NUM!');
  }
}

const isWorkday = (serial) => ![1, 7].includes(weekdayOf(serial));

function workdays(given) {
  const [first, last] = [given.whole(0), given.whole(1)];
  const holidays = given.has(2) ? given.list(2) : [];
  let count = 0;
  for (let day = Math.min(first, last); day <= Math.max(first, last); day++) {
    if (isWorkday(day) && !holidays.includes(day)) count++;
  }
  return first <= last ? count : -count;
}

/** DATEDIF: whole years, whole months or days between two dates. */
function difference(given) {
  const [first, last] = [given.whole(0), given.whole(1)];
  if (first > last) throw new Failure('#NUM!');
  const unit = given.text(2).toUpperCase();
  if (unit === 'D') return last - first;
  const [from, to] = [dateOf(first), dateOf(last)];
  const months = (to.year - from.year) * 12 + to.month - from.month - (to.day < from.day ? 1 : 0);
  if (unit === 'M') return months;
  if (unit === 'Y') return Math.floor(months / 12);
  throw new Failure('#NUM!');
}

export const dateFunctions = {
  TODAY: takes(0, 0, (given) => given.scope.today),
  DATE: takes(3, 3, (given) => serialOf(given.whole(0), given.whole(1), given.whole(2))),
  YEAR: takes(1, 1, (given) => dateOf(given.number(0)).year),
  MONTH: takes(1, 1, (given) => dateOf(given.number(0)).month),
  DAY: takes(1, 1, (given) => dateOf(given.number(0)).day),
  WEEKDAY: takes(1, 2, weekday),
  EDATE: takes(2, 2, (given) => addMonths(given.number(0), given.whole(1))),
  EOMONTH: takes(2, 2, endOfMonth),
  NETWORKDAYS: takes(2, 3, workdays),
  DATEDIF: takes(3, 3, difference),
};
