// Changes that the user makes to messages: applied at once, undoable, queued for the server.
import { effectOf, relabeled } from './mailbox.mjs';
import { withNotice } from './notices.mjs';
import { relabelQueued } from './outbox.mjs';

const MOST_STEPS = 30;

const isEffective = ({ add, remove }) => add.length + remove.length > 0;

/** Applies and queues changes of labels; `effects` are the changes that had one. */
export function applied(state, changes) {
  const effects = changes.filter(({ messageId }) => state.messages[messageId])
    .map((change) => effectOf(state.messages[change.messageId], change)).filter(isEffective);
  const next = effects.reduce((result, effect) => ({
    ...relabeled(result, effect), outbox: relabelQueued(result.outbox, effect),
  }), state);
  return { state: next, effects };
}

function remembered(undo, step) {
  return { done: [...undo.done, step].slice(-MOST_STEPS), undone: [] };
}

/** As `applied`, with an undo step and a notice. */
export function performed(state, changes, text) {
  const { state: next, effects } = applied(state, changes);
  if (effects.length === 0) return state;
  const undo = remembered(next.undo, { text, effects, at: state.now });
  return withNotice({ ...next, undo }, text, { canUndo: true });
}

/** The same change for every message of some threads. */
export function changesFor(state, threadIds, change) {
  return threadIds.filter((id) => state.threads[id])
    .flatMap((id) => state.threads[id].messageIds.map((messageId) => ({ messageId, ...change })));
}
