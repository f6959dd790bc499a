// Days and times of a clock on the wall: `2024-03-05` and `2024-03-05T09:30`. Texts of both kinds
// sort as they follow each other. Counts are minutes, or days since 1970.

export const HOUR = 60;
export const DAY = 24 * HOUR;
export const WEEK = 7 * DAY;

const MILLISECONDS = 86_400_000;
const two = (number) => String(number).padStart(2, '0');

export const dayNumber = (date) => {
  const [year, month, day] = date.slice(0, 10).split('-').map(Number);
  return Date.UTC(year, month - 1, day) / MILLISECONDS;
};

export function dateOf(number) {
  const date = new Date(number * MILLISECONDS);
  return dateFrom(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
}

export const dateFrom = (year, month, day) =>
  `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;

export function partsOf(date) {
  const [year, month, day] = date.slice(0, 10).split('-').map(Number);
  return { year, month, day };
}

export const addDays = (date, days) => dateOf(dayNumber(date) + days);

export const daysBetween = (from, to) => dayNumber(to) - dayNumber(from);

/** 0 is Sunday. 1970 began on a Thursday. */
export const weekdayOf = (date) => (((dayNumber(date) + 4) % 7) + 7) % 7;

export const monthLength = (year, month) => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** The same day some months on, or null where that month is too short for it. */
export function sameDayLater(date, months) {
  const { year, month, day } = partsOf(date);
  const count = year * 12 + month - 1 + months;
  const [later, laterMonth] = [Math.floor(count / 12), (count % 12) + 1];
  return day <= monthLength(later, laterMonth) ? dateFrom(later, laterMonth, day) : null;
}

/** As `sameDayLater`, with the last day of a month that is too short. */
export function addMonths(date, months) {
  const { year, month, day } = partsOf(date);
  const count = year * 12 + month - 1 + months;
  const [later, laterMonth] = [Math.floor(count / 12), (count % 12) + 1];
  return dateFrom(later, laterMonth, Math.min(day, monthLength(later, laterMonth)));
}

export const startOfMonth = (date) => `${date.slice(0, 7)}-01`;

export const startOfWeek = (date, weekStart) =>
  addDays(date, -((weekdayOf(date) - weekStart + 7) % 7));

/** The number of a week as ISO 8601 counts: its Thursday decides about the year. */
export function weekNumber(date) {
  const thursday = addDays(startOfWeek(date, 1), 3);
  return Math.floor(daysBetween(`${thursday.slice(0, 4)}-01-01`, thursday) / 7) + 1;
}

/** The first, second … or, from the end, the last of a weekday in a month; null for a fifth. */
export function nthWeekday(year, month, weekday, nth) {
  const length = monthLength(year, month);
  if (nth > 0) {
    const first = weekdayOf(dateFrom(year, month, 1));
    const day = 1 + ((weekday - first + 7) % 7) + (nth - 1) * 7;
    return day <= length ? dateFrom(year, month, day) : null;
  }
  const last = weekdayOf(dateFrom(year, month, length));
  const day = length - ((last - weekday + 7) % 7) + (nth + 1) * 7;
  return day >= 1 ? dateFrom(year, month, day) : null;
}

// --- With a time

export const timeOf = (wall) => wall.slice(11);

export const minutesOfTime = (time) => Number(time.slice(0, 2)) * HOUR + Number(time.slice(3, 5));

export const timeFrom = (minutes) => `${two(Math.floor(minutes / HOUR))}:${two(minutes % HOUR)}`;

export const wallMinutes = (wall) => dayNumber(wall) * DAY + minutesOfTime(timeOf(wall));

export function wallOf(minutes) {
  const days = Math.floor(minutes / DAY);
  return `${dateOf(days)}T${timeFrom(minutes - days * DAY)}`;
}

export const wallAt = (date, time) => `${date.slice(0, 10)}T${time}`;

export const addMinutes = (wall, minutes) => wallOf(wallMinutes(wall) + minutes);

export const minutesBetween = (from, to) => wallMinutes(to) - wallMinutes(from);

/** Tells whether a text is a valid day and time. */
export function isWall(text) {
  const found = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})$/.exec(text);
  if (!found) return false;
  const [year, month, day, hour, minute] = found.slice(1).map(Number);
  if (month < 1 || month > 12 || hour > 23 || minute > 59) return false;
  return day >= 1 && day <= monthLength(year, month);
}
