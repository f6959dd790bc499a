// Zones as fixed rules: the offset in winter, and start and end of summer time. Instants are
// minutes since 1970 in UTC.
import { DAY, dayNumber, HOUR, nthWeekday, wallMinutes, wallOf } from './civil.mjs';

/** `clock` says whose time `at` is: that of UTC, of winter, or the one on the wall. */
const SUMMERS = {
  europe: {
    begin: { month: 3, nth: -1, at: HOUR, clock: 'utc' },
    end: { month: 10, nth: -1, at: HOUR, clock: 'utc' },
  },
  america: {
    begin: { month: 3, nth: 2, at: 2 * HOUR, clock: 'wall' },
    end: { month: 11, nth: 1, at: 2 * HOUR, clock: 'wall' },
  },
  australia: {
    begin: { month: 10, nth: 1, at: 2 * HOUR, clock: 'winter' },
    end: { month: 4, nth: 1, at: 2 * HOUR, clock: 'winter' },
  },
};

const ZONES = {
  'Europe/London': { offset: 0, summer: 'europe', names: ['GMT', 'BST'] },
  'Europe/Berlin': { offset: HOUR, summer: 'europe', names: ['CET', 'CEST'] },
  'Europe/Athens': { offset: 2 * HOUR, summer: 'europe', names: ['EET', 'EEST'] },
  'America/New_York': { offset: -5 * HOUR, summer: 'america', names: ['EST', 'EDT'] },
  'America/Los_Angeles': { offset: -8 * HOUR, summer: 'america', names: ['PST', 'PDT'] },
  'America/Sao_Paulo': { offset: -3 * HOUR, summer: null, names: ['BRT'] },
  'Asia/Kolkata': { offset: 5 * HOUR + 30, summer: null, names: ['IST'] },
  'Asia/Tokyo': { offset: 9 * HOUR, summer: null, names: ['JST'] },
  'Australia/Sydney': { offset: 10 * HOUR, summer: 'australia', names: ['AEST', 'AEDT'] },
  UTC: { offset: 0, summer: null, names: ['UTC'] },
};

const zoneIds = Object.keys(ZONES);

export const isZone = (id) => Object.hasOwn(ZONES, id);

function instantOf({ month, nth, at, clock }, year, { offset }, isBegin) {
  const midnight = dayNumber(nthWeekday(year, month, 0, nth)) * DAY;
  const ahead = { utc: 0, winter: offset, wall: isBegin ? offset : offset + HOUR }[clock];
  return midnight + at - ahead;
}

/** The instants at which summer begins and ends in a year, or null. */
function summerOf(zone, year) {
  if (!zone.summer) return null;
  const { begin, end } = SUMMERS[zone.summer];
  return { begin: instantOf(begin, year, zone, true), end: instantOf(end, year, zone, false) };
}

function isSummer(zone, instant) {
  const year = Number(wallOf(instant + zone.offset).slice(0, 4)), summer = summerOf(zone, year);
  if (!summer) return false;
  return summer.begin < summer.end
    ? instant >= summer.begin && instant < summer.end
    : instant >= summer.begin || instant < summer.end;
}

/** The minutes by which the clocks of a zone are ahead of UTC. */
function offsetAt(instant, id) {
  const zone = ZONES[id];
  return zone.offset + (isSummer(zone, instant) ? HOUR : 0);
}

export const toWall = (instant, id) => wallOf(instant + offsetAt(instant, id));

/**
 * The instant at which a zone's clocks show a time. Of an hour that comes twice it is the first
 * one; a time that is left out is as long after the change as it would have been.
 */
export function toInstant(wall, id) {
  const minutes = wallMinutes(wall), { offset } = ZONES[id];
  for (const ahead of [offset + HOUR, offset]) {
    if (offsetAt(minutes - ahead, id) === ahead) return minutes - ahead;
  }
  return minutes - offset;
}

export const dateIn = (instant, id) => toWall(instant, id).slice(0, 10);

export const startOfDate = (date, id) => toInstant(`${date}T00:00`, id);

export function shortName(instant, id) {
  const { names } = ZONES[id];
  return names[isSummer(ZONES[id], instant) ? 1 : 0];
}

export const cityOf = (id) => id.slice(id.lastIndexOf('/') + 1).replace(/_/g, ' ');

/** `+1 h`, `−4:30 h`: how far other clocks are ahead at an instant. */
export function distance(instant, from, to) {
  const minutes = offsetAt(instant, to) - offsetAt(instant, from);
  if (minutes === 0) return 'same time';
  const ahead = Math.abs(minutes), rest = ahead % HOUR;
  const hours = `${Math.floor(ahead / HOUR)}${rest ? `:${String(rest).padStart(2, '0')}` : ''}`;
  return `${minutes < 0 ? '−' : '+'}${hours} h`;
}

/** The days of a year on which clocks change, for the signs above the calendar. */
export function changesIn(year, id) {
  const zone = ZONES[id], summer = summerOf(zone, year);
  if (!summer) return [];
  return [
    { date: dateIn(summer.begin, id), text: 'Clocks go forward' },
    { date: dateIn(summer.end, id), text: 'Clocks go back' },
  ].sort((one, other) => (one.date < other.date ? -1 : 1));
}

/** The zone for a typed text: its city, its short name, or its id. */
export function findZone(text, instant) {
  const wanted = text.trim().toLowerCase().replace(/ /g, '_');
  return zoneIds.find((id) => id.toLowerCase() === wanted || cityOf(id).toLowerCase()
    .replace(/ /g, '_').startsWith(wanted) || shortName(instant, id).toLowerCase() === wanted);
}
