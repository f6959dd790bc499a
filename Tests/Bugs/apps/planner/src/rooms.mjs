// Rooms, and which ones are free.
import { committed } from './commit.mjs';
import { entriesBetween } from './dayIndex.mjs';
import { addDays } from './civil.mjs';
import { withFault } from './notices.mjs';
import { occurrenceOf, occurrencesBetween } from './occurrences.mjs';
import { withOneChanged } from './seriesEdit.mjs';
import { dateIn } from './zones.mjs';

export const startRooms = {
  byId: {
    fjord: { id: 'fjord', name: 'Fjord', seats: 4, hasScreen: false },
    delta: { id: 'delta', name: 'Delta', seats: 8, hasScreen: true },
    harbour: { id: 'harbour', name: 'Harbour', seats: 14, hasScreen: true },
  },
  taken: {},
};

/** The number of meetings in a room at a time. */
function inRoom(state, roomId, from, to, exceptId) {
  const { index, events, rooms } = state;
  const first = dateIn(from, index.zone), last = addDays(dateIn(to, index.zone), 1);
  const own = entriesBetween(index, first, last)
    .filter((entry) => entry.eventId !== exceptId && entry.start < to && entry.end > from)
    .filter(({ eventId, original }) => occurrenceOf(events[eventId], original).roomId === roomId);
  const others = (rooms.taken[roomId] ?? []).filter((one) => one.from < to && one.to > from);
  return own.length + others.length;
}

/** Free rooms that are large enough, the smallest first. */
export function freeRooms(state, { from, to, people, needsScreen = false, exceptId = null }) {
  return Object.values(state.rooms.byId)
    .filter(({ seats, hasScreen }) => seats >= people && (hasScreen || !needsScreen))
    .filter(({ id }) => inRoom(state, id, from, to, exceptId) === 0)
    .sort((one, other) => one.seats - other.seats);
}

/** Books a room for one day, or for a series if it is free for four weeks. */
function booked(state, { id, roomId, original = null }) {
  const event = state.events[id], room = state.rooms.byId[roomId];
  if (!event || !room) return state;
  if (event.attendees.length + 1 > room.seats) {
    return withFault(state, `${room.name} has ${room.seats} seats.`);
  }
  const days = original ? [occurrenceOf(event, original)]
    : occurrencesBetween(event, state.now, state.now + 28 * 24 * 60);
  const taken = days.filter(({ start, end }) => inRoom(state, roomId, start, end, id) > 0);
  if (taken.length) return withFault(state, `${room.name} is taken on ${taken[0].wall}.`);
  const after = original ? withOneChanged(event, original, { roomId }) : { ...event, roomId };
  return committed(state, [{ id, after }], { text: `${room.name} for ${event.title}` });
}

export const roomHandlers = {
  'room/booked': booked,
  'room/takenReceived': (state, { roomId, intervals }) => ({
    ...state, rooms: { ...state.rooms, taken: { ...state.rooms.taken, [roomId]: intervals } },
  }),
};
