// Import and export of mailboxes.
import { freeColor, cleanName, findLabel } from './labelNames.mjs';
import { withLabel } from './labels.mjs';
import { unique } from './lists.mjs';
import { added } from './mailbox.mjs';
import { readMbox, writeMbox } from './mbox.mjs';
import { withNotice } from './notices.mjs';
import { queued } from './outbox.mjs';
import { plural } from './text.mjs';

export function exported(state, messageIds) {
  const messages = messageIds.map((id) => state.messages[id]).filter(Boolean)
    .sort((one, other) => one.at - other.at);
  return writeMbox(messages, state.labels, state.settings.offset);
}

/** Adds what the mailbox lacks. Labels of the file are found by name, or made. */
function imported(state, { id, text }) {
  const { entries, faults } = readMbox(text);
  const known = new Set(Object.values(state.messages).map(({ header }) => header));
  const missing = entries.filter(({ header }) => !known.has(header));
  const next = missing.reduce((result, entry, index) => {
    const { labelNames, isUnread, ...content } = entry;
    const labeled = labelNames.reduce((inner, name) => withNamed(inner, id, name), result);
    const labels = labelNames.map((name) => findLabel(labeled.labels, name).id);
    const message = {
      ...content, id: `${id}.${index}`, labels: isUnread ? [...labels, 'unread'] : labels,
    };
    const { outbox } = labeled;
    return {
      ...added(labeled, message),
      outbox: queued(outbox, { kind: 'import', messageId: message.id }),
    };
  }, state);
  const double = entries.length - missing.length;
  const parts = [plural(missing.length, 'message')];
  if (double) parts.push(`${double} known already`);
  const notice = withNotice(next, `Imported: ${parts.join(', ')}.`);
  return unique(faults).reduce(
    (result, fault) => withNotice(result, fault, { isFault: true }), notice);
}

function withNamed(state, id, name) {
  if (findLabel(state.labels, name)) return state;
  const { labels } = state, count = labels.order.length;
  const label = { id: `${id}-label${count}`, name: cleanName(name), color: freeColor(labels) };
  return {
    ...state, labels: withLabel(labels, label),
    outbox: queued(state.outbox, { kind: 'label', label }),
  };
}

export const transferHandlers = { 'mailbox/imported': imported };
