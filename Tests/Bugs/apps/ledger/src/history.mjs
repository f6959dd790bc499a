// Undo of what was done with transactions. An entry knows what each transaction was before.
import { omitted } from './records.mjs';

export const initialHistory = { past: [], future: [] };

const LIMIT = 25;

const TITLES = {
  'transactions/redated': 'Change of a day',
  'transactions/changed': 'Change of lines',
  'transactions/described': 'Change of a text',
  'transactions/tagged': 'A tag',
  'transactions/untagged': 'A removed tag',
  'transactions/moved': 'Sorting',
  'transactions/removed': 'Removal',
  'quick/entered': 'Entry',
  'draft/saved': 'Entry',
  'statement/imported': 'Import',
};

export function remembered(history, action, changes) {
  const title = TITLES[action.type];
  if (!title || changes.length === 0) return history;
  const entry = {
    title,
    changes: changes.map(({ id, before, after }) => ({
      id, before: before ?? null, after: after ?? null,
    })),
  };
  return { past: [...history.past, entry].slice(-LIMIT), future: [] };
}

/** The transactions with one entry taken back or done again; others may have changed since. */
function applied(transactions, changes, from, to) {
  let { byId } = transactions;
  const done = changes.filter((change) => (byId[change.id] ?? null) === change[from]
    || isAlike(byId[change.id], change[from]));
  for (const change of done) {
    byId = change[to] ? { ...byId, [change.id]: change[to] } : omitted(byId, change.id);
  }
  return { transactions: { ...transactions, byId }, count: done.length };
}

/** The same transaction, whatever was cleared or priced anew meanwhile. */
function isAlike(one, other) {
  if (!one || !other) return false;
  return one.date === other.date && one.payee === other.payee && one.note === other.note
    && one.tags.join() === other.tags.join()
    && one.postings.length === other.postings.length
    && one.postings.every(({ account, amount }, index) =>
      account === other.postings[index].account && amount === other.postings[index].amount);
}

/** A cleared posting stays cleared, also in an undone change. */
function withCleared(transaction, current) {
  if (!current) return transaction;
  const postings = transaction.postings.map((posting) => {
    const now = current.postings.find(({ account }) => account === posting.account);
    return now && now.isCleared !== posting.isCleared
      ? { ...posting, isCleared: now.isCleared } : posting;
  });
  return { ...transaction, postings };
}

export function travelled(history, transactions, direction) {
  const isBack = direction === 'back';
  const list = isBack ? history.past : history.future;
  const entry = list[list.length - 1];
  if (!entry) return { history, transactions };
  const [from, to] = isBack ? ['after', 'before'] : ['before', 'after'];
  const changes = entry.changes.map((change) => (change[to] && change[from]
    ? { ...change, [to]: withCleared(change[to], transactions.byId[change.id]) } : change));
  const { transactions: next } = applied(transactions, changes, from, to);
  const rest = list.slice(0, -1);
  const moved = { ...entry, changes };
  return {
    transactions: next,
    history: isBack
      ? { past: rest, future: [...history.future, moved] }
      : { past: [...history.past, moved], future: rest },
  };
}
