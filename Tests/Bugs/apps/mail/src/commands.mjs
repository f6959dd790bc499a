// The commands for conversations, from buttons, menus and keys.
import { closedThreadView, openedThread } from './view.mjs';
import { changesFor, performed } from './gestures.mjs';
import { change } from './lists.mjs';
import { refiled, removed } from './mailbox.mjs';
import { withNotice } from './notices.mjs';
import { queued } from './outbox.mjs';
import { targetsOf } from './selection.mjs';
import { awake, parseSnooze, snoozedUntil } from './snoozes.mjs';
import { forgot, taught } from './spamFilter.mjs';
import { plural } from './text.mjs';
import { shownThreadIds } from './threadList.mjs';

const CHANGES = {
  archive: { change: { remove: ['inbox'] }, done: 'Archived', leaves: true },
  inbox: { change: { add: ['inbox'], remove: ['spam', 'trash', 'snoozed'] }, done: 'Moved' },
  trash: { change: { add: ['trash'], remove: ['inbox', 'unread'] }, done: 'Deleted', leaves: true },
  read: { change: { remove: ['unread'] }, done: 'Marked as read' },
  unread: { change: { add: ['unread'] }, done: 'Marked as unread' },
  star: { change: { add: ['starred'] }, done: 'Starred' },
  unstar: { change: { remove: ['starred'] }, done: 'Star removed' },
  spam: { change: { add: ['spam'], remove: ['inbox', 'unread'] }, done: 'Reported', leaves: true },
  notSpam: { change: { add: ['inbox'], remove: ['spam'] }, done: 'Not spam', leaves: true },
};

const sentence = (done, ids) => `${done}: ${plural(ids.length, 'conversation')}.`;

/** Moves to another thread when the current one leaves the list. */
function leftBehind(state, ids, shownBefore) {
  const place = Math.min(...ids.map((id) => shownBefore.indexOf(id)).filter((at) => at >= 0));
  const stay = shownBefore.filter((id) => !ids.includes(id));
  const { afterArchive } = state.settings;
  const at = afterArchive === 'previous' ? place - 1 : place;
  const next = stay[Math.max(0, Math.min(stay.length - 1, at))] ?? null;
  const { view } = state, wasOpen = ids.includes(view.openThreadId);
  const clear = { ...state, selection: { ids: [], anchor: null, cursor: next } };
  if (!wasOpen) return clear;
  return afterArchive === 'list' || next === null ? closedThreadView(clear)
    : openedThread(clear, next);
}

export function commanded(state, name, ids = targetsOf(state)) {
  const command = CHANGES[name];
  if (!command || ids.length === 0) return state;
  const shownBefore = shownThreadIds(state);
  const changes = changesFor(state, ids, command.change);
  const lesson = lessonOf(name);
  const spamFilter = lesson ? changes.reduce((filter, { messageId }) =>
    lesson(filter, state.messages[messageId]), state.spamFilter) : state.spamFilter;
  const next = performed({ ...state, spamFilter }, changes, sentence(command.done, ids));
  return command.leaves ? leftBehind(next, ids, shownBefore)
    : { ...next, selection: { ...next.selection, ids: [] } };
}

function lessonOf(name) {
  if (name === 'spam') return (filter, message) => taught(filter, message, 'spam');
  if (name === 'notSpam') return (filter, message) => taught(filter, message, 'good');
  if (name === 'star') return (filter, message) => taught(filter, message, 'good');
  return name === 'unstar' ? (filter, message) => forgot(filter, message.id) : null;
}

function labeled(state, { add = [], remove = [], threadIds }) {
  const ids = threadIds ?? targetsOf(state);
  const names = [...add, ...remove].map((id) => state.labels.byId[id]?.name);
  if (ids.length === 0 || names.includes(undefined)) return state;
  const count = plural(ids.length, 'conversation');
  const text = add.length ? `${count} labeled` : `Label removed from ${count}`;
  return performed(state, changesFor(state, ids, { add, remove }), `${text}: ${names.join(', ')}.`);
}

/** Moves threads from the inbox to a label. */
function movedTo(state, { labelId }) {
  const ids = targetsOf(state), label = state.labels.byId[labelId];
  if (!label || ids.length === 0) return state;
  const shownBefore = shownThreadIds(state), { place } = state.view;
  const left = place.kind === 'label' ? ['inbox', place.id] : ['inbox'];
  const changes = changesFor(state, ids, { add: [labelId], remove: left });
  const next = performed(state, changes, `Moved to ${label.name}.`);
  return leftBehind(next, ids, shownBefore);
}

function muted(state, { isMuted }) {
  const ids = targetsOf(state);
  const threads = ids.reduce((result, id) => change(result, id,
    (thread) => ({ ...thread, isMuted })), state.threads);
  const next = refiled({ ...state, threads });
  return isMuted ? commanded(next, 'archive', ids) : withNotice(next, sentence('Unmuted', ids));
}

function snoozed(state, { text }) {
  const ids = targetsOf(state);
  const { until, fault } = parseSnooze(text, state.now, state.settings.offset);
  if (fault) return withNotice(state, fault, { isFault: true });
  const shownBefore = shownThreadIds(state);
  const snoozes = ids.reduce((result, threadId) => snoozedUntil(result, {
    threadId, until, messageIds: state.threads[threadId].messageIds
      .filter((id) => state.messages[id].labels.includes('inbox')),
  }), state.snoozes);
  const changes = changesFor(state, ids, { remove: ['inbox'], add: ['snoozed'] });
  const next = performed({ ...state, snoozes }, changes, sentence('Snoozed', ids));
  return leftBehind(next, ids, shownBefore);
}

function labelsOnReturn(back, messageId) {
  if (!back.includes(messageId)) return [];
  return messageId === back.at(-1) ? ['inbox', 'unread'] : ['inbox'];
}

/** Returns a snoozed thread to the inbox, unread. */
export function woken(state, { threadId, messageIds }) {
  const thread = state.threads[threadId], snoozes = awake(state.snoozes, threadId);
  if (!thread || !thread.labels.includes('snoozed')) return { ...state, snoozes };
  const back = messageIds.filter((id) => state.messages[id]);
  const changes = thread.messageIds.map((messageId) => ({
    messageId, remove: ['snoozed'],
    add: labelsOnReturn(back, messageId),
  }));
  const next = performed({ ...state, snoozes }, changes, `Back: ${thread.subject}`);
  return { ...next, undo: state.undo };
}

function noted(state, { threadId, note }) {
  if (!state.threads[threadId]) return state;
  return {
    ...state, threads: change(state.threads, threadId, (thread) => ({ ...thread, note })),
  };
}

/** Deletes messages of the bin for good. */
export function purged(state, messageIds) {
  const gone = messageIds.filter((id) => state.messages[id]?.labels.includes('trash'));
  return gone.reduce((result, messageId) => {
    const { messages } = result;
    const { header } = messages[messageId], spamFilter = forgot(result.spamFilter, messageId);
    const next = removed({ ...result, spamFilter }, messageId);
    return { ...next, outbox: queued(next.outbox, { kind: 'purge', messageId, header }) };
  }, state);
}

function emptied(state) {
  const ids = Object.values(state.messages)
    .filter(({ labels }) => labels.includes('trash')).map(({ id }) => id);
  if (ids.length === 0) return state;
  return withNotice(purged(state, ids), `${plural(ids.length, 'message')} deleted for good.`);
}

export const commandHandlers = {
  'threads/commanded': (state, { name, threadIds }) => commanded(state, name, threadIds),
  'threads/labeled': labeled,
  'threads/moved': movedTo,
  'threads/muted': muted,
  'threads/snoozed': snoozed,
  'thread/noted': noted,
  'trash/emptied': emptied,
};
