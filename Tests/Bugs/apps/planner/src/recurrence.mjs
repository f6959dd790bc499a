// The days on which something repeats. A rule is `{ freq, interval, count, until, days,
// monthDays }`, where `days` are `{ weekday, nth }`; `nth` is null, or counts weekdays in a month.
import {
  addDays, addMonths, dateFrom, daysBetween, monthLength, nthWeekday, partsOf, sameDayLater,
  startOfMonth, startOfWeek, weekdayOf,
} from './civil.mjs';
import { unique } from './lists.mjs';

export const plainRule = (freq, fields = {}) =>
  ({ freq, interval: 1, count: null, until: null, days: [], monthDays: [], ...fields });

/** No rule of this program looks further ahead than this from its first day. */
const FARTHEST = 366 * 30;

/** The days of a rule in order, the first one included, whether the rule names it or not. */
export function* datesOf(rule, first) {
  let given = 0;
  for (const date of candidates(rule, first)) {
    if (rule.until !== null && date > rule.until) return;
    if (rule.count !== null && given >= rule.count) return;
    given += 1;
    yield date;
  }
}

function* candidates(rule, first) {
  yield first;
  for (const date of periods(rule, first)) {
    if (daysBetween(first, date) > FARTHEST) return;
    if (date > first) yield date;
  }
}

function* periods(rule, first) {
  for (let index = 0; ; index += 1) {
    const step = index * rule.interval;
    switch (rule.freq) {
      case 'daily': yield* onDays(rule, addDays(first, step)); break;
      case 'weekly': yield* inWeek(rule, first, addDays(startOfWeek(first, 1), step * 7)); break;
      case 'monthly': yield* inMonth(rule, first, addMonths(startOfMonth(first), step)); break;
      default: yield* inYear(rule, first, step);
    }
  }
}

function* onDays({ days }, date) {
  if (days.length === 0 || days.some(({ weekday }) => weekday === weekdayOf(date))) yield date;
  else yield* [];
}

/** Weeks begin on Monday, so that Sunday is the last day of one. */
function inWeek({ days }, first, monday) {
  const weekdays = days.length ? days.map(({ weekday }) => weekday) : [weekdayOf(first)];
  return weekdays.map((weekday) => addDays(monday, (weekday + 6) % 7)).sort();
}

function inMonth({ days, monthDays }, first, start) {
  const { year, month } = partsOf(start), length = monthLength(year, month);
  if (monthDays.length) {
    const numbers = monthDays.map((day) => (day > 0 ? day : length + 1 + day))
      .filter((day) => day >= 1 && day <= length);
    return unique(numbers).sort((one, other) => one - other)
      .map((day) => dateFrom(year, month, day));
  }
  if (days.length) {
    return days.map(({ weekday, nth }) => nthWeekday(year, month, weekday, nth ?? 1))
      .filter(Boolean).sort();
  }
  const { day } = partsOf(first);
  return day <= length ? [dateFrom(year, month, day)] : [];
}

/** 29 February repeats in leap years alone. */
function inYear({ days }, first, years) {
  const date = sameDayLater(first, years * 12);
  if (days.length === 0) return date ? [date] : [];
  const { year, month } = partsOf(addMonths(first, years * 12));
  return days.map(({ weekday, nth }) => nthWeekday(year, month, weekday, nth ?? 1))
    .filter(Boolean).sort();
}

export function datesBetween(rule, first, from, to) {
  const dates = [];
  for (const date of datesOf(rule, first)) {
    if (date >= to) break;
    if (date >= from) dates.push(date);
  }
  return dates;
}

export function lastDate(rule, first) {
  if (rule.count === null && rule.until === null) return null;
  let last = first;
  for (const date of datesOf(rule, first)) last = date;
  return last;
}

/** The rule of the same things some days later: weekdays move on, days of a month do not. */
export function movedRule(rule, days) {
  const weekdayAfter = (weekday) => (((weekday + days) % 7) + 7) % 7;
  return {
    ...rule,
    days: rule.days.map(({ weekday, nth }) => ({ weekday: weekdayAfter(weekday), nth })),
    until: rule.until && addDays(rule.until, days),
  };
}

/** The reason why a rule is invalid, or null. */
export function ruleFault({ interval, count, until }, first) {
  if (!Number.isInteger(interval) || interval < 1 || interval > 99) {
    return 'A repetition needs a distance from 1 to 99.';
  }
  if (count !== null && (!Number.isInteger(count) || count < 1 || count > 500)) {
    return 'Something can repeat from 1 to 500 times.';
  }
  return until !== null && until < first.slice(0, 10) ? 'It would end before it begins.' : null;
}
