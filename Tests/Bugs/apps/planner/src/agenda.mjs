// The agenda as text: for the page, the printer, and the mail of the morning.
import { addDays, timeOf, weekdayOf } from './civil.mjs';
import { holidayOn } from './holidays.mjs';
import { grouped, plural } from './lists.mjs';
import { visibleBetween } from './pages.mjs';
import { reminderLine } from './reminders.mjs';
import { weekdayName } from './ruleText.mjs';
import { dueLine, openTasks } from './tasks.mjs';
import { dateIn, toWall } from './zones.mjs';

function lineOf(one, zone) {
  const time = one.isAllDay ? 'all day'
    : `${timeOf(toWall(one.start, zone))}–${timeOf(toWall(one.end, zone))}`;
  return `  ${time.padEnd(12)}${one.title}${one.place ? ` (${one.place})` : ''}`;
}

export function agendaText(state, from, days) {
  const { zone, country } = state.settings;
  const all = visibleBetween(state, from, addDays(from, days));
  const byDay = grouped(all, (one) => {
    const first = one.isAllDay ? one.wall.slice(0, 10) : dateIn(one.start, zone);
    return first < from ? from : first;
  });
  const parts = [];
  for (let date = from; date < addDays(from, days); date = addDays(date, 1)) {
    const own = byDay.get(date) ?? [], holiday = holidayOn(date, country);
    if (own.length === 0 && !holiday) continue;
    const title = `${weekdayName(weekdayOf(date))}, ${date}${holiday ? `: ${holiday}` : ''}`;
    parts.push([title, ...own.map((one) => lineOf(one, zone))].join('\n'));
  }
  return parts.length ? parts.join('\n\n') : 'Nothing is planned.';
}

/** The mail of the morning: events of today, due tasks, and the number of reminders. */
export function morningText(state) {
  const today = dateIn(state.now, state.settings.zone);
  const due = openTasks(state).filter(({ due: day }) => day !== null && day <= addDays(today, 1));
  return [
    agendaText(state, today, 1),
    ...due.map((task) => `- ${task.title}: ${dueLine(state, task)}`),
    ...state.reminders.shown.map((one) => `! ${reminderLine(state, one)}`),
    `${plural(state.reminders.planned.length, 'reminder')} to come.`,
    ...state.reminders.planned.slice(0, 3).map((one) => `  ${reminderLine(state, one)}`),
  ].join('\n');
}
