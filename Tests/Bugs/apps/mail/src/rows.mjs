// The rows of the list of conversations.
import { peopleLine } from './addresses.mjs';
import { attachmentLine } from './attachments.mjs';
import { formatWhen } from './dates.mjs';
import { unique } from './lists.mjs';
import { ownText } from './quoting.mjs';
import { shorten } from './text.mjs';
import { shownThreadIds, threadIdsIn } from './threadList.mjs';

const WIDTH = 80;

export function rowOf(state, threadId) {
  const thread = state.threads[threadId], { settings, selection, now } = state;
  const messages = thread.messageIds.map((id) => state.messages[id]);
  const last = messages.at(-1), draft = draftOf(state, messages);
  return {
    threadId,
    people: `${peopleLine(senders(messages), state.account)}${draft ? ', draft' : ''}`,
    count: messages.length > 1 ? messages.length : null,
    subject: thread.subject || '(no subject)',
    snippet: settings.showSnippets ? shorten(ownText(last.body ?? last.snippet), WIDTH) : '',
    when: formatWhen(thread.lastAt, now, settings.offset),
    files: settings.density === 'dense' ? '' : attachmentLine(messages.flatMap(
      ({ attachments }) => attachments)),
    isUnread: thread.unread > 0,
    isStarred: thread.labels.includes('starred'),
    isMuted: thread.isMuted,
    isMarked: selection.ids.includes(threadId),
    isAtCursor: selection.cursor === threadId,
    labels: shownLabels(state, thread),
  };
}

const senders = (messages) => {
  const byAddress = new Map(messages.map(({ from }) => [from.address, from]));
  return [...byAddress.values()];
};

function draftOf({ drafts }, messages) {
  const ids = messages.map(({ id }) => id);
  return drafts.order.find((id) => ids.includes(drafts.byId[id].answersId));
}

/** The labels to show in a row: all but the one of the place itself. */
function shownLabels({ labels, view }, thread) {
  return labels.order.filter((id) => thread.labels.includes(id) && view.place.id !== id)
    .map((id) => ({ name: labels.byId[id].name, color: labels.byId[id].color }));
}

export function listRows(state) {
  return shownThreadIds(state).map((id) => rowOf(state, id));
}

/** `26–50 of 112` */
export function pageLine(state) {
  const { view, settings } = state, all = threadIdsIn(state, view.place).length;
  if (all === 0) return emptyText(view.place);
  const from = view.page * settings.pageSize + 1;
  return `${from}–${Math.min(all, from + settings.pageSize - 1)} of ${all}`;
}

function emptyText({ kind, id }) {
  if (kind === 'search') return 'Nothing fits these words.';
  return id === 'inbox' ? 'All done.' : 'Nothing here.';
}

export function commonLabels(state, threadIds) {
  const lists = threadIds.map((id) => state.threads[id].labels);
  return unique(lists.flat()).map((id) => ({
    id, isOnAll: lists.every((labels) => labels.includes(id)),
  }));
}
