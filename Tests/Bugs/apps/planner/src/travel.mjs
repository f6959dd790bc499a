// Travel times between places, and warnings when there is too little time.
import { addDays } from './civil.mjs';
import { entriesBetween } from './dayIndex.mjs';
import { occurrenceOf } from './occurrences.mjs';

export const noWays = {};

const wayKey = (one, other) => [one, other].map((place) => place.toLowerCase()).sort().join(' – ');

/** The minutes between two places; 0 if unknown. */
function minutesBetweenPlaces(ways, one, other) {
  if (!one || !other || one === other) return 0;
  return ways[wayKey(one, other)] ?? 0;
}

/** Pairs of events of a day between which the way takes longer than the pause. */
export function tightWays(state, date) {
  const held = entriesBetween(state.index, date, addDays(date, 1))
    .map(({ eventId, original }) => occurrenceOf(state.events[eventId], original))
    .filter(({ isAllDay, isBusy, place }) => !isAllDay && isBusy && place);
  return held.slice(1).flatMap((next, index) => {
    const last = held[index], pause = next.start - last.end;
    const way = minutesBetweenPlaces(state.ways, last.place, next.place);
    return way > pause ? [{ from: last.title, to: next.title, missing: way - pause }] : [];
  });
}

export const travelHandlers = {
  'way/measured': (state, { from, to, minutes }) => ({
    ...state, ways: { ...state.ways, [wayKey(from, to)]: minutes },
  }),
};
