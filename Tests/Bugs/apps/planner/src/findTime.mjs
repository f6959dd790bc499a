// Suggests times for a meeting, within the working hours of all attendees.
import { addDays, minutesOfTime, wallAt, weekdayOf } from './civil.mjs';
import { busyOf, gaps } from './busy.mjs';
import { unique } from './lists.mjs';
import { dateIn, toInstant, toWall } from './zones.mjs';

const GRID = 30, MOST = 6;

/** The working hours of a person between two instants. */
function workTimes({ zone, workdays, workFrom, workTo }, from, to) {
  const times = [];
  const last = dateIn(to, zone);
  for (let date = dateIn(from, zone); date <= last; date = addDays(date, 1)) {
    if (!workdays.includes(weekdayOf(date))) continue;
    const begin = Math.max(from, toInstant(wallAt(date, workFrom), zone));
    const end = Math.min(to, toInstant(wallAt(date, workTo), zone));
    if (begin < end) times.push({ from: begin, to: end });
  }
  return times;
}

const hoursOf = (state, address) => ({ ...state.settings, ...state.hours[address] });

/** The time that all of some people have, as intervals. */
export function sharedTime(state, addresses, from, to) {
  const closed = addresses.flatMap((address) => {
    const work = workTimes(hoursOf(state, address), from, to);
    return [...gaps(work, from, to), ...busyOf(state, address, from, to)];
  });
  return gaps(closed, from, to);
}

/** The best start times of a meeting; different half days come first. */
export function suggestedTimes(state, { addresses, minutes, from, to }) {
  const people = unique([state.account.address, ...addresses]);
  const starts = sharedTime(state, people, from, to).flatMap((gap) => startsIn(gap, minutes));
  const scored = starts.map((start) => ({ start, score: scoreOf(state, people, start, minutes) }))
    .sort((one, other) => one.score - other.score || one.start - other.start);
  const halves = new Set(), best = [], rest = [];
  for (const one of scored) {
    const wall = toWall(one.start, state.settings.zone);
    const half = `${wall.slice(0, 10)}${minutesOfTime(wall.slice(11)) < 12 * 60}`;
    (halves.has(half) ? rest : best).push(one);
    halves.add(half);
  }
  return [...best, ...rest].slice(0, MOST).map(({ start }) => start);
}

function startsIn({ from, to }, minutes) {
  const starts = [];
  for (let at = Math.ceil(from / GRID) * GRID; at + minutes <= to; at += GRID) starts.push(at);
  return starts;
}

/** Lower is better: near eleven o'clock for all attendees, and soon. */
function scoreOf(state, people, start, minutes) {
  const middle = start + minutes / 2;
  const discomfort = people.map((address) => {
    const wall = toWall(middle, hoursOf(state, address).zone);
    return Math.abs(minutesOfTime(wall.slice(11)) - 11 * 60);
  });
  const daysAhead = Math.floor((start - state.now) / (24 * 60));
  return Math.max(...discomfort) + daysAhead * 45;
}
