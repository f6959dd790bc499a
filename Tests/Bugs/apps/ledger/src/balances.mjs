// Sums that are kept beside the transactions, so that a list of accounts is shown at once.
import { monthOf } from './dates.mjs';
import { family } from './accounts.mjs';
import { sum } from './money.mjs';

export const initialBalances = { totals: {}, months: {} };

const EMPTY = { amount: 0, base: 0, cleared: 0 };

function withPosting({ totals, months }, { account, amount, base, isCleared }, date, sign) {
  const total = totals[account] ?? EMPTY;
  const month = monthOf(date);
  const own = months[account] ?? {};
  return {
    totals: {
      ...totals,
      [account]: {
        amount: total.amount + sign * amount,
        base: total.base + sign * base,
        cleared: total.cleared + (isCleared ? sign * amount : 0),
      },
    },
    months: { ...months, [account]: { ...own, [month]: (own[month] ?? 0) + sign * base } },
  };
}

function withTransaction(balances, transaction, sign) {
  if (!transaction) return balances;
  return transaction.postings.reduce((all, posting) =>
    withPosting(all, posting, transaction.date, sign), balances);
}

export function rebalanced(balances, changes) {
  return changes.reduce((all, { before, after }) =>
    withTransaction(withTransaction(all, before, -1), after, 1), balances);
}

export function balanceOf(balances, accountId) {
  return balances.totals[accountId] ?? EMPTY;
}

/** The worth of an account and all under it, in the base currency. */
export function worthOf(balances, accounts, accountId) {
  return sum(family(accounts, accountId).map((id) => balanceOf(balances, id).base));
}

export function inMonth(balances, accountId, month) {
  return balances.months[accountId]?.[month] ?? 0;
}

/** The worth of an account and of all under it at the end of a month. */
export function worthAt(balances, accounts, accountId, month) {
  return sum(family(accounts, accountId).flatMap((id) =>
    Object.entries(balances.months[id] ?? {})
      .filter(([each]) => each <= month)
      .map(([, base]) => base)));
}
