// Handles a new message: spam filter, rules, muted threads, contacts, and the reply of a user
// who is away.
import { isSame } from './addresses.mjs';
import { knows, metIn } from './contacts.mjs';
import { applied } from './gestures.mjs';
import { without } from './lists.mjs';
import { added } from './mailbox.mjs';
import { countedHits, verdictOf } from './rules.mjs';
import { posted } from './sending.mjs';
import { SPAM_FROM, spamScore } from './spamFilter.mjs';
import { answeredNow, answerTo, needsAnswer } from './vacation.mjs';

export function arrived(state, message) {
  const placed = added(state, message);
  const isOwn = isSame(message.from, state.account);
  const met = { ...placed, contacts: metIn(placed.contacts, message, state.account, isOwn) };
  return isOwn || !message.labels.includes('inbox') ? met : sorted(met, message.id, state);
}

function sorted(state, messageId, stateBefore) {
  const message = state.messages[messageId], verdict = verdictOf(state, message);
  const thread = state.threads[message.threadId];
  const isTrusted = verdict.isTrusted || knows(stateBefore.contacts, message.from)
    || thread.messageIds.length > 1;
  const rules = countedHits(state.rules, verdict.hits);
  if (!isTrusted && spamScore(state.spamFilter, message) >= SPAM_FROM) {
    const change = { messageId, add: ['spam'], remove: ['inbox'] };
    return applied({ ...state, rules }, [change]).state;
  }
  const muted = verdict.isMuted
    ? { ...state.threads, [thread.id]: { ...thread, isMuted: true } } : state.threads;
  const isSilent = muted[thread.id].isMuted && !verdict.add.includes('starred');
  const change = {
    messageId,
    add: isSilent ? without(verdict.add, ['inbox']) : verdict.add,
    remove: isSilent ? [...verdict.remove, 'inbox'] : verdict.remove,
  };
  const labeled = applied({ ...state, rules, threads: muted }, [change]).state;
  const forwarded = verdict.forwards.reduce((result, address) => posted(result, {
    to: [{ name: '', address }], subject: `Fwd: ${message.subject}`,
    body: message.body ?? message.snippet, inReplyTo: null, references: [],
    localId: `f-${message.id}-${address}`,
  }), labeled);
  return answered(forwarded, message);
}

function answered(state, message) {
  const { vacation, account, now } = state;
  if (!needsAnswer(vacation, message, account.address, now)) return state;
  const next = { ...state, vacation: answeredNow(vacation, message, now) };
  return posted(next, { ...answerTo(vacation, message), localId: `v-${message.id}` });
}
