// The state of the planner, and its reducer.
import { noMail } from './announcements.mjs';
import { bookingHandlers } from './booking.mjs';
import { busyHandlers } from './busy.mjs';
import { calendarHandlers, startCalendars } from './calendars.mjs';
import { clockHandlers } from './clock.mjs';
import { noContacts } from './contacts.mjs';
import { emptyIndex } from './dayIndex.mjs';
import { doubleHandlers } from './doubles.mjs';
import { dragHandlers, noDrag } from './drag.mjs';
import { eventHandlers, newEvent } from './events.mjs';
import { busyFileHandlers } from './freeBusyFile.mjs';
import { goalHandlers } from './goals.mjs';
import { emptyHistory, historyHandlers } from './history.mjs';
import { invitationHandlers } from './invitations.mjs';
import { keyHandlers } from './keys.mjs';
import { noticeHandlers, withFault } from './notices.mjs';
import { patternHandlers } from './patterns.mjs';
import { pollHandlers } from './polls.mjs';
import { parseLine } from './quickAdd.mjs';
import { noReminders, reminderHandlers } from './reminders.mjs';
import { roomHandlers, startRooms } from './rooms.mjs';
import { settingHandlers, startSettings } from './settings.mjs';
import { syncHandlers } from './sync.mjs';
import { neverSynced } from './syncQueue.mjs';
import { noTasks, taskHandlers } from './tasks.mjs';
import { tableHandlers } from './timesheet.mjs';
import { transferHandlers } from './transfer.mjs';
import { noWays, travelHandlers } from './travel.mjs';
import { startView, viewHandlers } from './view.mjs';
import { toWall } from './zones.mjs';

export const initialState = {
  now: 0,
  account: { name: '', address: '' },
  settings: startSettings,
  calendars: startCalendars,
  events: {},
  index: emptyIndex,
  reminders: noReminders,
  mail: noMail,
  busy: {},
  hours: {},
  rooms: startRooms,
  tasks: noTasks,
  polls: {},
  pages: {},
  goals: {},
  patterns: {},
  contacts: noContacts,
  ways: noWays,
  sync: neverSynced,
  history: emptyHistory,
  view: startView,
  drag: noDrag,
  notices: [],
};

/** Adds an event from one line of text. */
function lineTyped(state, { id, line }) {
  const [today, time] = toWall(state.now, state.settings.zone).split('T');
  const minutes = Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
  const { fault, alarms, calendarId, ...fields } = parseLine(line, {
    today, time: minutes, calendars: state.calendars.byId,
  });
  if (fault) return withFault(state, fault);
  const given = newEvent(state, calendarId ? { id, calendarId } : { id });
  return eventHandlers['event/created'](state, {
    ...fields, id, calendarId: given.calendarId, alarms: alarms ?? given.alarms,
  });
}

const handlers = {
  ...bookingHandlers, ...busyFileHandlers, ...busyHandlers, ...calendarHandlers, ...clockHandlers,
  ...doubleHandlers, ...dragHandlers, ...eventHandlers, ...goalHandlers, ...historyHandlers,
  ...invitationHandlers, ...keyHandlers, ...noticeHandlers, ...patternHandlers, ...pollHandlers,
  ...reminderHandlers, ...roomHandlers, ...settingHandlers, ...syncHandlers, ...tableHandlers,
  ...taskHandlers, ...transferHandlers, ...travelHandlers, ...viewHandlers,
  'account/opened': (state, { name, address }) => ({ ...state, account: { name, address } }),
  'line/typed': lineTyped,
};

/** Actions are `{ type, payload, at }`; `at` is the instant, in minutes since 1970. */
export function reducer(state = initialState, { type, payload = {}, at }) {
  if (!Object.hasOwn(handlers, type)) return state;
  return handlers[type]({ ...state, now: at }, { ...payload, before: state.now });
}
