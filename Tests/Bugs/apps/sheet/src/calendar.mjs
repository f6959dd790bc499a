// Dates as serial numbers: whole days since 1899-12-30, as other spreadsheets count.

const DAYS_BEFORE_EPOCH = 25569;
const MONTHS = [
  'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September',
  'October', 'November', 'December',
];
const WEEKDAYS = [
  'Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday',
];

export const monthNames = MONTHS;
export const weekdayNames = WEEKDAYS;

const isLeap = (year) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

export function daysInMonth(year, month) {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** The serial number of a day; a month outside of 1 to 12 moves the year. */
export function serialOf(year, month, day) {
  const months = year * 12 + month - 1;
  const fullYear = Math.floor(months / 12);
  const fullMonth = months - fullYear * 12 + 1;
  const shifted = fullMonth <= 2 ? fullYear - 1 : fullYear;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (fullMonth + (fullMonth > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100)
    + dayOfYear;
  return era * 146097 + dayOfEra - 719468 + DAYS_BEFORE_EPOCH;
}

export function dateOf(serial) {
  const days = Math.floor(serial) - DAYS_BEFORE_EPOCH + 719468;
  const era = Math.floor(days / 146097);
  const dayOfEra = days - era * 146097;
  const yearOfEra = Math.floor((dayOfEra - Math.floor(dayOfEra / 1460)
    + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) / 365);
  const dayOfYear = dayOfEra
    - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1,
  };
}

/** 1 is Sunday and 7 is Saturday. */
export const weekdayOf = (serial) => ((Math.floor(serial) - 1) % 7 + 7) % 7 + 1;

/** The same day in another month, or the last one of a shorter month. */
export function addMonths(serial, months) {
  const { year, month, day } = dateOf(serial);
  const first = dateOf(serialOf(year, month + months, 1));
  return serialOf(first.year, first.month, Math.min(day, daysInMonth(first.year, first.month)));
}

const padded = (number) => String(number).padStart(2, '0');

export function formatDate(serial, pattern = 'yyyy-mm-dd') {
  const { year, month, day } = dateOf(serial);
  return pattern.replace(/yyyy|mmmm|mmm|mm|dddd|dd/g, (part) => ({
    yyyy: String(year),
    mmmm: MONTHS[month - 1],
    mmm: MONTHS[month - 1].slice(0, 3),
    mm: padded(month),
    dddd: WEEKDAYS[weekdayOf(serial) - 1],
    dd: padded(day),
  })[part]);
}

function checkedDate(year, month, day) {
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  return isDay ? serialOf(year, month, day) : undefined;
}

/** The serial number of `2026-03-31`, `31.3.2026` or `31 Mar 2026`; undefined for other texts. */
export function parseDate(text) {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (iso) return checkedDate(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text);
  if (dotted) return checkedDate(Number(dotted[3]), Number(dotted[2]), Number(dotted[1]));
  const named = /^(\d{1,2}) ([A-Za-z]{3,9}) (\d{4})$/.exec(text);
  if (!named) return undefined;
  const month = MONTHS.findIndex((name) => (
    name.toLowerCase().startsWith(named[2].toLowerCase())));
  return month < 0 ? undefined : checkedDate(Number(named[3]), month + 1, Number(named[1]));
}
