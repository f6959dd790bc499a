// Numbers about the flow of work: kept for each day, so that old days do not change any more.
import { idsInColumn } from './placement.mjs';
import { addDays, dayOf, workingDaysBetween } from './dates.mjs';
import { sortedBy, sumOf } from './lists.mjs';

export const initialStats = { days: {}, finished: [] };

const KEPT = 30;

export function statsReducer(stats, action, content) {
  switch (action.type) {
    case 'stats/dayClosed':
      return closed(stats, action.day, content);
    case 'cards/deleted':
      return { ...stats, finished: stats.finished.filter(({ id }) => id !== action.id) };
    default:
      return stats;
  }
}

function closed(stats, day, { columns, lanes, placement }) {
  const counts = {};
  for (const id of columns.order) {
    counts[id] = idsInColumn(placement, id, lanes.order).length;
  }
  const days = { ...stats.days, [day]: counts };
  const kept = Object.keys(days).sort().slice(-KEPT);
  return { ...stats, days: Object.fromEntries(kept.map((each) => [each, days[each]])) };
}

/** Notes cards that came to an end, and forgets those that were opened again. */
export function counted(stats, before, after) {
  if (before.cards.byId === after.cards.byId) return stats;
  let { finished } = stats;
  for (const card of Object.values(after.cards.byId)) {
    const was = before.cards.byId[card.id];
    if (was === card || (was?.doneAt ?? null) === card.doneAt) continue;
    finished = finished.filter(({ id }) => id !== card.id);
    if (card.doneAt !== null) finished = [...finished, finishOf(card)];
  }
  return finished === stats.finished ? stats : { ...stats, finished };
}

function finishOf(card) {
  const start = dayOf(card.startedAt ?? card.createdAt);
  const end = dayOf(card.doneAt);
  return {
    id: card.id,
    day: end,
    lead: workingDaysBetween(dayOf(card.createdAt), end),
    cycle: workingDaysBetween(start, end),
    points: card.estimate ?? 0,
  };
}

function quantile(sorted, part) {
  if (sorted.length === 0) return 0;
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

/** Cards and points that were finished in the last days, and how long they took. */
export function throughput(stats, today, days) {
  const from = addDays(today, -days);
  const recent = stats.finished.filter(({ day }) => day > from && day <= today);
  const cycles = sortedBy(recent, ({ cycle }) => cycle).map(({ cycle }) => cycle);
  return {
    cards: recent.length,
    points: sumOf(recent, ({ points }) => points),
    median: quantile(cycles, 0.5),
    most: quantile(cycles, 0.85),
  };
}

/** When what is open will be done, if work goes on as it did. */
export function forecast(stats, today, open) {
  const { cards } = throughput(stats, today, 14);
  if (cards === 0) return undefined;
  return addDays(today, Math.ceil((open * 14) / cards));
}

/** The lines of the diagram of flow: for each column, the counts of each kept day. */
export function flow(stats, columnOrder) {
  const days = Object.keys(stats.days).sort();
  return columnOrder.map((id) => ({
    id,
    points: days.map((day) => ({ day, count: stats.days[day][id] ?? 0 })),
  }));
}
