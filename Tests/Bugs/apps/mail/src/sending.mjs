// Messages that leave: kept in the thread at once, sent by the outbox.
import { encodedSize, sizeOf } from './attachments.mjs';
import { metIn } from './contacts.mjs';
import { unique } from './lists.mjs';
import { added } from './mailbox.mjs';
import { queued } from './outbox.mjs';

/** A finished message with the headers that the user's own address gives it. */
function composed({ account, now }, content) {
  const { to, cc = [], bcc = [], subject, body, attachments = [] } = content;
  const { localId, inReplyTo, references } = content;
  return {
    id: localId, header: `<${localId}@${account.address.split('@')[1]}>`,
    inReplyTo, references: unique(references),
    from: { name: account.name, address: account.address }, to, cc, bcc, subject, at: now,
    body, attachments, labels: ['sent'], listId: null,
    size: body.length + encodedSize(sizeOf(attachments)),
  };
}

export function posted(state, content) {
  const message = composed(state, content);
  const next = added(state, message);
  return {
    ...next,
    contacts: metIn(next.contacts, message, state.account, true),
    outbox: queued(next.outbox, { kind: 'send', messageId: message.id }),
  };
}
