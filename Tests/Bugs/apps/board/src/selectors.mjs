import { sentence } from './activity.mjs';
import { isOpen } from './cards.mjs';
import { dayOf } from './dates.mjs';
import { detailsOf, faceOf } from './faces.mjs';
import { isFiltering, passesChoices } from './filters.mjs';
import { sortedBy, sumOf } from './lists.mjs';
import { unreadCount } from './notifications.mjs';
import { cell, placeOf } from './placement.mjs';
import { matcher } from './query.mjs';
import { retryDelay } from './queue.mjs';
import { sortedIds } from './sorting.mjs';
import { flow, forecast, throughput } from './stats.mjs';
import { plural } from './text.mjs';

/** A selector that works anew only when what it reads has changed. */
function remembered(inputsOf, compute) {
  let inputs;
  let result;
  return (state) => {
    const next = inputsOf(state);
    if (!inputs || next.some((input, index) => input !== inputs[index])) {
      inputs = next;
      result = compute(state);
    }
    return result;
  };
}

const boardInputs = ({ content, filters, index, prefs, now }) =>
  [content, filters, index, prefs, dayOf(now)];

/** The columns with the lanes and cards that the filter lets through. */
export const visibleBoard = remembered(boardInputs, (state) => {
  const { content, filters, index, prefs, now } = state;
  const { columns, lanes, placement, cards } = content;
  const fits = matcher(filters.query, content, index, now);
  const shown = (columnId, laneId) => cell(placement, columnId, laneId).filter((id) =>
    passesChoices(filters, cards.byId[id]) && fits(cards.byId[id], { columnId, laneId }));
  return columns.order.map((columnId) => {
    const column = columns.byId[columnId];
    const all = lanes.order.flatMap((laneId) => cell(placement, columnId, laneId));
    const parts = lanes.order.map((laneId) => ({
      id: laneId,
      title: lanes.byId[laneId].title,
      cardIds: lanes.byId[laneId].isCollapsed
        ? [] : sortedIds(shown(columnId, laneId), cards, prefs.sorts[columnId]),
    }));
    return {
      id: columnId,
      title: column.title,
      count: all.length,
      points: sumOf(all, (id) => cards.byId[id].estimate ?? 0),
      isOver: column.limit !== null && all.length > column.limit,
      lanes: parts.filter(({ cardIds }) => prefs.showsEmptyLanes || cardIds.length > 0),
    };
  });
});

export const visibleIds = remembered((state) => [visibleBoard(state)], (state) =>
  visibleBoard(state).flatMap((column) => column.lanes.flatMap((lane) => lane.cardIds)));

export function faces(state, columnId) {
  const column = visibleBoard(state).find(({ id }) => id === columnId);
  const { now, prefs: { showsNumbers } } = state;
  return column.lanes.flatMap(({ cardIds }) => cardIds.map((id) =>
    faceOf(state.content.cards.byId[id], state.content, { now, showsNumbers })));
}

export function openCard(state, id) {
  const card = state.content.cards.byId[id];
  return card && detailsOf(card, state.content, state);
}

/** Archived cards, the newest first. */
export function archive(state) {
  const cards = Object.values(state.content.cards.byId).filter((card) => card.archivedAt !== null);
  return sortedBy(cards, (card) => -card.archivedAt, (card) => card.number)
    .map(({ id, title, archivedAt }) => ({ id, title, day: dayOf(archivedAt) }));
}

export function logLines(state, count) {
  return state.activity.entries.slice(-count).reverse()
    .map((entry) => sentence(entry, state.content));
}

export function numbers(state) {
  const today = dayOf(state.now);
  const open = Object.values(state.content.cards.byId).filter(isOpen).length;
  return {
    open,
    week: throughput(state.stats, today, 7),
    end: forecast(state.stats, today, open),
    flow: flow(state.stats, state.content.columns.order),
  };
}

/** The line at the foot of the screen. */
export function statusLine(state) {
  const { queue, notifications, history } = state;
  const waiting = queue.waiting.length;
  const parts = [];
  if (!queue.isOnline) parts.push('offline');
  if (waiting) parts.push(`${plural(waiting, 'change')} to send`);
  if (retryDelay(queue)) parts.push(`next try in ${retryDelay(queue) / 1000} s`);
  if (queue.conflicts.length) parts.push(plural(queue.conflicts.length, 'conflict'));
  const unread = unreadCount(notifications);
  if (unread) parts.push(`${unread} new`);
  const top = history.past[history.past.length - 1];
  if (top) parts.push(`undo: ${top.title}`);
  if (isFiltering(state.filters)) parts.push(`${visibleIds(state).length} shown`);
  return parts.join(' · ');
}

export function whereIs(state, id) {
  const place = placeOf(state.content.placement, id);
  return place && { ...place, column: state.content.columns.byId[place.columnId].title };
}
