// Time is counted in minutes since the shop opened, on Monday, 2026-03-02, at 0:00.

export const HOUR = 60;
export const DAY = 24 * HOUR;

const MONTH_NAMES = [
  'Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec',
];
const OPENED = { year: 2026, month: 3, day: 2 };

export const dayOf = (minute) => Math.floor(minute / DAY);

const isLeap = (year) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

function monthLength(year, month) {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function dateOf(minute) {
  let { year, month, day } = OPENED;
  day += dayOf(minute);
  while (day > monthLength(year, month)) {
    day -= monthLength(year, month);
    month++;
    if (month > 12) [year, month] = [year + 1, 1];
  }
  return { year, month, day };
}

export function formatDay(minute) {
  const { year, month, day } = dateOf(minute);
  return `${day} ${MONTH_NAMES[month - 1]} ${year}`;
}

export function formatTime(minute) {
  const inDay = minute - dayOf(minute) * DAY;
  const [hours, minutes] = [Math.floor(inDay / HOUR), inDay % HOUR];
  return `${formatDay(minute)}, ${hours}:${String(minutes).padStart(2, '0')}`;
}

/** 0 is Monday and 6 is Sunday. */
export const weekdayOf = (minute) => dayOf(minute) % 7;

const isWorkday = (minute) => weekdayOf(minute) < 5;

/** The begin of the day after so many workdays. */
export function addWorkdays(minute, count) {
  let at = dayOf(minute) * DAY;
  for (let left = count; left > 0;) {
    at += DAY;
    if (isWorkday(at)) left--;
  }
  return at;
}

/** The key of a month, such as `2026-03`, by which reports are grouped. */
export function monthKey(minute) {
  const { year, month } = dateOf(minute);
  return `${year}-${String(month).padStart(2, '0')}`;
}

/** Whether a time is in a window: from its begin on, and before its end if it has one. */
export const isWithin = (minute, { from = 0, until = null }) => (
  minute >= from && (until === null || minute < until));
