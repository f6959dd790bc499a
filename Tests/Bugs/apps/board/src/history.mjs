// Undo and redo. Others go on working meanwhile, so an undo takes back what the person changed and
// leaves what came from others since.
import { SETS, edited } from './cards.mjs';
import { placed, removed } from './placement.mjs';
import { isEqual, omitted, patched } from './records.mjs';

export const initialHistory = { past: [], future: [], skipped: 0 };

const LIMIT = 60;

const TITLES = {
  'cards/added': 'Add a card',
  'cards/copied': 'Copy a card',
  'cards/retitled': 'Rename a card',
  'cards/described': 'Edit a description',
  'cards/dueSet': 'Set a due day',
  'cards/dueCleared': 'Clear a due day',
  'cards/estimated': 'Estimate a card',
  'cards/prioritized': 'Set a priority',
  'cards/moved': 'Move a card',
  'cards/archived': 'Archive a card',
  'cards/restored': 'Restore a card',
  'cards/labelled': 'Add a label',
  'cards/unlabelled': 'Remove a label',
  'cards/assigned': 'Assign a card',
  'cards/unassigned': 'Remove a member',
  'bulk/moved': 'Move cards',
  'bulk/archived': 'Archive cards',
  'bulk/labelled': 'Label cards',
  'bulk/assigned': 'Assign cards',
};

export function isUndoable(action) {
  return action.type in TITLES || action.type.startsWith('checklist/');
}

export function titleOf(action) {
  return TITLES[action.type] ?? 'Edit a checklist';
}

/** Several keys pressed in one field are one entry. */
function continues(entry, action) {
  return entry?.merge !== undefined && entry.merge === mergeKey(action)
    && action.at - entry.at < 3000;
}

function mergeKey(action) {
  return action.type === 'cards/described' || action.type === 'cards/retitled'
    ? `${action.type} ${action.id}` : undefined;
}

export function recorded(history, action, { cards, places }) {
  if (cards.length === 0 && places.length === 0) return history;
  const entry = {
    title: titleOf(action), at: action.at ?? null, merge: mergeKey(action), cards, places,
  };
  const top = history.past[history.past.length - 1];
  if (continues(top, action)) {
    const past = [...history.past.slice(0, -1), joined(top, entry)];
    return { ...history, past, future: [] };
  }
  return { ...history, past: [...history.past, entry].slice(-LIMIT), future: [] };
}

function joined(first, second) {
  const [one] = first.cards;
  const [other] = second.cards;
  const fields = { ...one.fields };
  for (const [field, change] of Object.entries(other.fields)) {
    fields[field] = { before: fields[field]?.before ?? change.before, after: change.after };
  }
  return { ...second, cards: [{ ...other, fields }] };
}

/** A card without the labels and members that are gone meanwhile. */
function withKnown(card, { labels, members }) {
  return patched(card, {
    labelIds: card.labelIds.filter((id) => labels.byId[id]),
    memberIds: card.memberIds.filter((id) => members.byId[id]?.isActive),
  });
}

/** A set of ids after the undo of a change of it. */
function setTakenBack(current, { before, after }) {
  if (isEqual(current, after)) return before;
  const added = after.filter((id) => !before.includes(id));
  const gone = before.filter((id) => !after.includes(id) && !current.includes(id));
  return [...current.filter((id) => !added.includes(id)), ...gone];
}

function fieldsTakenBack(card, fields) {
  const patch = {};
  let skipped = 0;
  for (const [field, change] of Object.entries(fields)) {
    if (SETS.includes(field)) {
      patch[field] = setTakenBack(card[field], change);
    } else if (isEqual(card[field], change.after)) {
      patch[field] = change.before;
    } else {
      skipped += 1;
    }
  }
  return { patch, skipped };
}

function cardTakenBack(content, change, at) {
  const { cards } = content;
  const card = cards.byId[change.id];
  switch (change.kind) {
    case 'created': {
      if (!card) return { content, skipped: 1 };
      const byId = omitted(cards.byId, change.id);
      const placement = removed(content.placement, change.id);
      return { content: { ...content, cards: { ...cards, byId }, placement }, skipped: 0 };
    }
    case 'deleted': {
      if (card) return { content, skipped: 1 };
      const byId = { ...cards.byId, [change.id]: withKnown(change.card, content) };
      return { content: { ...content, cards: { ...cards, byId } }, skipped: 0 };
    }
    default: {
      if (!card) return { content, skipped: 1 };
      const { patch, skipped } = fieldsTakenBack(card, change.fields);
      if (change.kind === 'archived') patch.archivedAt = null;
      if (change.kind === 'restored') patch.archivedAt = at;
      const next = edited(cards, [change.id], (each) =>
        withKnown(patched(each, patch), content));
      return { content: { ...content, cards: next }, skipped };
    }
  }
}

function placeTakenBack(content, { id, before }) {
  if (!content.cards.byId[id]) return content;
  const isThere = before && content.placement[before.columnId];
  const laneId = before && content.lanes.byId[before.laneId] ? before.laneId : 'rest';
  const placement = isThere
    ? placed(content.placement, id, { ...before, laneId })
    : removed(content.placement, id);
  return { ...content, placement };
}

function takenBack(content, entry, at) {
  let next = content;
  let skipped = 0;
  for (const change of entry.cards) {
    const result = cardTakenBack(next, change, at);
    next = result.content;
    skipped += result.skipped;
  }
  // The card that was moved last goes back first.
  for (const change of [...entry.places].reverse()) next = placeTakenBack(next, change);
  return { content: next, skipped };
}

const REVERSED = {
  created: 'deleted', deleted: 'created', archived: 'restored', restored: 'archived',
  edited: 'edited',
};

/** The entry that brings back what this one took away, with what the cards are now. */
function reversed(entry, content) {
  const cards = entry.cards.map(({ id, kind, card, fields }) => ({
    id,
    kind: REVERSED[kind],
    ...(card ? { card: content.cards.byId[id] ?? card } : {}),
    ...(fields ? { fields: swapped(fields) } : {}),
  }));
  const places = entry.places.map(({ id, before, after }) => ({ id, before: after, after: before }))
    .reverse();
  return { ...entry, cards, places };
}

function swapped(fields) {
  const found = {};
  for (const [field, { before, after }] of Object.entries(fields)) {
    found[field] = { before: after, after: before };
  }
  return found;
}

/** One step back or forth: the content after it, and the history after it. */
export function stepped(content, history, direction, at) {
  const from = direction === 'back' ? history.past : history.future;
  const entry = from[from.length - 1];
  if (!entry) return { content, history };
  const result = takenBack(content, entry, at);
  const rest = from.slice(0, -1);
  const opposite = { ...reversed(entry, content), merge: undefined };
  const skipped = history.skipped + result.skipped;
  return {
    content: result.content,
    history: direction === 'back'
      ? { past: rest, future: [...history.future, opposite], skipped }
      : { past: [...history.past, opposite], future: rest, skipped },
  };
}

/** Forgets entries about cards that another person deleted. */
export function forgotten(history, cardIds) {
  const isKept = (entry) => !entry.cards.some(({ id }) => cardIds.includes(id))
    && !entry.places.some(({ id }) => cardIds.includes(id));
  const past = history.past.filter(isKept);
  const future = history.future.filter(isKept);
  if (past.length === history.past.length && future.length === history.future.length) {
    return history;
  }
  return { ...history, past, future };
}
