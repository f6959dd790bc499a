// Which cards are where: for each column, for each lane, the cards from top to bottom.
import { insertedAt, without, withoutAll } from './lists.mjs';
import { mappedValues, omitted } from './records.mjs';
import { REST } from './lanes.mjs';

export const initialPlacement = { todo: {}, doing: {}, review: {}, done: {} };

export function cell(placement, columnId, laneId) {
  return placement[columnId]?.[laneId] ?? [];
}

function withCell(placement, columnId, laneId, ids) {
  const column = placement[columnId] ?? {};
  if (ids.length === 0) {
    return laneId in column ? { ...placement, [columnId]: omitted(column, laneId) } : placement;
  }
  return { ...placement, [columnId]: { ...column, [laneId]: ids } };
}

export function placeOf(placement, cardId) {
  for (const [columnId, column] of Object.entries(placement)) {
    for (const [laneId, ids] of Object.entries(column)) {
      const index = ids.indexOf(cardId);
      if (index >= 0) return { columnId, laneId, index };
    }
  }
  return undefined;
}

export function removed(placement, cardId) {
  const place = placeOf(placement, cardId);
  if (!place) return placement;
  const ids = without(cell(placement, place.columnId, place.laneId), cardId);
  return withCell(placement, place.columnId, place.laneId, ids);
}

export function placed(placement, cardId, { columnId, laneId, index = Infinity }) {
  const free = removed(placement, cardId);
  const ids = insertedAt(cell(free, columnId, laneId), index, cardId);
  return withCell(free, columnId, laneId, ids);
}

/** Moves several cards to one place, in the order in which they are given. */
function placedAll(placement, cardIds, { columnId, laneId, index = Infinity }) {
  const target = cell(placement, columnId, laneId);
  const above = target.slice(0, index).filter((id) => cardIds.includes(id)).length;
  let free = placement;
  for (const id of cardIds) free = removed(free, id);
  const rest = cell(free, columnId, laneId);
  const at = Math.min(index - above, rest.length);
  return withCell(free, columnId, laneId, [...rest.slice(0, at), ...cardIds, ...rest.slice(at)]);
}

export function placementReducer(placement, action) {
  switch (action.type) {
    case 'cards/added':
    case 'cards/copied':
      return placed(placement, action.newId ?? action.id, {
        columnId: action.columnId,
        laneId: action.laneId ?? REST,
        index: action.index,
      });
    case 'cards/moved':
    case 'cards/restored':
      return placed(placement, action.id, action);
    case 'bulk/moved':
      return placedAll(placement, action.ids, action);
    case 'cards/archived':
    case 'cards/deleted':
      return removed(placement, action.id);
    case 'bulk/archived':
      return mappedValues(placement, (column) => pruned(column, action.ids));
    case 'columns/added':
      return placement[action.id] ? placement : { ...placement, [action.id]: {} };
    case 'columns/removed':
      return omitted(placement, action.id);
    case 'lanes/removed':
      return mappedValues(placement, (column) => merged(column, action.id, REST));
    case 'columns/sorted':
      return withCell(placement, action.id, action.laneId, action.ids);
    default:
      return placement;
  }
}

function pruned(column, cardIds) {
  let next = column;
  for (const [laneId, ids] of Object.entries(column)) {
    const left = withoutAll(ids, cardIds);
    if (left === ids) continue;
    next = left.length ? { ...next, [laneId]: left } : omitted(next, laneId);
  }
  return next;
}

function merged(column, from, to) {
  if (!column[from]) return column;
  return { ...omitted(column, from), [to]: [...(column[to] ?? []), ...column[from]] };
}

export function idsInColumn(placement, columnId, laneOrder) {
  return laneOrder.flatMap((laneId) => cell(placement, columnId, laneId));
}
