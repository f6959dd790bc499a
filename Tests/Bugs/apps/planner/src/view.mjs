// The view: days on the screen, and the chosen event.
import { addDays, addMonths, startOfMonth, startOfWeek } from './civil.mjs';
import { extended } from './dayIndex.mjs';
import { planned } from './reminders.mjs';
import { dateIn } from './zones.mjs';

export const startView = { kind: 'week', date: null, chosen: null, words: '', category: null };

const SPANS = {
  day: (date) => [date, addDays(date, 1)],
  week: (date, { weekStart }) => {
    const first = startOfWeek(date, weekStart);
    return [first, addDays(first, 7)];
  },
  month: (date, { weekStart }) => {
    const first = startOfWeek(startOfMonth(date), weekStart);
    return [first, addDays(first, 42)];
  },
  agenda: (date) => [date, addDays(date, 14)],
};

/** The first day on the screen, and the one after the last. */
export function span({ view, settings }) {
  return SPANS[view.kind](view.date, settings);
}

/** Shows other days, and extends the index to them. */
export function shown(state, view) {
  const next = { ...state, view: { ...state.view, ...view } };
  const [from, to] = span(next);
  return { ...next, index: extended(next.index, next.events, from, to) };
}

function paged(state, { by }) {
  const { kind, date } = state.view;
  const next = {
    day: () => addDays(date, by), week: () => addDays(date, 7 * by),
    month: () => addMonths(startOfMonth(date), by), agenda: () => addDays(date, 14 * by),
  }[kind]();
  return shown(state, { date: next, chosen: null });
}

export const viewHandlers = {
  'view/paged': paged,
  'view/kindChosen': (state, { kind }) => (Object.hasOwn(SPANS, kind)
    ? shown(state, { kind }) : state),
  'view/dateShown': (state, { date }) => shown(state, { date }),
  'view/todayShown': (state) => planned(
    shown(state, { date: dateIn(state.now, state.settings.zone) })),
  'view/chosen': (state, { id, original }) => (state.events[id]
    ? { ...state, view: { ...state.view, chosen: { eventId: id, original } } } : state),
  'view/filtered': (state, { words = '', category = null }) => (
    { ...state, view: { ...state.view, words, category } }),
};
