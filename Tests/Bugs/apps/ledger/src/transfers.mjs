// Money from one's own account to another comes with both statements: two halves of one thing.
import { daysBetween } from './dates.mjs';

const MOST_DAYS = 4;

function halfOf(transaction, accounts) {
  if (transaction.postings.length !== 2) return undefined;
  const open = transaction.postings.find(({ account }) => account === 'unknown');
  const own = transaction.postings.find(({ account }) =>
    ['asset', 'liability'].includes(accounts.byId[account].type));
  return open && own ? { id: transaction.id, date: transaction.date, own } : undefined;
}

/** Pairs of halves with the same amount and some days between them, each half once. */
export function transferPairs(transactions, accounts) {
  const halves = Object.values(transactions.byId)
    .map((each) => halfOf(each, accounts)).filter(Boolean);
  const taken = new Set();
  const pairs = [];
  for (const out of halves.filter(({ own }) => own.amount < 0)) {
    const into = halves.find((each) => !taken.has(each.id)
      && each.own.base === -out.own.base
      && each.own.account !== out.own.account
      && Math.abs(daysBetween(out.date, each.date)) <= MOST_DAYS);
    if (!into) continue;
    taken.add(into.id);
    pairs.push({ from: out.id, to: into.id, amount: into.own.amount });
  }
  return pairs;
}

/** The transactions with two halves made one: the first stays, and has both accounts. */
export function joinedTransfer(transactions, { from, to }) {
  const [one, other] = [transactions.byId[from], transactions.byId[to]];
  if (!one || !other) return transactions;
  const theirs = other.postings.find(({ account }) => account !== 'unknown');
  const postings = one.postings.map((posting) =>
    (posting.account === 'unknown' ? theirs : posting));
  const { [to]: _, ...byId } = transactions.byId;
  const joined = { ...one, postings, note: one.note || other.note, also: other.source };
  return { ...transactions, byId: { ...byId, [from]: joined } };
}
