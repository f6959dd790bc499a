// Weekly goals, such as three hours of sport, which are planned into free time.
import { addDays, minutesOfTime, startOfWeek, wallAt } from './civil.mjs';
import { gaps, ownBusy } from './busy.mjs';
import { committed } from './commit.mjs';
import { newEvent } from './events.mjs';
import { change, plural } from './lists.mjs';
import { withFault, withNotice } from './notices.mjs';
import { dateIn, toInstant, toWall } from './zones.mjs';

function added(state, { id, title, minutes, times, from, to }) {
  if (!(times >= 1 && times <= 7)) return withFault(state, 'From 1 to 7 times a week, please.');
  if (minutesOfTime(from) + minutes > minutesOfTime(to)) {
    return withFault(state, `${title} does not fit between ${from} and ${to}.`);
  }
  const goal = { id, title, minutes, times, from, to, done: {}, best: 0 };
  return { ...state, goals: { ...state.goals, [id]: goal } };
}

/** The first free time of a day that is long enough, within the hours of the goal. */
function freeStart(state, { minutes, from, to }, date) {
  const { zone } = state.settings;
  const begin = Math.max(toInstant(wallAt(date, from), zone), state.now);
  const end = toInstant(wallAt(date, to), zone);
  const gap = gaps(ownBusy(state, begin, end), begin, end)
    .find((one) => Math.ceil(one.from / 15) * 15 + minutes <= one.to);
  return gap ? Math.ceil(gap.from / 15) * 15 : null;
}

/** Puts what is missing this week on the days that are left, if possible with a day between. */
function planned(state, { id, newIds }) {
  const goal = state.goals[id];
  if (!goal) return state;
  const { zone, weekStart } = state.settings, today = dateIn(state.now, zone);
  const week = startOfWeek(today, weekStart), missing = goal.times - doneIn(goal, week).length;
  const left = Array.from({ length: 7 }, (_, day) => addDays(week, day))
    .filter((date) => date >= today);
  const apart = left.filter((_, index) => index % 2 === 0);
  const starts = [...apart, ...left.filter((date) => !apart.includes(date))]
    .map((date) => freeStart(state, goal, date)).filter((start) => start !== null)
    .slice(0, Math.min(missing, newIds.length));
  const changes = starts.map((start, index) => ({
    id: newIds[index], after: newEvent(state, {
      id: newIds[index], title: goal.title, start: toWall(start, zone), minutes: goal.minutes,
      category: `goal ${id}`, alarms: [10],
    }),
  }));
  const text = `${goal.title}: ${plural(changes.length, 'time')}`;
  const next = committed(state, changes, { text });
  if (changes.length >= missing) return next;
  return withNotice(next, `No more time for ${goal.title}.`);
}

const doneIn = ({ done }, week) =>
  Object.keys(done).filter((date) => date >= week && date < addDays(week, 7));

/** The weeks in a row, up to one, in which a goal was reached. */
function streak(goal, week) {
  let weeks = 0;
  while (doneIn(goal, addDays(week, -7 * weeks)).length >= goal.times) weeks += 1;
  return weeks;
}

function reached(state, { id, date }) {
  const goal = state.goals[id];
  if (!goal) return state;
  const next = { ...goal, done: { ...goal.done, [date]: true } };
  const weeks = streak(next, startOfWeek(date, state.settings.weekStart));
  const best = Math.max(goal.best, weeks);
  const noted = best > goal.best
    ? withNotice(state, `${goal.title}: ${plural(best, 'week')} in a row.`) : state;
  return { ...noted, goals: change(noted.goals, id, () => ({ ...next, best })) };
}

export const goalHandlers = {
  'goal/added': added,
  'goal/planned': planned,
  'goal/reached': reached,
};
