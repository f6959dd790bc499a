// An open conversation. Messages that were read before are folded.
import { formatAddress, initials, isSame, peopleLine } from './addresses.mjs';
import { attachmentLine, isDangerous, kindOf } from './attachments.mjs';
import { formatDuration, formatLong } from './dates.mjs';
import { ownText } from './quoting.mjs';
import { shorten } from './text.mjs';
import { outline } from './threading.mjs';

export function conversation(state) {
  const thread = state.threads[state.view.openThreadId];
  if (!thread) return null;
  const messages = thread.messageIds.map((id) => state.messages[id]);
  const depths = new Map(outline(messages).map(({ id, depth }) => [id, depth]));
  return {
    subject: thread.subject, note: thread.note,
    isIncomplete: thread.awaited.length > 0,
    messages: messages.map((message, index) => ({
      ...messageView(state, message, index === messages.length - 1),
      depth: depths.get(message.id) ?? 0, pause: pauseBefore(messages, index),
    })),
    labels: thread.labels.map((id) => state.labels.byId[id]?.name ?? id),
    people: thread.people.map(formatAddress),
  };
}

function messageView(state, message, isLast) {
  const isFolded = !isLast && !message.labels.includes('unread');
  const text = message.body ?? message.snippet;
  return {
    id: message.id, badge: initials(message.from),
    from: isSame(message.from, state.account) ? 'me' : formatAddress(message.from),
    to: peopleLine([...message.to, ...message.cc], state.account),
    when: formatLong(message.at, state.settings.offset),
    text: isFolded ? shorten(ownText(text), 100) : text,
    isFolded, isPartial: message.body === null,
    isWaiting: state.outbox.queue.some(({ messageId }) => messageId === message.id),
    files: message.attachments.map((file) => ({
      ...file, kind: kindOf(file), isDangerous: isDangerous(file),
    })),
    fileLine: attachmentLine(message.attachments),
  };
}

/** The time that a reply took, if it was long. */
function pauseBefore(messages, index) {
  if (index === 0) return null;
  const pause = messages[index].at - messages[index - 1].at;
  return pause > 3_600_000 ? formatDuration(pause) : null;
}
