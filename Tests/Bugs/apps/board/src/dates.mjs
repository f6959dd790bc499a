// Days are texts such as "2026-11-30"; moments are milliseconds since 1970, in UTC.
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

function padded(number, width = 2) {
  return String(number).padStart(width, '0');
}

export function dayOf(moment) {
  const date = new Date(moment);
  const month = padded(date.getUTCMonth() + 1);
  return `${padded(date.getUTCFullYear(), 4)}-${month}-${padded(date.getUTCDate())}`;
}

function startOf(day) {
  const [year, month, date] = day.split('-').map(Number);
  return Date.UTC(year, month - 1, date);
}

export function isDay(text) {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && dayOf(startOf(text)) === text;
}

export function addDays(day, count) {
  return dayOf(startOf(day) + count * DAY);
}

export function daysBetween(from, to) {
  return Math.round((startOf(to) - startOf(from)) / DAY);
}

/** 0 is Monday. */
function weekdayOf(day) {
  return (new Date(startOf(day)).getUTCDay() + 6) % 7;
}

function startOfWeek(day) {
  return addDays(day, -weekdayOf(day));
}

export function isWeekend(day) {
  return weekdayOf(day) >= 5;
}

/** The working days after `from`, up to `to` and with it. */
export function workingDaysBetween(from, to) {
  if (to <= from) return 0;
  let count = 0;
  for (let day = addDays(from, 1); day <= to; day = addDays(day, 1)) {
    if (!isWeekend(day)) count += 1;
  }
  return count;
}

function nextWeekday(today, weekday) {
  const ahead = (weekday - weekdayOf(today) + 7) % 7;
  return addDays(today, ahead === 0 ? 7 : ahead);
}

function fromMonthName(today, date, name) {
  const month = MONTHS.findIndex((each) => each.toLowerCase() === name.slice(0, 3));
  if (month < 0) return undefined;
  const year = Number(today.slice(0, 4));
  const day = `${padded(year, 4)}-${padded(month + 1)}-${padded(date)}`;
  if (!isDay(day)) return undefined;
  if (day >= today) return day;
  const later = `${padded(year + 1, 4)}${day.slice(4)}`;
  return isDay(later) ? later : undefined;
}

/** Reads a typed day: "today", "fri", "in 3 days", "2w", "12 dec", "2026-12-24". */
export function parsedDay(text, today) {
  const words = text.trim().toLowerCase();
  if (isDay(words)) return words;
  if (words === 'today') return today;
  if (words === 'tomorrow') return addDays(today, 1);
  if (words === 'next week') return addDays(startOfWeek(today), 7);
  const ahead = /^(?:in )?(\d{1,3}) ?(d|days?|w|weeks?)$/.exec(words);
  if (ahead) {
    const unit = ahead[2].startsWith('w') ? 7 : 1;
    return addDays(today, Number(ahead[1]) * unit);
  }
  const named = /^(\d{1,2})\.? ([a-z]{3,9})$/.exec(words);
  if (named) return fromMonthName(today, Number(named[1]), named[2]);
  const weekday = WEEKDAYS.findIndex((each) => words.length >= 3 && each.startsWith(words));
  return weekday < 0 ? undefined : nextWeekday(today, weekday);
}

export function shortDay(day, today) {
  const distance = daysBetween(today, day);
  if (distance === 0) return 'today';
  if (distance === 1) return 'tomorrow';
  if (distance === -1) return 'yesterday';
  const [year, month, date] = day.split('-').map(Number);
  const name = `${date} ${MONTHS[month - 1]}`;
  return day.slice(0, 4) === today.slice(0, 4) ? name : `${name} ${year}`;
}

export function duration(milliseconds) {
  const minutes = Math.floor(milliseconds / MINUTE);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return rest ? `${hours} h ${rest} min` : `${hours} h`;
}

export function ago(moment, now) {
  const passed = now - moment;
  if (passed < MINUTE) return 'just now';
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min ago`;
  if (passed < DAY) return `${Math.floor(passed / HOUR)} h ago`;
  return shortDay(dayOf(moment), dayOf(now));
}
