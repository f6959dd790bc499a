// A person compares an account with a statement on paper, and ticks what is on both.
import { amountOn } from './postings.mjs';
import { balanceOf } from './balances.mjs';
import { sum } from './money.mjs';

export const initialReconcile = { open: null, done: {} };

export function reconcileReducer(reconcile, action, { transactions, balances }) {
  const { open } = reconcile;
  switch (action.type) {
    case 'reconcile/begun': {
      const { account, date, balance } = action;
      return { ...reconcile, open: { account, date, balance, ticked: [] } };
    }
    case 'reconcile/ticked':
      return open ? { ...reconcile, open: { ...open, ticked: toggled(open.ticked, action.id) } }
        : reconcile;
    case 'reconcile/tickedAll':
      return open ? {
        ...reconcile,
        open: { ...open, ticked: openEntries(transactions, open).map(({ id }) => id) },
      } : reconcile;
    case 'reconcile/cancelled':
      return { ...reconcile, open: null };
    case 'reconcile/finished': {
      if (!open) return reconcile;
      const difference = differenceOf(open, transactions, balances);
      const entry = { date: open.date, balance: open.balance, difference };
      const before = reconcile.done[open.account] ?? [];
      return { open: null, done: { ...reconcile.done, [open.account]: [...before, entry] } };
    }
    case 'transactions/removed':
      return open?.ticked.includes(action.id)
        ? { ...reconcile, open: { ...open, ticked: toggled(open.ticked, action.id) } }
        : reconcile;
    default:
      return reconcile;
  }
}

function toggled(ids, id) {
  return ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id];
}

/** The entries of the account up to the day of the statement that are not cleared yet. */
function openEntries(transactions, { account, date }) {
  return Object.values(transactions.byId)
    .filter((each) => each.date <= date && each.postings.some((posting) =>
      posting.account === account && !posting.isCleared));
}

/** The statement less what is cleared and ticked: zero when all fits. */
export function differenceOf({ account, balance, ticked }, transactions, balances) {
  const own = ticked.map((id) => transactions.byId[id]).filter(Boolean);
  const open = own.map(({ postings }) =>
    amountOn(postings.filter(({ isCleared }) => !isCleared), account));
  return balance - balanceOf(balances, account).cleared - sum(open);
}

export function lastReconciled(reconcile, account) {
  const entries = reconcile.done[account] ?? [];
  return entries[entries.length - 1];
}
