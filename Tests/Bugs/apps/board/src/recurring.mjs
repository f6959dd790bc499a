// Cards that come again: each week or month one is made of a template.
import { addDays, dayOf, isWeekend } from './dates.mjs';
import { changed, omitted } from './records.mjs';
import { cardFrom } from './templates.mjs';

export const initialRecurring = { byId: {} };

export function recurringReducer(recurring, action) {
  switch (action.type) {
    case 'recurring/added': {
      const { id, templateId, columnId, laneId, every, from } = action;
      const entry = { id, templateId, columnId, laneId, every, next: from, made: 0 };
      return { byId: { ...recurring.byId, [id]: entry } };
    }
    case 'recurring/removed':
      return { byId: omitted(recurring.byId, action.id) };
    case 'templates/removed': {
      const ids = Object.keys(recurring.byId)
        .filter((id) => recurring.byId[id].templateId === action.id);
      return ids.length ? { byId: ids.reduce(omitted, recurring.byId) } : recurring;
    }
    default:
      return recurring;
  }
}

function daysIn(year, month) {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** The day a month later: the last one of the month if that has no such day. */
function monthAfter(day) {
  const [year, month, date] = day.split('-').map(Number);
  const nextYear = month === 12 ? year + 1 : year;
  const nextMonth = month === 12 ? 1 : month + 1;
  const last = Math.min(date, daysIn(nextYear, nextMonth));
  return `${nextYear}-${String(nextMonth).padStart(2, '0')}-${String(last).padStart(2, '0')}`;
}

function dayAfter(day, every) {
  switch (every) {
    case 'month': return monthAfter(day);
    case 'week': return addDays(day, 7);
    default: {
      let next = addDays(day, 1);
      while (isWeekend(next)) next = addDays(next, 1);
      return next;
    }
  }
}

/** The cards that are due by now, and when each comes next. A day that was missed comes once. */
export function dueCards(recurring, templates, content, at) {
  const today = dayOf(at);
  const actions = [];
  let { byId } = recurring;
  for (const entry of Object.values(recurring.byId)) {
    const template = templates.byId[entry.templateId];
    if (!template || entry.next > today) continue;
    const { columnId, laneId } = entry;
    const id = `${entry.id}-${entry.next}`;
    const place = content.lanes.byId[laneId] ? laneId : 'rest';
    actions.push(cardFrom(template, { id, columnId, laneId: place, at, by: null }, content.labels));
    let { next } = entry;
    while (next <= today) next = dayAfter(next, entry.every);
    byId = changed(byId, entry.id, (each) => ({ ...each, next, made: each.made + 1 }));
  }
  return { actions, recurring: byId === recurring.byId ? recurring : { byId } };
}
