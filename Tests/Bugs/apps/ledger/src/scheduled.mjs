// Payments that come again: the rent on the first, the insurance each quarter.
import { addDays, addMonths, dayInMonth, monthOf } from './dates.mjs';
import { changed, omitted, patched } from './records.mjs';

export const initialScheduled = { byId: {} };

const STEPS = { month: 1, quarter: 3, year: 12 };

export function scheduledReducer(scheduled, action) {
  const edit = (patch) => {
    const byId = changed(scheduled.byId, action.id, (each) => patched(each, patch));
    return byId === scheduled.byId ? scheduled : { byId };
  };
  switch (action.type) {
    case 'scheduled/added': {
      const { id, payee, lines, every, from, until = null, tags = [] } = action;
      const entry = {
        id, payee, lines, every, tags, until, day: Number(from.slice(8)), next: from, count: 0,
        isPaused: false,
      };
      return { byId: { ...scheduled.byId, [id]: entry } };
    }
    case 'scheduled/paused':
      return edit({ isPaused: true });
    case 'scheduled/resumed':
      return resumed(scheduled, action);
    case 'scheduled/priced':
      return edit({ lines: action.lines });
    case 'scheduled/skipped': {
      const entry = scheduled.byId[action.id];
      return entry ? edit({ next: dayAfter(entry) }) : scheduled;
    }
    case 'scheduled/removed':
      return { byId: omitted(scheduled.byId, action.id) };
    default:
      return scheduled;
  }
}

function dayAfter({ next, every, day }) {
  if (every === 'week') return addDays(next, 7);
  return dayInMonth(addMonths(monthOf(next), STEPS[every]), day);
}

/** A payment that was missed during the pause is not paid later. */
function resumed(scheduled, { id, today }) {
  let entry = scheduled.byId[id];
  if (!entry?.isPaused) return scheduled;
  while (entry.next < today) entry = { ...entry, next: dayAfter(entry) };
  return { byId: { ...scheduled.byId, [id]: { ...entry, isPaused: false } } };
}

/** All payments that are due by a day, and the entries after them. */
export function dueActions(scheduled, today) {
  const actions = [];
  let { byId } = scheduled;
  for (const start of Object.values(scheduled.byId)) {
    let entry = start;
    while (!entry.isPaused && entry.next <= today
      && (entry.until === null || entry.next <= entry.until)) {
      actions.push({
        type: 'transactions/entered',
        id: `${entry.id}-${entry.count}`,
        date: entry.next,
        payee: entry.payee,
        tags: entry.tags,
        source: { kind: 'scheduled', id: entry.id },
        lines: entry.lines,
      });
      entry = { ...entry, next: dayAfter(entry), count: entry.count + 1 };
    }
    if (entry !== start) byId = { ...byId, [entry.id]: entry };
  }
  return { actions, scheduled: byId === scheduled.byId ? scheduled : { byId } };
}

/** The payments of the next days, by day. */
export function upcoming(scheduled, today, days) {
  const end = addDays(today, days);
  const found = [];
  for (const start of Object.values(scheduled.byId)) {
    let entry = start;
    while (!entry.isPaused && entry.next <= end && (!entry.until || entry.next <= entry.until)) {
      found.push({ date: entry.next, payee: entry.payee, lines: entry.lines });
      entry = { ...entry, next: dayAfter(entry) };
    }
  }
  return found.sort((one, other) => (one.date < other.date ? -1 : 1));
}
