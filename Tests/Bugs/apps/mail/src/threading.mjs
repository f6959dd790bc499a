// Finds the thread of a message by the headers that it refers to. The messages of these headers
// may arrive later, or never.
import { keyOf } from './addresses.mjs';
import { DAY } from './dates.mjs';
import { change, omit, shared, union, unique, without } from './lists.mjs';
import { bareSubject, fold, isReply } from './text.mjs';

const SUBJECT_WINDOW = 14 * DAY;

export const emptyThreading = { threadOf: {} };

/** The headers a message names, the eldest first. */
export function namedHeaders({ references, inReplyTo }) {
  return unique(inReplyTo ? [...references, inReplyTo] : references);
}

/**
 * Gives the message its thread: `{ threads, threadOf, message, absorbed }`. A message that belongs
 * to several threads makes one of them.
 */
export function placed({ threads, threadOf }, message) {
  const named = namedHeaders(message);
  const found = unique([message.header, ...named].map((header) => threadOf[header]))
    .filter((id) => id && threads[id]);
  const target = found.length ? eldest(found, threads) : bySubject(threads, message)?.id;
  const absorbed = without(found, [target]);
  let state = { threads, threadOf };
  for (const id of absorbed) state = merged(state, target, id);
  const threadId = target ?? `t-${message.id}`;
  const thread = state.threads[threadId] ?? newThread(threadId, message);
  const missing = named.filter((header) => !state.threadOf[header]);
  const next = {
    ...thread,
    messageIds: union(thread.messageIds, [message.id]),
    headers: union(thread.headers, [message.header]),
    awaited: without(union(thread.awaited, missing), [message.header]),
  };
  return {
    threads: { ...state.threads, [threadId]: next },
    threadOf: pointed(state.threadOf, [message.header, ...missing], threadId),
    message: { ...message, threadId }, absorbed,
  };
}

function newThread(id, message) {
  return {
    id, subject: bareSubject(message.subject), messageIds: [], headers: [], awaited: [],
    isMuted: false, note: '', people: [], firstAt: message.at, lastAt: message.at, labels: [],
    unread: 0, hasFiles: false,
  };
}

function eldest(ids, threads) {
  return ids.reduce((best, id) => (threads[id].firstAt < threads[best].firstAt ? id : best));
}

/** Finds the thread of a reply without references, by its subject and people. */
function bySubject(threads, message) {
  if (!isReply(message.subject) || namedHeaders(message).length) return undefined;
  const subject = fold(bareSubject(message.subject));
  const people = [message.from, ...message.to].map(({ address }) => keyOf(address));
  return Object.values(threads).findLast((thread) => fold(thread.subject) === subject
    && message.at - thread.lastAt < SUBJECT_WINDOW
    && shared(thread.people.map(({ address }) => keyOf(address)), people).length > 1);
}

/** One thread of two: the elder one keeps its id. */
function merged({ threads, threadOf }, keptId, goneId) {
  const kept = threads[keptId], gone = threads[goneId];
  const thread = {
    ...kept,
    messageIds: union(kept.messageIds, gone.messageIds),
    headers: union(kept.headers, gone.headers),
    awaited: union(kept.awaited, gone.awaited),
    isMuted: kept.isMuted && gone.isMuted,
    note: [kept.note, gone.note].filter(Boolean).join('\n'),
  };
  return {
    threads: { ...omit(threads, goneId), [keptId]: thread },
    threadOf: pointed(threadOf, [...gone.headers, ...gone.awaited], keptId),
  };
}

function pointed(threadOf, headers, threadId) {
  const next = { ...threadOf };
  for (const header of headers) next[header] = threadId;
  return next;
}

/** The threads and headers without one message; a thread without messages goes. */
export function unplaced({ threads, threadOf }, message) {
  const thread = threads[message.threadId];
  const messageIds = without(thread.messageIds, [message.id]);
  if (messageIds.length === 0) {
    return {
      threads: omit(threads, thread.id),
      threadOf: omit(threadOf, ...thread.headers, ...thread.awaited),
    };
  }
  const left = change(threads, thread.id, (old) => ({ ...old, messageIds }));
  return { threads: left, threadOf };
}

/** The messages of a thread as a tree, for the outline beside a long conversation. */
export function outline(messages) {
  const byHeader = new Map(messages.map((message) => [message.header, message]));
  const children = new Map(), roots = [];
  for (const message of messages) {
    const parent = namedHeaders(message).findLast((header) => byHeader.has(header));
    if (parent === undefined || parent === message.header) roots.push(message);
    else children.set(parent, [...(children.get(parent) ?? []), message]);
  }
  const branch = (message, depth) => [
    { id: message.id, depth },
    ...(children.get(message.header) ?? []).flatMap((child) => branch(child, depth + 1)),
  ];
  return roots.flatMap((message) => branch(message, 0));
}
