// The user's calendars: colors, visibility, and defaults for new events.
import { committed } from './commit.mjs';
import { change, omit, plural, without } from './lists.mjs';
import { withFault, withNotice } from './notices.mjs';

const COLORS = ['blue', 'green', 'red', 'purple', 'orange', 'teal', 'brown', 'grey'];

export const startCalendars = {
  byId: {
    home: {
      id: 'home', name: 'Home', color: 'green', isShown: true, isShared: false, alarms: [30],
    },
  },
  order: ['home'],
};

function freeColor({ byId }) {
  const used = Object.values(byId).map(({ color }) => color);
  return COLORS.find((color) => !used.includes(color)) ?? COLORS[used.length % COLORS.length];
}

function created(state, { id, name, alarms = [10] }) {
  const clean = name.trim(), { calendars } = state;
  if (!clean) return withFault(state, 'A calendar needs a name.');
  if (Object.values(calendars.byId).some((other) => other.name === clean)) {
    return withFault(state, `There is a calendar ${clean} already.`);
  }
  const calendar = {
    id, name: clean, color: freeColor(calendars), isShown: true, isShared: false, alarms,
  };
  return {
    ...state,
    calendars: { byId: { ...calendars.byId, [id]: calendar }, order: [...calendars.order, id] },
  };
}

function edited(state, { id, fields }) {
  if (!state.calendars.byId[id]) return state;
  return {
    ...state, calendars: change(state.calendars, 'byId',
      (byId) => change(byId, id, (calendar) => ({ ...calendar, ...fields }))),
  };
}

/** Deletes a calendar; its events go with it, or move to another one. */
function deleted(state, { id, heirId = null }) {
  const { calendars } = state;
  if (!calendars.byId[id] || calendars.order.length === 1) return state;
  const own = Object.values(state.events).filter(({ calendarId }) => calendarId === id);
  const changes = own.map((event) => ({
    id: event.id, after: heirId ? { ...event, calendarId: heirId } : null,
  }));
  const next = committed(state, changes), count = plural(own.length, 'event');
  return withNotice({
    ...next,
    calendars: { byId: omit(calendars.byId, id), order: without(calendars.order, [id]) },
  }, `${calendars.byId[id].name} is gone, ${count} ${heirId ? 'moved' : 'too'}.`);
}

export const isShown = ({ calendars }, event) => calendars.byId[event.calendarId]?.isShown ?? false;

export const calendarHandlers = {
  'calendar/created': created,
  'calendar/edited': edited,
  'calendar/deleted': deleted,
};
