// Events from one line: `Lunch with Ann tomorrow 12:30-13:30 at Café Sol every week #home !15m`.
import {
  addDays, addMinutes, DAY, HOUR, isWall, minutesBetween, timeFrom, weekdayOf, wallAt,
} from './civil.mjs';
import { plainRule } from './recurrence.mjs';
import { weekdayNamed } from './ruleText.mjs';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const UNITS = { m: 1, min: 1, minutes: 1, h: HOUR, hour: HOUR, hours: HOUR, d: DAY, days: DAY };

/** `{ title, start, minutes, isAllDay, rule, place, calendar, alarms, fault }` */
export function parseLine(line, { today, time, calendars }) {
  const parser = { words: line.trim().split(/\s+/), at: 0, title: [], today, time, calendars };
  const found = { date: null, from: null, minutes: null, rule: null, place: [], alarms: null };
  while (parser.at < parser.words.length) {
    const isUnderstood = READERS.some((read) => read(parser, found));
    if (isUnderstood) continue;
    parser.title.push(parser.words[parser.at]);
    parser.at += 1;
  }
  return finished(parser, found);
}

const word = ({ words, at }, ahead = 0) => (words[at + ahead] ?? '').toLowerCase();

function took(parser, count) {
  parser.at += count;
  return true;
}

const READERS = [
  readCalendar, readAlarm, readRule, readEnd, readDay, readDate, readTime, readLength, readPlace,
];

function readCalendar(parser, found) {
  if (!/^#\w/.test(word(parser))) return false;
  const wanted = word(parser).slice(1);
  const calendar = Object.values(parser.calendars)
    .find(({ name }) => name.toLowerCase().startsWith(wanted));
  found.calendarId = calendar?.id ?? null;
  found.fault = calendar ? found.fault : `There is no calendar ${wanted}.`;
  return took(parser, 1);
}

function readAlarm(parser, found) {
  const match = /^!(\d+)([mhd])$/.exec(word(parser));
  if (!match) return false;
  found.alarms = [...(found.alarms ?? []), Number(match[1]) * UNITS[match[2]]];
  return took(parser, 1);
}

/** `every day`, `every second week`, `every monday`, `every workday`, `weekly`. */
function readRule(parser, found) {
  const simple = { daily: 'daily', weekly: 'weekly', monthly: 'monthly', yearly: 'yearly' };
  if (Object.hasOwn(simple, word(parser))) {
    found.rule = plainRule(simple[word(parser)]);
    return took(parser, 1);
  }
  if (word(parser) !== 'every') return false;
  const isSecond = ['second', 'other'].includes(word(parser, 1)), shift = isSecond ? 2 : 1;
  const unit = word(parser, shift).replace(/s$/, '');
  const freq = { day: 'daily', week: 'weekly', month: 'monthly', year: 'yearly' }[unit];
  const weekday = weekdayNamed(unit);
  if (!freq && weekday < 0 && unit !== 'workday') return false;
  const days = unit === 'workday' ? [1, 2, 3, 4, 5] : weekday >= 0 ? [weekday] : [];
  found.rule = plainRule(freq ?? 'weekly', {
    interval: isSecond ? 2 : 1, days: days.map((day) => ({ weekday: day, nth: null })),
  });
  if (weekday >= 0 && found.date === null) found.date = nextWeekday(parser.today, weekday);
  return took(parser, shift + 1);
}

/** `5 times`, `until 2024-05-01`, somewhere behind the rule. */
function readEnd(parser, found) {
  if (!found.rule) return false;
  const count = Number(word(parser));
  if (count > 0 && word(parser, 1) === 'times') {
    found.rule = { ...found.rule, count };
    return took(parser, 2);
  }
  if (word(parser) === 'until' && isWall(`${word(parser, 1)}T00:00`)) {
    found.rule = { ...found.rule, until: word(parser, 1) };
    return took(parser, 2);
  }
  return false;
}

const nextWeekday = (today, weekday) =>
  addDays(today, ((weekday - weekdayOf(today) + 6) % 7) + 1);

function readDay(parser, found) {
  const shift = ['on', 'next'].includes(word(parser)) ? 1 : 0, name = word(parser, shift);
  const ahead = { today: 0, tonight: 0, tomorrow: 1 }[name];
  const weekday = weekdayNamed(name);
  if (ahead === undefined && weekday < 0) return false;
  found.date = ahead === undefined ? nextWeekday(parser.today, weekday)
    : addDays(parser.today, ahead);
  if (name === 'tonight') found.from ??= 19 * HOUR;
  return took(parser, shift + 1);
}

/** `5 mar`, `mar 5`, `2024-03-05`, each with a word before it. */
function readDate(parser, found) {
  const shift = word(parser) === 'on' ? 1 : 0;
  const [one, other] = [word(parser, shift), word(parser, shift + 1)];
  if (isWall(`${one}T00:00`)) {
    found.date = one;
    return took(parser, shift + 1);
  }
  const [dayText, monthText] = /^\d/.test(one) ? [one, other] : [other, one];
  const month = MONTHS.indexOf(monthText.slice(0, 3)) + 1, day = Number(dayText);
  if (!month || !Number.isInteger(day) || day < 1) return false;
  const year = Number(parser.today.slice(0, 4)), date = dateIn(year, month, day);
  found.date = date >= parser.today ? date : dateIn(year + 1, month, day);
  return took(parser, shift + 2);
}

const dateIn = (year, month, day) =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

/** `12:30`, `at 9`, `5pm`, `12:30-13:30`, `9 to 10`. */
function readTime(parser, found) {
  const shift = ['at', 'from'].includes(word(parser)) ? 1 : 0;
  const [first, second] = word(parser, shift).split('-');
  const from = minutesOf(first, shift > 0);
  if (from === null) return false;
  found.from = from;
  const isRange = second === undefined && word(parser, shift + 1) === 'to';
  const to = isRange ? minutesOf(word(parser, shift + 2), true)
    : second === undefined ? null : minutesOf(second, true);
  if (to !== null) found.minutes = to > from ? to - from : to + DAY - from;
  return took(parser, shift + (isRange && to !== null ? 3 : 1));
}

function minutesOf(text, isBareAllowed) {
  const match = /^(\d{1,2})(?::(\d{2}))?(am|pm)?$/.exec(text);
  if (!match || (!isBareAllowed && !match[2] && !match[3])) return null;
  const [, hours, minutes = '0', half] = match;
  const hour = half ? (Number(hours) % 12) + (half === 'pm' ? 12 : 0) : Number(hours);
  return hour < 24 && Number(minutes) < 60 ? hour * HOUR + Number(minutes) : null;
}

/** `for 2 hours`, `45min`, `3 days`. */
function readLength(parser, found) {
  const shift = word(parser) === 'for' ? 1 : 0;
  const joined = /^(\d+(?:\.5)?)([a-z]+)$/.exec(word(parser, shift));
  const [count, unit] = joined ? [joined[1], joined[2]]
    : [word(parser, shift), word(parser, shift + 1)];
  if (!/^\d/.test(count) || !Object.hasOwn(UNITS, unit)) return false;
  found.minutes = Number(count) * UNITS[unit];
  return took(parser, shift + (joined ? 1 : 2));
}

/** `at Town Hall`, `@Office`: a word, and the capitalized words behind it. */
function readPlace(parser, found) {
  const isSign = word(parser).startsWith('@') && word(parser).length > 1;
  if (!isSign && (word(parser) !== 'at' || !word(parser, 1))) return false;
  const first = isSign ? parser.words[parser.at].slice(1) : parser.words[parser.at + 1];
  found.place.push(first);
  took(parser, isSign ? 1 : 2);
  while (/^[A-Z]/.test(parser.words[parser.at] ?? '') && weekdayNamed(word(parser)) < 0) {
    found.place.push(parser.words[parser.at]);
    took(parser, 1);
  }
  return true;
}

function finished({ title, today, time }, { date, from, minutes, rule, place, ...rest }) {
  const isAllDay = from === null;
  const isPast = date === null && from !== null && from <= time;
  const day = date ?? (isPast ? addDays(today, 1) : today);
  const start = wallAt(day, timeFrom(from ?? 0));
  const fault = rest.fault ?? (title.length === 0 ? 'It needs a title.'
    : isWall(start) ? null : 'This day does not exist.');
  return {
    title: title.join(' '), start, isAllDay, rule, place: place.join(' '), fault,
    minutes: isAllDay ? Math.max(DAY, Math.ceil((minutes ?? DAY) / DAY) * DAY) : minutes ?? HOUR,
    calendarId: rest.calendarId ?? null, alarms: rest.alarms,
  };
}

/** The preview below the field. */
export function preview({ title, start, minutes, isAllDay, place, fault }) {
  if (fault) return fault;
  const end = addMinutes(start, minutes);
  const days = Math.round(minutesBetween(start, end) / DAY);
  const length = days > 1 ? `${days} days` : 'all day';
  const time = isAllDay ? length : `${start.slice(11)}–${end.slice(11)}`;
  return [title, start.slice(0, 10), time, place].filter(Boolean).join(', ');
}
