// The server of the simulation: keeps the mailbox, answers the outbox, and lists changes.
// It follows the protocol of the real server.
import { union, without } from '../src/lists.mjs';

export function newServer() {
  return { messages: new Map(), labels: new Map(), log: [], nextId: 1, storedIds: new Map() };
}

const noted = (server, change) => server.log.push(change);

/** Delivers a message to the user's mailbox. */
export function delivered(server, message, labels = ['inbox', 'unread']) {
  const id = `m${server.nextId}`;
  server.nextId += 1;
  server.messages.set(id, { ...message, id, labels });
  noted(server, { kind: 'message', messageId: id });
  return id;
}

/** Changes labels as another device of the user would. */
export function relabeledElsewhere(server, messageId, { add = [], remove = [] }) {
  const message = server.messages.get(messageId);
  if (!message) return;
  const labels = union(without(message.labels, remove), add);
  server.messages.set(messageId, { ...message, labels });
  noted(server, { kind: 'labels', messageId });
}

export function deletedElsewhere(server, messageId) {
  if (server.messages.delete(messageId)) noted(server, { kind: 'gone', messageId });
}

export function labelElsewhere(server, label) {
  server.labels.set(label.id, label);
  noted(server, { kind: 'label', id: label.id });
}

/** The changes since a cursor; without one, everything. Long bodies are sent on request. */
export function changesSince(server, cursor) {
  const next = server.log.length;
  if (cursor === null) {
    const labels = [...server.labels.values()].map((label) => ({ kind: 'label', label }));
    const messages = [...server.messages.values()]
      .map((message) => ({ kind: 'message', message: asSent(message) }));
    return { cursor: next, changes: [...labels, ...messages], isFull: true };
  }
  const changes = server.log.slice(cursor).map((change) => described(server, change));
  return { cursor: next, changes: changes.filter(Boolean), isFull: false };
}

const LONG = 200;

function asSent(message) {
  return message.body.length > LONG
    ? { ...message, snippet: message.body.slice(0, 120), body: null }
    : { ...message, snippet: message.body.slice(0, 120) };
}

function described(server, { kind, messageId, id }) {
  const message = server.messages.get(messageId);
  switch (kind) {
    case 'message': return message && { kind, message: asSent(message) };
    case 'labels': return message && { kind, messageId, labels: message.labels };
    case 'label': return server.labels.has(id) && { kind, label: server.labels.get(id) };
    case 'labelGone': return { kind, id };
    default: return { kind, messageId };
  }
}

export const bodyOf = (server, messageId) => server.messages.get(messageId)?.body ?? '';

/** Carries out requests of the outbox. Repeating a request changes nothing. */
export function asked(server, requests, messages) {
  return requests.map((request) => ({ requestId: request.id, ...done(server, request, messages) }));
}

function done(server, request, messages) {
  switch (request.kind) {
    case 'relabel': return relabeled(server, request);
    case 'send': case 'import': return stored(server, messages[request.messageId]);
    case 'label': server.labels.set(request.label.id, request.label); break;
    case 'labelGone': for (const id of request.ids) withoutLabel(server, id); break;
    default: server.messages.delete(request.messageId);
  }
  return { status: 'done' };
}

function relabeled(server, { messageId, add, remove }) {
  const message = server.messages.get(messageId);
  if (!message) return { status: 'refused', reason: 'The message is gone.' };
  server.messages.set(messageId,
    { ...message, labels: union(without(message.labels, remove), add) });
  return { status: 'done' };
}

function stored(server, message) {
  const earlier = server.storedIds.get(message.header);
  if (earlier) return { status: 'done', newId: earlier };
  const id = `m${server.nextId}`;
  server.nextId += 1;
  server.messages.set(id, { ...message, id });
  server.storedIds.set(message.header, id);
  return { status: 'done', newId: id };
}

function withoutLabel(server, id) {
  server.labels.delete(id);
  for (const [messageId, message] of server.messages) {
    if (message.labels.includes(id)) {
      server.messages.set(messageId, { ...message, labels: without(message.labels, [id]) });
    }
  }
}
