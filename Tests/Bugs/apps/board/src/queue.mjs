// Changes on their way to the server. They wait while the connection is down.
import { SETS } from './cards.mjs';
import { isEqual } from './records.mjs';

export const initialQueue = {
  isOnline: true, waiting: [], nextId: 1, failures: 0, lastSync: null, conflicts: [],
};

const BATCH = 8;

/** The delay before the next try: it doubles with each failure, up to two minutes. */
export function retryDelay(queue) {
  return queue.failures === 0 ? 0 : Math.min(1000 * 2 ** queue.failures, 120_000);
}

export function queueReducer(queue, action) {
  switch (action.type) {
    case 'sync/wentOffline':
      return { ...queue, isOnline: false };
    case 'sync/wentOnline':
      return { ...queue, isOnline: true, failures: 0 };
    case 'sync/sent':
      return { ...queue, waiting: marked(queue.waiting, action.ids, { sentAt: action.at }) };
    case 'sync/acknowledged':
      return {
        ...queue,
        waiting: queue.waiting.filter((operation) => !action.ids.includes(operation.id)),
        failures: 0,
        lastSync: action.at,
      };
    case 'sync/failed':
      return {
        ...queue,
        waiting: retried(queue.waiting, action.ids),
        failures: queue.failures + 1,
      };
    case 'sync/conflictSeen':
      return { ...queue, conflicts: queue.conflicts.filter((each) => each.id !== action.id) };
    default:
      return queue;
  }
}

function marked(waiting, ids, patch) {
  return waiting.map((operation) =>
    (ids.includes(operation.id) ? { ...operation, ...patch } : operation));
}

function retried(waiting, ids) {
  return waiting.map((operation) => (ids.includes(operation.id)
    ? { ...operation, sentAt: null, attempts: operation.attempts + 1 }
    : operation));
}

/** A set travels as what came and what went, since others change it, too. */
export function travelling(field, { before, after }) {
  if (!SETS.includes(field)) return { set: after };
  return {
    add: after.filter((id) => !before.includes(id)),
    remove: before.filter((id) => !after.includes(id)),
  };
}

function joinedFields(first, second) {
  const fields = { ...first };
  for (const [field, change] of Object.entries(second)) {
    const before = fields[field];
    fields[field] = before?.add ? joinedSets(before, change) : change;
  }
  return fields;
}

function joinedSets(first, second) {
  const add = [...first.add.filter((id) => !second.remove.includes(id)), ...second.add];
  const remove = [...first.remove.filter((id) => !second.add.includes(id)), ...second.remove];
  return { add: [...new Set(add)], remove: [...new Set(remove)] };
}

function withOperation(queue, operation) {
  const id = `op-${queue.nextId}`;
  const entry = { id, sentAt: null, attempts: 0, ...operation };
  return { ...queue, waiting: [...queue.waiting, entry], nextId: queue.nextId + 1 };
}

/** Edits of one card join while they wait. A sent edit must not change any more. */
function withEdit(queue, cardId, fields) {
  const at = queue.waiting.findLastIndex((operation) => operation.cardId === cardId);
  const top = queue.waiting[at];
  if (top?.kind !== 'edit' || top.sentAt !== null) {
    return withOperation(queue, { kind: 'edit', cardId, fields });
  }
  const joined = { ...top, fields: joinedFields(top.fields, fields) };
  return { ...queue, waiting: queue.waiting.with(at, joined) };
}

function withCardChange(queue, { id, kind, card, fields }) {
  if (kind === 'created') return withOperation(queue, { kind: 'create', cardId: id, card });
  if (kind === 'deleted') return withDeletion(queue, id);
  const sent = {};
  for (const [field, change] of Object.entries(fields)) sent[field] = travelling(field, change);
  const next = Object.keys(sent).length ? withEdit(queue, id, sent) : queue;
  return kind === 'edited' ? next : withOperation(next, { kind, cardId: id });
}

/** A card that the server never heard of is forgotten, not deleted. */
function withDeletion(queue, cardId) {
  const own = queue.waiting.filter((operation) => operation.cardId === cardId);
  const others = queue.waiting.filter((operation) =>
    operation.cardId !== cardId || operation.sentAt !== null);
  const rest = { ...queue, waiting: others };
  const isUnknown = own.some((operation) =>
    operation.kind === 'create' && operation.sentAt === null && operation.attempts === 0);
  return isUnknown ? rest : withOperation(rest, { kind: 'delete', cardId });
}

function withMove(queue, { id, after }) {
  if (!after) return queue;
  const top = queue.waiting.findLastIndex((operation) => operation.cardId === id);
  const operation = queue.waiting[top];
  if (operation?.kind === 'move' && operation.sentAt === null) {
    return { ...queue, waiting: queue.waiting.with(top, { ...operation, place: after }) };
  }
  return withOperation(queue, { kind: 'move', cardId: id, place: after });
}

/** Puts what a person changed behind what waits already. */
export function enqueued(queue, { cards, places, comments }) {
  let next = queue;
  for (const change of cards) next = withCardChange(next, change);
  for (const change of places) next = withMove(next, change);
  for (const { kind, id, cardId, comment } of comments) {
    const text = kind === 'deleted' ? null : comment.text;
    next = withOperation(next, { kind: 'comment', cardId, commentId: id, text });
  }
  return next;
}

/** The next operations to send: a few, in order, without those that were sent already. */
export function nextBatch(queue) {
  if (!queue.isOnline) return [];
  const isBusy = new Set(queue.waiting.filter((each) => each.sentAt !== null)
    .map((each) => each.cardId));
  return queue.waiting
    .filter((each) => each.sentAt === null && !isBusy.has(each.cardId))
    .slice(0, BATCH);
}

/** Whether a field has a change that the server does not have yet. */
export function isPending(queue, cardId, field) {
  return queue.waiting.some((operation) => operation.cardId === cardId
    && operation.kind === 'edit' && field in operation.fields);
}

export function hasMove(queue, cardId) {
  return queue.waiting.some((operation) =>
    operation.cardId === cardId && operation.kind === 'move');
}

export function withConflict(queue, conflict) {
  const isKnown = queue.conflicts.some((each) =>
    each.id === conflict.id && isEqual(each.theirs, conflict.theirs));
  return isKnown ? queue : { ...queue, conflicts: [...queue.conflicts, conflict].slice(-20) };
}
