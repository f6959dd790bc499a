// Rules of repetition as files have them, `FREQ=WEEKLY;BYDAY=MO,WE;COUNT=10`, and as people say.
import { partsOf } from './civil.mjs';
import { listed } from './lists.mjs';
import { plainRule } from './recurrence.mjs';

const CODES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const FREQS = ['daily', 'weekly', 'monthly', 'yearly'];

export function formatRule({ freq, interval, count, until, days, monthDays }) {
  const parts = [`FREQ=${freq.toUpperCase()}`];
  if (interval > 1) parts.push(`INTERVAL=${interval}`);
  if (days.length) {
    const codes = days.map(({ weekday, nth }) => `${nth ?? ''}${CODES[weekday]}`);
    parts.push(`BYDAY=${codes.join(',')}`);
  }
  if (monthDays.length) parts.push(`BYMONTHDAY=${monthDays.join(',')}`);
  if (count !== null) parts.push(`COUNT=${count}`);
  if (until !== null) parts.push(`UNTIL=${until.replaceAll('-', '')}`);
  return parts.join(';');
}

/** `{ rule }` or `{ fault }`. */
export function parseRule(text) {
  const fields = Object.fromEntries(text.split(';').filter(Boolean)
    .map((part) => part.split('=').map((item) => item.trim().toUpperCase())));
  const freq = fields.FREQ?.toLowerCase();
  if (!FREQS.includes(freq)) return { fault: `Repetition ${fields.FREQ ?? 'without FREQ'}` };
  const days = (fields.BYDAY ?? '').split(',').filter(Boolean).map(parseDay);
  if (days.includes(null)) return { fault: `Weekdays ${fields.BYDAY}` };
  const monthDays = (fields.BYMONTHDAY ?? '').split(',').filter(Boolean).map(Number);
  const until = fields.UNTIL ? parseUntil(fields.UNTIL) : null;
  if (fields.UNTIL && !until) return { fault: `End ${fields.UNTIL}` };
  return {
    rule: plainRule(freq, {
      interval: Number(fields.INTERVAL ?? 1), days, monthDays, until,
      count: fields.COUNT ? Number(fields.COUNT) : null,
    }),
  };
}

function parseDay(text) {
  const found = /^([+-]?\d)?([A-Z]{2})$/.exec(text);
  const weekday = found ? CODES.indexOf(found[2]) : -1;
  return weekday < 0 ? null : { weekday, nth: found[1] ? Number(found[1]) : null };
}

function parseUntil(text) {
  const found = /^(\d{4})(\d{2})(\d{2})/.exec(text);
  return found && `${found[1]}-${found[2]}-${found[3]}`;
}

const UNITS = { daily: 'day', weekly: 'week', monthly: 'month', yearly: 'year' };
const ORDINALS = { 1: 'first', 2: 'second', 3: 'third', 4: 'fourth', 5: 'fifth', '-1': 'last' };

/** `every second week on Monday and Friday, 10 times` */
export function describeRule(rule, first) {
  const { freq, interval, count, until } = rule;
  const every = interval === 1 ? `every ${UNITS[freq]}`
    : interval === 2 ? `every second ${UNITS[freq]}` : `every ${interval} ${UNITS[freq]}s`;
  const end = count !== null ? `, ${count} times` : until !== null ? `, until ${until}` : '';
  return `${isOnWorkdays(rule) ? 'every workday' : every + daysIn(rule, first)}${end}`;
}

function isOnWorkdays({ freq, interval, days }) {
  return freq === 'weekly' && interval === 1
    && days.map(({ weekday }) => weekday).sort().join() === '1,2,3,4,5';
}

function daysIn({ freq, days, monthDays }, first) {
  if (freq === 'daily' || freq === 'yearly') return '';
  if (monthDays.length) return ` on day ${listed(monthDays.map(dayName))}`;
  if (days.length) {
    const names = days.map(({ weekday, nth }) =>
      (nth === null ? NAMES[weekday] : `the ${ORDINALS[nth]} ${NAMES[weekday]}`));
    return ` on ${listed(names)}`;
  }
  return freq === 'monthly' ? ` on day ${partsOf(first).day}` : '';
}

const dayName = (day) => (day === -1 ? 'the last' : String(day));

export const weekdayName = (weekday) => NAMES[weekday];

export function weekdayNamed(text) {
  const wanted = text.toLowerCase().replace(/s$/, '');
  return wanted.length < 3 ? -1
    : NAMES.findIndex((name) => name.toLowerCase().startsWith(wanted));
}
