// Days and times. Moments are milliseconds; `offset` is the minutes by which the user's clock is
// ahead of UTC.

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const MONTHS = [
  'Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec',
];
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const DAY_NAMES = [
  'sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday',
];
const two = (number) => String(number).padStart(2, '0');

export function partsOf(at, offset) {
  const date = new Date(at + offset * MINUTE);
  return {
    year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate(),
    hour: date.getUTCHours(), minute: date.getUTCMinutes(), second: date.getUTCSeconds(),
    weekday: date.getUTCDay(),
  };
}

function momentOf({ year, month, day, hour = 0, minute = 0 }, offset) {
  return Date.UTC(year, month - 1, day, hour, minute) - offset * MINUTE;
}

export function startOfDay(at, offset) {
  const local = at + offset * MINUTE;
  return Math.floor(local / DAY) * DAY - offset * MINUTE;
}

/** The last day of a month stays in it: a month after 31 January is the end of February. */
function addMonths(at, months, offset) {
  const { year, month, day, hour, minute } = partsOf(at, offset);
  const count = year * 12 + month - 1 + months;
  const target = { year: Math.floor(count / 12), month: (count % 12) + 1 };
  const length = new Date(Date.UTC(target.year, target.month, 0)).getUTCDate();
  return momentOf({ ...target, day: Math.min(day, length), hour, minute }, offset);
}

/** `2024-03-01`, `2024/3/1`, `today` and `yesterday`: the start of that day. */
export function parseDay(text, now, offset) {
  const word = text.toLowerCase();
  if (word === 'today') return startOfDay(now, offset);
  if (word === 'yesterday') return startOfDay(startOfDay(now, offset) - 1, offset);
  const found = /^(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?$/.exec(text);
  if (!found) return null;
  const [year, month, day] = [found[1], found[2], found[3] ?? 1].map(Number);
  const at = momentOf({ year, month, day }, offset);
  const parts = partsOf(at, offset);
  return parts.month === month && parts.day === day ? at : null;
}

const UNITS = { h: 'hours', d: 'days', w: 'weeks', m: 'months', y: 'years' };

/** `3d`, `2w`, `6m`: a length of time whose months are those of the calendar. */
export function parseSpan(text) {
  const found = /^(\d{1,4})([hdwmy])$/.exec(text.toLowerCase());
  return found ? { count: Number(found[1]), unit: UNITS[found[2]] } : null;
}

export function before(now, { count, unit }, offset) {
  switch (unit) {
    case 'hours': return now - count * HOUR;
    case 'days': return now - count * DAY;
    case 'weeks': return now - count * 7 * DAY;
    case 'months': return addMonths(now, -count, offset);
    default: return addMonths(now, -12 * count, offset);
  }
}

/** Parses a later moment: `in 2 hours`, `tomorrow 9:30`, `monday`, `evening`. */
export function parseMoment(text, now, offset) {
  const words = text.trim().toLowerCase().split(/\s+/);
  if (words[0] === 'in' && words.length === 3) return parseDistance(words, now, offset);
  const day = parseDayWord(words[0], now, offset);
  if (day === null) return null;
  const hour = words.length > 1 ? parseClock(words[1]) : day.clock;
  if (hour === null) return null;
  const at = day.start + hour * MINUTE;
  return at > now ? at : null;
}

function parseDistance([, count, unit], now, offset) {
  const number = count === 'a' || count === 'an' ? 1 : Number(count);
  const name = unit.endsWith('s') ? unit : `${unit}s`;
  if (!Number.isInteger(number) || number < 1) return null;
  switch (name) {
    case 'minutes': return now + number * MINUTE;
    case 'hours': return now + number * HOUR;
    case 'days': return now + number * DAY;
    case 'weeks': return now + number * 7 * DAY;
    case 'months': return addMonths(now, number, offset);
    default: return null;
  }
}

const MORNING = 8 * 60, EVENING = 18 * 60;

function parseDayWord(word, now, offset) {
  const today = startOfDay(now, offset);
  if (word === 'today' || word === 'evening') return { start: today, clock: EVENING };
  if (word === 'tomorrow') return { start: today + DAY, clock: MORNING };
  const weekday = DAY_NAMES.findIndex((name) => name.startsWith(word) && word.length > 2);
  if (weekday < 0) return null;
  const ahead = (weekday - partsOf(now, offset).weekday + 6) % 7 + 1;
  return { start: today + ahead * DAY, clock: MORNING };
}

/** Minutes since midnight of `9`, `9:30`, `9am`, `12:15pm`. */
function parseClock(text) {
  const found = /^(\d{1,2})(?::(\d{2}))?(am|pm)?$/.exec(text);
  if (!found) return null;
  const [, hours, minutes = '0', half] = found;
  const hour = half ? Number(hours) % 12 + (half === 'pm' ? 12 : 0) : Number(hours);
  return hour < 24 && Number(minutes) < 60 ? hour * 60 + Number(minutes) : null;
}

/** The short form in lists: the time today, the day this year, else the full date. */
export function formatWhen(at, now, offset) {
  const date = partsOf(at, offset), today = partsOf(now, offset);
  if (startOfDay(at, offset) === startOfDay(now, offset)) {
    return `${two(date.hour)}:${two(date.minute)}`;
  }
  if (date.year === today.year) return `${date.day} ${MONTHS[date.month - 1]}`;
  return formatDay(at, offset);
}

export function formatDay(at, offset) {
  const { year, month, day } = partsOf(at, offset);
  return `${year}-${two(month)}-${two(day)}`;
}

export function formatLong(at, offset) {
  const { year, month, day, hour, minute, weekday } = partsOf(at, offset);
  return `${DAYS[weekday]}, ${day} ${MONTHS[month - 1]} ${year} at ${two(hour)}:${two(minute)}`;
}

/** The date of a header: `Mon, 04 Mar 2024 08:15:00 +0100`. */
export function formatHeaderDate(at, offset) {
  const { year, month, day, hour, minute, second, weekday } = partsOf(at, offset);
  const ahead = Math.abs(offset);
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(ahead / 60))}${two(ahead % 60)}`;
  const time = `${two(hour)}:${two(minute)}:${two(second)}`;
  return `${DAYS[weekday]}, ${two(day)} ${MONTHS[month - 1]} ${year} ${time} ${zone}`;
}

export function parseHeaderDate(text) {
  const found =
    /^(?:\w{3},\s*)?(\d{1,2}) (\w{3}) (\d{4}) (\d{2}):(\d{2})(?::(\d{2}))? ([+-])(\d{2})(\d{2})/
      .exec(text.trim());
  if (!found) return null;
  const [, day, name, year, hour, minute, second = '0', sign, zoneHours, zoneMinutes] = found;
  const month = MONTHS.indexOf(name);
  if (month < 0) return null;
  const ahead = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -1 : 1);
  const local = Date.UTC(
    Number(year), month, Number(day), Number(hour), Number(minute), Number(second));
  return local - ahead * MINUTE;
}

export function formatDuration(milliseconds) {
  const minutes = Math.round(milliseconds / MINUTE);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  return `${Math.round(hours / 24)} days`;
}
