import { pathOf, shownSign } from './accounts.mjs';
import { balanceOf, worthOf } from './balances.mjs';
import { budgetTable, overspent } from './budgets.mjs';
import { monthName, monthOf } from './dates.mjs';
import { formatted } from './money.mjs';
import { amountOn } from './postings.mjs';
import { fitsQuery } from './query.mjs';
import { differenceOf, lastReconciled } from './reconcile.mjs';

const PAGE = 30;

function remembered(inputsOf, compute) {
  let last;
  let result;
  return (state) => {
    const inputs = inputsOf(state);
    if (!last || inputs.some((input, index) => input !== last[index])) {
      last = inputs;
      result = compute(state);
    }
    return result;
  };
}

/** The transactions that the search and the chosen account let through, the newest first. */
export const shownTransactions = remembered(
  ({ book, view }) => [book.journal, book.transactions, book.accounts, view.account, view.query],
  ({ book: { journal, transactions, accounts }, view: { account, query } }) =>
    journal.map((id) => transactions.byId[id])
      .filter((each) => account === null || amountOn(each.postings, account) !== 0)
      .filter((each) => fitsQuery(query, each, accounts))
      .reverse());

/** A page of the journal: a text for each line, with the running balance of a chosen account. */
export function journalPage(state) {
  const { book: { accounts, balances }, view: { account, page, isCompact } } = state;
  const all = shownTransactions(state);
  let running = account === null ? undefined : balanceOf(balances, account).amount;
  const lines = all.map((each) => {
    const own = account ?? each.postings[0].account;
    const amount = amountOn(each.postings, own);
    const { currency } = accounts.byId[own];
    const line = {
      id: each.id,
      date: isCompact ? each.date.slice(5) : each.date,
      text: each.payee || each.note || '(no text)',
      other: each.postings.filter((posting) => posting.account !== own)
        .map((posting) => pathOf(accounts, posting.account)).join(', '),
      amount: formatted(amount, currency, { isSigned: true }),
      balance: running === undefined ? '' : formatted(running, currency),
    };
    if (running !== undefined) running -= amount;
    return line;
  });
  return lines.slice(page * PAGE, (page + 1) * PAGE);
}

export function accountList({ book: { accounts, balances, reconcile } }) {
  return accounts.order.filter((id) => !accounts.byId[id].isClosed).map((id) => ({
    path: pathOf(accounts, id),
    amount: formatted(shownSign(accounts, id) * worthOf(balances, accounts, id)),
    isOld: accounts.byId[id].type === 'asset' && !lastReconciled(reconcile, id),
  }));
}

/** The budget of the month on the screen. */
export function budgetPage({ book: { budgets, accounts, today }, view }) {
  const month = view.month ?? monthOf(today);
  const { lines, left } = budgetTable(budgets, month);
  return {
    title: monthName(month),
    lines: lines.map((line) => ({
      name: pathOf(accounts, line.account),
      text: `${formatted(line.spent)} of ${formatted(line.plan + line.kept)}`,
      left: formatted(line.left),
    })),
    left: formatted(left, undefined, { hasUnit: true }),
    warnings: overspent(budgets, month).map(({ account, by }) =>
      `${accounts.byId[account].name}: ${formatted(by)} too much`),
  };
}

export function reconcileLine({ book: { reconcile, transactions, balances } }) {
  const { open } = reconcile;
  if (!open) return '';
  const difference = differenceOf(open, transactions, balances);
  return difference === 0 ? 'All fits.' : `${formatted(difference)} do not fit yet.`;
}
