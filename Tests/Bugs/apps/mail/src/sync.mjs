// Data from the server: changes since the last sync, and responses to the outbox.
import { arrived } from './arrival.mjs';
import { withLabel, withoutLabel } from './labels.mjs';
import { difference } from './listDifference.mjs';
import { unique } from './lists.mjs';
import { relabeled, removed, renamed, rewritten } from './mailbox.mjs';
import { withNotice } from './notices.mjs';
import { acknowledged, failed, handedOver, waitsFor, withWaiting, withoutRequests }
  from './outbox.mjs';
import { forgot } from './spamFilter.mjs';
import { plural } from './text.mjs';

export const neverSynced = { cursor: null, status: 'idle', lastAt: null, fault: null };

function received(state, { cursor, changes, isFull = false }) {
  const sync = { cursor, status: 'idle', lastAt: state.now, fault: null };
  const next = changes.reduce(withChange, { ...state, sync });
  return isFull ? onlyListed(next, changes) : next;
}

function withChange(state, change) {
  switch (change.kind) {
    case 'message': return withMessage(state, change.message);
    case 'labels': return withServerLabels(state, change.messageId, change.labels);
    case 'gone': return withoutMessage(state, change.messageId);
    case 'label': return { ...state, labels: withLabel(state.labels, change.label) };
    case 'labelGone': return withoutLabel(state, change.id);
    default: return state;
  }
}

function withMessage(state, message) {
  const known = state.messages[message.id];
  if (!known) return isSentCopy(state, message) ? state : arrived(state, message);
  const { body, snippet } = message;
  const fresh = body && body !== known.body
    ? rewritten(state, message.id, { body, snippet: snippet ?? known.snippet }) : state;
  return withServerLabels(fresh, message.id, message.labels);
}

/** Tells whether this is a message of the outbox whose response is still missing. */
function isSentCopy(state, { header }) {
  return state.outbox.queue.some(({ kind, messageId }) =>
    kind === 'send' && state.messages[messageId]?.header === header);
}

/** Takes over the labels of the server, and applies waiting requests to them. */
function withServerLabels(state, messageId, labels) {
  const message = state.messages[messageId];
  if (!message) return state;
  const wanted = unique(withWaiting(state.outbox, messageId, labels));
  return relabeled(state, { messageId, ...difference(message.labels, wanted) });
}

function withoutMessage(state, messageId) {
  const outbox = withoutRequests(state.outbox, (request) => request.messageId === messageId);
  const spamFilter = forgot(state.spamFilter, messageId);
  return removed({ ...state, outbox, spamFilter }, messageId);
}

/** Removes messages that a full list lacks, unless the outbox still has requests for them. */
function onlyListed(state, changes) {
  const listed = new Set(changes.filter(({ kind }) => kind === 'message')
    .map(({ message }) => message.id));
  const gone = Object.keys(state.messages)
    .filter((id) => !listed.has(id) && !waitsFor(state.outbox, id));
  return gone.reduce(withoutMessage, state);
}

function answered(state, { results }) {
  const outbox = acknowledged(state.outbox, results, state.now);
  const named = results.filter(({ newId }) => newId).reduce((result, { requestId, newId }) => {
    const request = state.outbox.queue.find(({ id }) => id === requestId);
    return request ? renamed(result, request.messageId, newId) : result;
  }, { ...state, outbox });
  const refused = results.filter(({ status }) => status === 'refused').length;
  return refused
    ? withNotice(named, `The server refused ${plural(refused, 'change')}.`, { isFault: true })
    : named;
}

export const syncHandlers = {
  'sync/started': (state) => ({ ...state, sync: { ...state.sync, status: 'running' } }),
  'sync/received': received,
  'sync/failed': (state, { reason, isExpired = false }) => ({
    ...state,
    sync: {
      ...state.sync, status: 'failed', fault: reason,
      cursor: isExpired ? null : state.sync.cursor,
    },
  }),
  'outbox/handedOver': (state, { ids }) => ({ ...state, outbox: handedOver(state.outbox, ids) }),
  'outbox/failed': (state) => ({ ...state, outbox: failed(state.outbox, state.now) }),
  'outbox/answered': answered,
  'body/received': (state, { messageId, body }) => rewritten(state, messageId, { body }),
};
