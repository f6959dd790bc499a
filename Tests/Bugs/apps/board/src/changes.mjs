// The changes of an action: for undo, for the server, for the search and for the log.
import { FIELDS } from './cards.mjs';
import { placeOf } from './placement.mjs';
import { isEqual } from './records.mjs';

function fieldsBetween(before, after) {
  const fields = {};
  for (const field of FIELDS) {
    if (!isEqual(before[field], after[field])) {
      fields[field] = { before: before[field], after: after[field] };
    }
  }
  return fields;
}

function keysOfBoth(one, other) {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])];
}

function cardChanges(before, after) {
  if (before.byId === after.byId) return [];
  const found = [];
  for (const id of keysOfBoth(before.byId, after.byId)) {
    const was = before.byId[id];
    const is = after.byId[id];
    if (was === is) continue;
    if (!was) {
      found.push({ id, kind: 'created', card: is });
    } else if (!is) {
      found.push({ id, kind: 'deleted', card: was });
    } else {
      const kind = was.archivedAt === is.archivedAt ? 'edited'
        : is.archivedAt === null ? 'restored' : 'archived';
      const fields = fieldsBetween(was, is);
      if (kind !== 'edited' || Object.keys(fields).length) found.push({ id, kind, fields });
    }
  }
  return found;
}

/** The cards that an action names as those that it moves. */
function movedBy(action, placement) {
  switch (action.type) {
    case 'cards/moved':
    case 'cards/archived':
    case 'cards/restored':
      return [action.id];
    case 'bulk/moved':
    case 'bulk/archived':
      return action.ids;
    case 'lanes/removed':
      return Object.values(placement).flatMap((column) => column[action.id] ?? []);
    default:
      return action.movedIds ?? [];
  }
}

function placeChanges(before, after, action, created) {
  if (before === after) return [];
  return [...new Set([...movedBy(action, before), ...created])]
    .map((id) => ({ id, before: placeOf(before, id) ?? null, after: placeOf(after, id) ?? null }))
    .filter((change) => !isEqual(change.before, change.after));
}

function commentChanges(before, after) {
  if (before.byId === after.byId) return [];
  const found = [];
  for (const id of keysOfBoth(before.byId, after.byId)) {
    const was = before.byId[id];
    const is = after.byId[id];
    if (was === is) continue;
    const kind = !was ? 'added' : !is ? 'deleted' : 'edited';
    const isText = kind !== 'edited' || was.text !== is.text;
    if (isText) found.push({ id, kind, cardId: (is ?? was).cardId, comment: is ?? was });
  }
  return found;
}

export function changesBetween(before, after, action) {
  const cards = cardChanges(before.cards, after.cards);
  const created = cards.filter(({ kind }) => kind === 'created').map(({ id }) => id);
  return {
    cards,
    places: placeChanges(before.placement, after.placement, action, created),
    comments: commentChanges(before.comments, after.comments),
  };
}

export function isNothing({ cards, places, comments }) {
  return cards.length === 0 && places.length === 0 && comments.length === 0;
}
