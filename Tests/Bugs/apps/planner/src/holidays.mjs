// Holidays by rules: fixed days, days counted from Easter, and weekdays of a month.
import { addDays, dateFrom, nthWeekday, weekdayOf } from './civil.mjs';

/** Easter Sunday in the Gregorian calendar, by the method of Gauss as Lichtenberg completed it. */
function easter(year) {
  const century = Math.floor(year / 100);
  const moonShift = 15 + Math.floor((3 * century + 3) / 4) - Math.floor((8 * century + 13) / 25);
  const sunShift = 2 - Math.floor((3 * century + 3) / 4);
  const moon = (19 * (year % 19) + moonShift) % 30;
  const correction = Math.floor((moon + Math.floor((year % 19) / 11)) / 29);
  const limit = 21 + moon - correction;
  const firstSunday = 7 - ((year + Math.floor(year / 4) + sunShift) % 7);
  const distance = 7 - ((limit - firstSunday) % 7);
  return addDays(dateFrom(year, 3, 1), limit + distance - 1);
}

const fixed = (month, day) => (year) => dateFrom(year, month, day);
const afterEaster = (days) => (year) => addDays(easter(year), days);
const nth = (month, weekday, number) => (year) => nthWeekday(year, month, weekday, number);

/** A fixed day, or the next Monday if it is on a weekend. */
const movedToMonday = (month, day) => (year) => {
  const date = dateFrom(year, month, day), weekday = weekdayOf(date);
  return addDays(date, weekday === 6 ? 2 : weekday === 0 ? 1 : 0);
};

const COUNTRIES = {
  DE: [
    ['New Year', fixed(1, 1)], ['Good Friday', afterEaster(-2)], ['Easter Monday', afterEaster(1)],
    ['Labour Day', fixed(5, 1)], ['Ascension', afterEaster(39)], ['Whit Monday', afterEaster(50)],
    ['Unity Day', fixed(10, 3)], ['Christmas', fixed(12, 25)], ['Boxing Day', fixed(12, 26)],
  ],
  UK: [
    ['New Year', movedToMonday(1, 1)], ['Good Friday', afterEaster(-2)],
    ['Easter Monday', afterEaster(1)], ['Early May', nth(5, 1, 1)], ['Spring', nth(5, 1, -1)],
    ['Summer', nth(8, 1, -1)], ['Christmas', movedToMonday(12, 25)],
  ],
  US: [
    ['New Year', movedToMonday(1, 1)], ['Presidents', nth(2, 1, 3)], ['Memorial', nth(5, 1, -1)],
    ['Independence', movedToMonday(7, 4)], ['Labor', nth(9, 1, 1)], ['Thanksgiving', nth(11, 4, 4)],
  ],
};

export const hasCountry = (country) => Object.hasOwn(COUNTRIES, country);

export function holidaysOf(year, country) {
  return COUNTRIES[country].map(([name, dateIn]) => ({ name, date: dateIn(year) }))
    .sort((one, other) => (one.date < other.date ? -1 : 1));
}

export const holidayOn = (date, country) =>
  holidaysOf(Number(date.slice(0, 4)), country).find((one) => one.date === date)?.name ?? null;

export function nextWorkday(date, { workdays, country }) {
  let next = addDays(date, 1);
  while (!workdays.includes(weekdayOf(next)) || holidayOn(next, country)) next = addDays(next, 1);
  return next;
}
