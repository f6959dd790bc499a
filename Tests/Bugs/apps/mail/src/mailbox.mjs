// All changes of messages go through this file. It updates threads, counters, saved searches and
// the index, so that no feature has to.
import { distinct } from './addresses.mjs';
import { counted } from './counters.mjs';
import { movedSnoozes } from './snoozes.mjs';
import { filed, filedAll } from './savedSearches.mjs';
import { indexed, reindexed, renamedInIndex, unindexed } from './searchIndex.mjs';
import { change, omit, shared, sum, union, unique, without } from './lists.mjs';
import { placed, unplaced } from './threading.mjs';
import { shorten } from './text.mjs';

export function contextOf(state) {
  return {
    now: state.now, offset: state.settings.offset, labels: state.labels, threads: state.threads,
  };
}

/** Adds a message that the mailbox does not have yet. */
export function added(state, incoming) {
  const labels = unique(incoming.labels).sort();
  const place = placed({ threads: state.threads, threadOf: state.threading.threadOf },
    { ...incoming, labels, snippet: incoming.snippet ?? shorten(incoming.body ?? '', 90) });
  let next = {
    ...state,
    threads: place.threads,
    threading: { threadOf: place.threadOf },
    messages: { ...state.messages, [place.message.id]: place.message },
    index: indexed(state.index, place.message),
  };
  for (const goneId of place.absorbed) next = absorbed(next, goneId, place.message.threadId);
  return settled(next, null, place.message);
}

/** Moves messages, snoozes, selection and view from a merged thread to the one that is kept. */
function absorbed(state, goneId, keptId) {
  const messages = { ...state.messages };
  for (const id of state.threads[keptId].messageIds) {
    if (messages[id]?.threadId === goneId) messages[id] = { ...messages[id], threadId: keptId };
  }
  const follow = (id) => (id === goneId ? keptId : id);
  const { selection, view } = state;
  return {
    ...state, messages,
    snoozes: movedSnoozes(state.snoozes, goneId, keptId),
    selection: {
      ...selection, ids: unique(selection.ids.map(follow)), anchor: follow(selection.anchor),
    },
    view: { ...view, openThreadId: follow(view.openThreadId) },
  };
}

/** Updates all that is derived from one message, which changed from `before` to `after`. */
function settled(state, before, after) {
  const { threadId } = after ?? before;
  const next = {
    ...state,
    counters: counted(state.counters, before, after),
    threads: state.threads[threadId]
      ? change(state.threads, threadId, (thread) => summarized(thread, state.messages))
      : state.threads,
  };
  return { ...next, searches: filed(next.searches, before, after, contextOf(next)) };
}

function summarized(thread, messages) {
  const all = thread.messageIds.map((id) => messages[id])
    .sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
  const labels = unique(all.flatMap((message) => message.labels)).sort();
  return {
    ...thread, labels,
    messageIds: all.map(({ id }) => id),
    people: distinct(all.flatMap((message) => [message.from, ...message.to])),
    firstAt: all[0].at,
    lastAt: all.at(-1).at,
    unread: sum(all, (message) => (message.labels.includes('unread') ? 1 : 0)),
    hasFiles: all.some((message) => message.attachments.length > 0),
  };
}

/** Adds labels to a message and removes others. */
export function relabeled(state, { messageId, add = [], remove = [] }) {
  const before = state.messages[messageId];
  if (!before) return state;
  const labels = union(without(before.labels, remove), add).sort();
  if (labels.join() === before.labels.join()) return state;
  const after = { ...before, labels };
  return settled({ ...state, messages: { ...state.messages, [messageId]: after } }, before, after);
}

/** The labels that this message really gains and loses by a change. */
export function effectOf(message, { add = [], remove = [] }) {
  const losses = shared(message.labels, without(remove, add));
  return { messageId: message.id, add: without(add, message.labels), remove: losses };
}

export function rewritten(state, messageId, fields) {
  const before = state.messages[messageId];
  if (!before) return state;
  const after = { ...before, ...fields };
  const next = {
    ...state, messages: { ...state.messages, [messageId]: after },
    index: reindexed(state.index, before, after),
  };
  return settled(next, before, after);
}

export function removed(state, messageId) {
  const message = state.messages[messageId];
  if (!message) return state;
  const { threads, threadOf } =
    unplaced({ threads: state.threads, threadOf: state.threading.threadOf }, message);
  const next = {
    ...state, threads, threading: { threadOf }, messages: omit(state.messages, messageId),
    index: unindexed(state.index, message),
  };
  const open = next.threads[message.threadId] ? next : closedThread(next, message.threadId);
  return settled(open, message, null);
}

function closedThread(state, threadId) {
  const { selection, view } = state;
  return {
    ...state,
    snoozes: state.snoozes.filter((snooze) => snooze.threadId !== threadId),
    selection: { ...selection, ids: without(selection.ids, [threadId]) },
    view: view.openThreadId === threadId ? { ...view, openThreadId: null } : view,
  };
}

/** Replaces the id of a sent message by the one that the server gave it. */
export function renamed(state, oldId, newId) {
  const message = state.messages[oldId];
  if (!message || state.messages[newId]) return state;
  const rename = (id) => (id === oldId ? newId : id);
  const renameIn = (effects) => effects
    .map((effect) => ({ ...effect, messageId: rename(effect.messageId) }));
  const renameSteps = (steps) => steps
    .map((step) => ({ ...step, effects: renameIn(step.effects) }));
  const { undo } = state;
  return {
    ...state,
    messages: { ...omit(state.messages, oldId), [newId]: { ...message, id: newId } },
    threads: change(state.threads, message.threadId,
      (thread) => ({ ...thread, messageIds: thread.messageIds.map(rename) })),
    index: renamedInIndex(state.index, message, newId),
    searches: change(state.searches, 'members', (members) => Object.fromEntries(
      Object.entries(members).map(([id, ids]) => [id, ids.map(rename)]))),
    drafts: change(state.drafts, 'byId', (byId) => Object.fromEntries(Object.entries(byId)
      .map(([id, draft]) => [id, { ...draft, answersId: rename(draft.answersId) }]))),
    spamFilter: change(state.spamFilter, 'taught', (taught) => Object.fromEntries(
      Object.entries(taught).map(([id, lesson]) => [rename(id), lesson]))),
    undo: { ...undo, done: renameSteps(undo.done), undone: renameSteps(undo.undone) },
    outbox: change(state.outbox, 'queue', renameIn),
    snoozes: state.snoozes
      .map((snooze) => ({ ...snooze, messageIds: snooze.messageIds.map(rename) })),
  };
}

/** Evaluates all saved searches again, after a change of labels or settings. */
export const refiled = (state) => ({
  ...state, searches: filedAll(state.searches, state.messages, contextOf(state)),
});
