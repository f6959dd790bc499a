// Dragging an event, or its lower edge, to another time.
import { addMinutes, DAY } from './civil.mjs';
import { eventHandlers } from './events.mjs';
import { withFault } from './notices.mjs';
import { isOriginal, occurrenceOf } from './occurrences.mjs';

const GRID = 15, SHORTEST = 15;

export const noDrag = null;

function begun(state, { id, original, part }) {
  const event = state.events[id];
  if (!event || (event.rule && !isOriginal(event, original))) return state;
  if (event.organizer !== state.account.address) {
    return withFault(state, 'Only who invited can move it.');
  }
  return { ...state, drag: { id, original, part, minutes: 0, days: 0 } };
}

const snapped = (minutes) => Math.round(minutes / GRID) * GRID;

function moved(state, { minutes, days }) {
  if (!state.drag) return state;
  return { ...state, drag: { ...state.drag, minutes: snapped(minutes), days } };
}

/** The fields that dropping the event now would change. */
export function dragged(state) {
  const { id, original, part, minutes, days } = state.drag;
  const day = occurrenceOf(state.events[id], original), delta = days * DAY;
  if (part === 'end') return { minutes: Math.max(SHORTEST, day.minutes + minutes) };
  return { start: addMinutes(day.wall, delta + (day.isAllDay ? 0 : minutes)) };
}

function dropped(state, { scope, newId }) {
  if (!state.drag || !state.events[state.drag.id]) return { ...state, drag: noDrag };
  const { id, original } = state.drag, fields = dragged(state);
  return eventHandlers['event/edited'](
    { ...state, drag: noDrag }, { id, original, scope, fields, newId });
}

export const dragHandlers = {
  'drag/begun': begun,
  'drag/moved': moved,
  'drag/dropped': dropped,
  'drag/cancelled': (state) => ({ ...state, drag: noDrag }),
};
