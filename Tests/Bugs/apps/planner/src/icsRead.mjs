// Calendar files of other programs.
import { addDays, DAY, HOUR, isWall, minutesBetween, wallMinutes, WEEK } from './civil.mjs';
import { parseLine, unescaped, unfolded } from './icsLines.mjs';
import { mapValues } from './lists.mjs';
import { attendee } from './people.mjs';
import { parseRule } from './ruleText.mjs';
import { isZone, toWall } from './zones.mjs';

const ANSWERS = { ACCEPTED: 'accepted', TENTATIVE: 'tentative', DECLINED: 'declined' };

/** `{ events, faults }`; each fault names the event that was left out, and why. */
export function readCalendar(text, zone) {
  const blocks = blocksOf(unfolded(text).map(parseLine).filter(Boolean)), faults = [];
  const mains = [], days = [];
  for (const block of blocks) {
    const { event, fault } = readEvent(block, zone);
    if (fault) faults.push(`${valueOf(block, 'SUMMARY') || 'An event'}: ${fault}`);
    else (event.original ? days : mains).push(event);
  }
  const events = mains.map((event) => withDays(event, days));
  return { events, faults };
}

/** The lines of each event, those of its alarms apart. */
function blocksOf(lines) {
  const blocks = [];
  let block = null, trigger = null;
  for (const line of lines) {
    const marker = `${line.name}:${line.value.toUpperCase()}`;
    if (marker === 'BEGIN:VEVENT') block = { lines: [], triggers: [] };
    else if (marker === 'END:VEVENT' && block) {
      blocks.push(block);
      block = null;
    } else if (marker === 'BEGIN:VALARM') trigger = [];
    else if (marker === 'END:VALARM') {
      if (block && trigger) block.triggers.push(...trigger);
      trigger = null;
    } else if (trigger) {
      if (line.name === 'TRIGGER') trigger.push(line.value);
    } else if (block) block.lines.push(line);
  }
  return blocks;
}

const lineOf = ({ lines }, name) => lines.find((line) => line.name === name);

const valueOf = (block, name) => unescaped(lineOf(block, name)?.value ?? '');

function readEvent(block, zone) {
  const begin = readMoment(lineOf(block, 'DTSTART'), zone);
  if (!begin) return { fault: 'its begin cannot be read.' };
  const rule = lineOf(block, 'RRULE') ? parseRule(lineOf(block, 'RRULE').value) : { rule: null };
  if (rule.fault) return { fault: `${rule.fault} is not known here.` };
  const minutes = lengthOf(block, begin, zone);
  if (minutes === null || minutes < 0) return { fault: 'it ends before it begins.' };
  const original = readMoment(lineOf(block, 'RECURRENCE-ID'), begin.zone);
  return {
    event: {
      uid: valueOf(block, 'UID'), title: valueOf(block, 'SUMMARY'),
      place: valueOf(block, 'LOCATION'), notes: valueOf(block, 'DESCRIPTION'),
      category: valueOf(block, 'CATEGORIES') || null,
      start: begin.wall, zone: begin.zone, isAllDay: begin.isAllDay, minutes, rule: rule.rule,
      skipped: block.lines.filter(({ name }) => name === 'EXDATE')
        .flatMap((line) => line.value.split(',').map((value) => ({ ...line, value })))
        .map((line) => readMoment(line, begin.zone)?.wall).filter(Boolean).sort(),
      sequence: Number(valueOf(block, 'SEQUENCE') || 0),
      attendees: block.lines.filter(({ name }) => name === 'ATTENDEE').map(readPerson),
      alarms: block.triggers.map(readDuration).filter((before) => before !== null),
      isBusy: valueOf(block, 'TRANSP') !== 'TRANSPARENT', original: original?.wall ?? null,
    },
  };
}

/** `20240305`, `20240305T093000`; with `Z` an instant that becomes a time of the user's zone. */
function readMoment(line, zone) {
  const found = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})\d{2}(Z?))?$/.exec(line?.value ?? '');
  if (!found) return null;
  const [, year, month, day, hour = '00', minute = '00', isUtc] = found;
  const wall = `${year}-${month}-${day}T${hour}:${minute}`;
  if (!isWall(wall)) return null;
  if (isUtc) return { wall: toWall(wallMinutes(wall), zone), zone, isAllDay: false };
  const own = line.params.TZID && isZone(line.params.TZID) ? line.params.TZID : zone;
  return { wall, zone: own, isAllDay: found[4] === undefined };
}

function lengthOf(block, begin, zone) {
  const end = readMoment(lineOf(block, 'DTEND'), zone);
  if (end) return minutesBetween(begin.wall, end.wall);
  const duration = lineOf(block, 'DURATION');
  if (duration) return readDuration(`-${duration.value}`);
  return begin.isAllDay ? minutesBetween(begin.wall, `${addDays(begin.wall, 1)}T00:00`) : 0;
}

/** Minutes of `-P1DT2H`, `-PT15M`; null if the trigger is after the start. */
function readDuration(text) {
  const found = /^-P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:\d+S)?)?$/.exec(text);
  if (!found) return null;
  const [weeks, days, hours, minutes] = found.slice(1).map((part) => Number(part ?? 0));
  return weeks * WEEK + days * DAY + hours * HOUR + minutes;
}

function readPerson({ params, value }) {
  return {
    ...attendee({
      name: params.CN ?? '', address: value.replace(/^mailto:/i, ''),
      isOptional: params.ROLE === 'OPT-PARTICIPANT',
    }),
    answer: ANSWERS[params.PARTSTAT] ?? 'needsAction',
  };
}

/** Adds the days with own fields to their series. */
function withDays({ original, ...event }, days) {
  const own = days.filter(({ uid }) => uid === event.uid);
  const changes = Object.fromEntries(own.map((day) => [day.original, {
    start: day.start, minutes: day.minutes, title: day.title, place: day.place, notes: day.notes,
  }]));
  const kept = mapValues(changes, (fields) => Object.fromEntries(
    Object.entries(fields).filter(([key, value]) => key === 'start' || value !== event[key])));
  return { ...event, changes: original === null ? kept : {} };
}
