// The sheets of a book: balances, income and costs, and what became of the money.
import { family, isReported, ofType, pathOf, shownSign } from './accounts.mjs';
import { balanceOf, inMonth, worthAt, worthOf } from './balances.mjs';
import { addMonths, monthsBetween } from './dates.mjs';
import { sum } from './money.mjs';
import { sortedBy } from './records.mjs';

/** All accounts with debits and credits; both columns have the same sum. */
export function trialBalance({ accounts, balances }) {
  const lines = accounts.order.map((id) => ({ id, base: balanceOf(balances, id).base }))
    .filter(({ base }) => base !== 0)
    .map(({ id, base }) => ({
      path: pathOf(accounts, id), debit: Math.max(0, base), credit: Math.max(0, -base),
    }));
  return {
    lines,
    debit: sum(lines.map(({ debit }) => debit)),
    credit: sum(lines.map(({ credit }) => credit)),
  };
}

function roots(accounts, type) {
  return ofType(accounts, type).filter((id) => accounts.byId[id].parent === null);
}

function treeOf({ accounts, balances }, id, depth, month) {
  const value = month === undefined
    ? worthOf(balances, accounts, id) : worthAt(balances, accounts, id, month);
  const children = accounts.order.filter((each) => accounts.byId[each].parent === id);
  const { name } = accounts.byId[id];
  const line = { name, depth, amount: shownSign(accounts, id) * value };
  return [line, ...children.flatMap((child) =>
    treeOf({ accounts, balances }, child, depth + 1, month))];
}

/** Assets and debts at the end of a month. */
export function balanceSheet(book, month) {
  const side = (type) => roots(book.accounts, type).flatMap((id) => treeOf(book, id, 0, month));
  const total = (type) => sum(roots(book.accounts, type)
    .map((id) => shownSign(book.accounts, id) * worthAt(book.balances, book.accounts, id, month)));
  const [assets, liabilities] = [total('asset'), total('liability')];
  return {
    assets: side('asset'), liabilities: side('liability'), worth: assets - liabilities,
  };
}

function monthsOf({ accounts, balances }, id, months) {
  return sum(family(accounts, id).flatMap((each) =>
    months.map((month) => inMonth(balances, each, month))));
}

/** Income and costs of some months. */
export function incomeStatement(book, from, to) {
  const { accounts } = book;
  const months = monthsBetween(from, to);
  const part = (type) => sortedBy(roots(accounts, type)
    .map((id) => ({
      name: accounts.byId[id].name, amount: shownSign(accounts, id) * monthsOf(book, id, months),
    }))
    .filter(({ amount }) => amount !== 0), ({ amount }) => -amount);
  const [income, costs] = [part('income'), part('expense')];
  const total = (lines) => sum(lines.map(({ amount }) => amount));
  const [earned, spent] = [total(income), total(costs)];
  const rate = earned > 0 ? Math.round(((earned - spent) / earned) * 100) : null;
  return { income, costs, earned, spent, result: earned - spent, savingsRate: rate };
}

/** Assets less debts, month by month. */
export function netWorth({ accounts, balances }, from, to) {
  const own = [...ofType(accounts, 'asset'), ...ofType(accounts, 'liability')];
  const before = addMonths(from, -1);
  let worth = sum(own.flatMap((id) => Object.entries(balances.months[id] ?? {})
    .filter(([month]) => month <= before).map(([, base]) => base)));
  return monthsBetween(from, to).map((month) => {
    worth += sum(own.map((id) => inMonth(balances, id, month)));
    return { month, worth };
  });
}

/** The result of a quarter or a year, as it is written down when a period is closed. */
export function resultOf(transactions, accounts, { from, to }) {
  const own = Object.values(transactions.byId).filter(({ date }) => date >= from && date <= to);
  return -sum(own.flatMap(({ postings }) => postings)
    .filter(({ account }) => isReported(accounts, account)).map(({ base }) => base));
}

/** The largest costs of a month, and how they compare with the months before. */
export function topCosts(book, month, most = 5) {
  const { accounts, balances } = book;
  const before = monthsBetween(addMonths(month, -3), addMonths(month, -1));
  const lines = ofType(accounts, 'expense').map((id) => {
    const costs = before.map((each) => inMonth(balances, id, each));
    const usual = Math.round(sum(costs) / before.length);
    const amount = inMonth(balances, id, month);
    return { name: accounts.byId[id].name, amount, change: amount - usual };
  });
  return sortedBy(lines.filter(({ amount }) => amount > 0), ({ amount }) => -amount).slice(0, most);
}
