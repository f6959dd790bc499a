// The hours of a month as a table for the office, and tables of events from others.
import { addDays, addMonths, HOUR, isWall, startOfMonth, timeOf } from './civil.mjs';
import { committed } from './commit.mjs';
import { entriesBetween } from './dayIndex.mjs';
import { eventFault, newEvent } from './events.mjs';
import { plural } from './lists.mjs';
import { withFault } from './notices.mjs';
import { occurrenceOf } from './occurrences.mjs';
import { toWall } from './zones.mjs';

const HEADS = ['date', 'from', 'to', 'hours', 'title', 'category'];

const cell = (value) => (/[",\n;]/.test(value) ? `"${value.replace(/"/g, '""')}"` : value);

/** The past events of a month, one row each. */
export function timesheet(state, date) {
  const from = startOfMonth(date), to = addMonths(from, 1), { zone } = state.settings;
  const rows = entriesBetween(state.index, from, to)
    .map(({ eventId, original }) => occurrenceOf(state.events[eventId], original))
    .filter(({ isAllDay, isBusy, end }) => !isAllDay && isBusy && end <= state.now)
    .map(({ start, end, title, category }) => {
      const wall = toWall(start, zone), hours = ((end - start) / HOUR).toFixed(2);
      const times = [timeOf(wall), timeOf(toWall(end, zone))];
      return [wall.slice(0, 10), ...times, hours, title, category ?? ''];
    });
  return [HEADS, ...rows].map((row) => row.map(cell).join(',')).join('\n');
}

/** Rows of a table with commas, quotation marks and line breaks within them. */
export function readTable(text) {
  const rows = [[]];
  let value = '', isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const sign = text[index];
    if (isQuoted) {
      if (sign !== '"') value += sign;
      else if (text[index + 1] === '"') {
        value += '"';
        index += 1;
      } else isQuoted = false;
    } else if (sign === '"' && value === '') isQuoted = true;
    else if (sign === ',' || sign === '\n') {
      rows.at(-1).push(value.trim());
      if (sign === '\n') rows.push([]);
      value = '';
    } else value += sign;
  }
  rows.at(-1).push(value.trim());
  return rows.filter((row) => row.some(Boolean));
}

/** Events from a table that has at least a date and a title. */
function tableImported(state, { id, text }) {
  const [heads = [], ...rows] = readTable(text);
  const column = (name) => heads.findIndex((head) => head.toLowerCase() === name);
  if (column('date') < 0 || column('title') < 0) {
    return withFault(state, 'The table needs the columns date and title.');
  }
  const events = rows.map((row, index) => rowEvent(state, `${id}.${index}`,
    Object.fromEntries(HEADS.map((name) => [name, row[column(name)] ?? '']))));
  const wrong = events.filter((event) => !event || eventFault(event)).length;
  const changes = events.filter((event) => event && !eventFault(event))
    .map((event) => ({ id: event.id, after: event }));
  const next = committed(state, changes, { text: `Imported ${plural(changes.length, 'row')}` });
  return wrong ? withFault(next, `${plural(wrong, 'row')} cannot be read.`) : next;
}

function rowEvent(state, id, { date, from, to, hours, title, category }) {
  const fields = { id, title, category: category || null, alarms: [] };
  if (!from) {
    const whole = { isAllDay: true, start: `${date}T00:00`, minutes: 24 * HOUR };
    return newEvent(state, { ...fields, ...whole });
  }
  const start = `${date}T${from.padStart(5, '0')}`;
  const end = `${from > to ? addDays(date, 1) : date}T${to.padStart(5, '0')}`;
  if (!isWall(start) || (to && !isWall(end))) return null;
  const minutes = to ? (Date.parse(`${end}Z`) - Date.parse(`${start}Z`)) / 60_000
    : Math.round(Number(hours || 1) * HOUR);
  return newEvent(state, { ...fields, start, minutes });
}

export const tableHandlers = { 'table/imported': tableImported };
