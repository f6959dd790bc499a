// Merges the changes of others. A waiting change of one's own is kept.
import { FIELDS, SETS, edited, newCard } from './cards.mjs';
import { REST } from './lanes.mjs';
import { withElement, withoutAll } from './lists.mjs';
import { placed, removed } from './placement.mjs';
import { hasMove, isPending, withConflict } from './queue.mjs';
import { omitted, patched } from './records.mjs';

function mergedSet(current, { add = [], remove = [] }) {
  return add.reduce(withElement, withoutAll(current, remove));
}

function mergedFields(card, change, queue) {
  const patch = {};
  const conflicts = [];
  for (const [field, given] of Object.entries(change.fields ?? {})) {
    if (!FIELDS.includes(field)) continue;
    if (SETS.includes(field) && !given.set) {
      patch[field] = mergedSet(card[field], given);
    } else if (isPending(queue, card.id, field)) {
      conflicts.push({ id: `${card.id}/${field}`, ours: card[field], theirs: given.set });
    } else {
      patch[field] = given.set;
    }
  }
  return { patch, conflicts };
}

function isStale(card, change) {
  return change.version !== undefined && change.version < card.version;
}

function withEdits({ content, queue }, change) {
  const card = content.cards.byId[change.cardId];
  if (!card || isStale(card, change)) return { content, queue };
  const { patch, conflicts } = mergedFields(card, change, queue);
  const version = change.version ?? card.version;
  const cards = edited(content.cards, [card.id], (each) => patched(each, { ...patch, version }));
  return { content: { ...content, cards }, queue: conflicts.reduce(withConflict, queue) };
}

function withCreated({ content, queue }, change) {
  const { cards } = content;
  if (cards.byId[change.cardId]) return { content, queue };
  const number = Math.max(cards.lastNumber + 1, change.number ?? 0);
  const card = {
    ...newCard({ id: change.cardId, number, title: change.title, at: change.at, by: change.by }),
    version: change.version ?? 1,
  };
  const next = { byId: { ...cards.byId, [card.id]: card }, lastNumber: number };
  const place = { laneId: REST, ...change.place };
  const placement = placed(content.placement, card.id, place);
  return { content: { ...content, cards: next, placement }, queue };
}

function withPlace({ content, queue }, change) {
  const { place, cardId } = change;
  const card = content.cards.byId[cardId];
  if (!card || card.archivedAt !== null || hasMove(queue, cardId)) return { content, queue };
  if (!content.columns.byId[place.columnId]) return { content, queue };
  const laneId = content.lanes.byId[place.laneId] ? place.laneId : REST;
  const placement = placed(content.placement, cardId, { ...place, laneId });
  return { content: { ...content, placement }, queue };
}

function withComment({ content, queue }, change) {
  const { comment, cardId } = change;
  const { comments } = content;
  if (!content.cards.byId[cardId] || comments.byId[comment.id]) return { content, queue };
  const entry = { editedAt: null, reactions: {}, ...comment, cardId };
  const ids = comments.byCard[cardId] ?? [];
  const next = {
    byId: { ...comments.byId, [comment.id]: entry },
    byCard: { ...comments.byCard, [cardId]: [...ids, comment.id] },
  };
  return { content: { ...content, comments: next }, queue };
}

function withDeleted({ content, queue }, { cardId }) {
  const cards = { ...content.cards, byId: omitted(content.cards.byId, cardId) };
  const placement = removed(content.placement, cardId);
  const waiting = queue.waiting.filter((operation) => operation.cardId !== cardId);
  return { content: { ...content, cards, placement }, queue: { ...queue, waiting } };
}

const KINDS = {
  created: withCreated, edited: withEdits, moved: withPlace, commented: withComment,
  deleted: withDeleted,
};

/** The content and the queue after changes from the server, in their order. */
export function pulled(content, queue, changes) {
  return changes.reduce((both, change) => KINDS[change.kind](both, change), { content, queue });
}

/** The versions that the server gave to what it took. */
export function acknowledged(content, versions) {
  let cards = content.cards;
  for (const [id, version] of Object.entries(versions)) {
    cards = edited(cards, [id], (card) =>
      (version > card.version ? { ...card, version } : card));
  }
  return cards === content.cards ? content : { ...content, cards };
}
