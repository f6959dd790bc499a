// Places of events on the screen: columns beside each other in a day, lanes in a month.
import { addDays, DAY, daysBetween } from './civil.mjs';

/** Gives each of the events of one day its column, and how many columns its group has. */
export function columnsOf(occurrences) {
  const sorted = [...occurrences].sort((one, other) => one.start - other.start
    || other.end - one.end);
  const placed = [];
  let group = [], groupEnd = -Infinity;
  const finish = () => {
    const count = Math.max(0, ...group.map(({ column }) => column + 1));
    placed.push(...group
      .map((one) => ({ ...one, columns: count, width: widthOf(one, group, count) })));
    group = [];
  };
  for (const occurrence of sorted) {
    if (occurrence.start >= groupEnd) finish();
    const taken = group.filter(({ end }) => end > occurrence.start).map(({ column }) => column);
    let column = 0;
    while (taken.includes(column)) column += 1;
    group.push({ ...occurrence, column });
    groupEnd = Math.max(groupEnd, shownEnd(occurrence));
  }
  finish();
  return placed;
}

/** Short events are drawn as long as a quarter of an hour. */
const shownEnd = ({ start, end }) => Math.max(end, start + 15);

/** An event may grow to the right while nothing is there. */
function widthOf({ column, start, end }, group, count) {
  let width = 1;
  const isFree = (at) => !group.some((other) => other.column === at
    && other.start < end && shownEnd(other) > start);
  while (column + width < count && isFree(column + width)) width += 1;
  return width;
}

/** Lanes of a week: what goes over several days keeps one lane, the longest first. */
export function lanesOf(bars) {
  const sorted = [...bars].sort((one, other) => (one.from === other.from
    ? daysBetween(other.from, other.to) - daysBetween(one.from, one.to)
    : one.from < other.from ? -1 : 1));
  const ends = [];
  return sorted.map((bar) => {
    let lane = ends.findIndex((end) => end <= bar.from);
    if (lane < 0) lane = ends.length;
    ends[lane] = bar.to;
    return { ...bar, lane };
  });
}

/** Cuts a bar of several days into the weeks of a month. */
export function barsOf({ from, to, ...rest }, weekStarts) {
  return weekStarts.filter((start) => from < addDays(start, 7) && to > start).map((start) => {
    const end = addDays(start, 7);
    return {
      ...rest, week: start, from: from < start ? start : from, to: to > end ? end : to,
      isCutBefore: from < start, isCutAfter: to > end,
    };
  });
}

export const hourOf = (minutes) => ((minutes % DAY) + DAY) % DAY;
