// Two times side by side, and a year's report to the tax office.
import { isReported, ofType, shownSign } from './accounts.mjs';
import { inMonth } from './balances.mjs';
import { addMonths, monthsBetween } from './dates.mjs';
import { formatted, sum } from './money.mjs';

function inMonths({ accounts, balances }, id, months) {
  return shownSign(accounts, id) * sum(months.map((month) => inMonth(balances, id, month)));
}

const percent = (now, before) =>
  (before === 0 ? null : Math.round(((now - before) / Math.abs(before)) * 100));

/** Each account of income and cost in some months, and in as many months before them. */
export function compared(book, from, to) {
  const months = monthsBetween(from, to);
  const before = months.map((month) => addMonths(month, -months.length));
  return book.accounts.order.filter((id) => isReported(book.accounts, id)).map((id) => {
    const [now, then] = [inMonths(book, id, months), inMonths(book, id, before)];
    return {
      name: book.accounts.byId[id].name, now, then, change: now - then, percent: percent(now, then),
    };
  }).filter(({ now, then }) => now !== 0 || then !== 0);
}

/** Lines for a year: each kind of income and cost, with the month in which it was highest. */
export function yearLines(book, year) {
  const months = monthsBetween(`${year}-01`, `${year}-12`);
  return ['income', 'expense'].flatMap((type) => ofType(book.accounts, type).map((id) => {
    const values = months.map((month) => inMonths(book, id, [month]));
    const amount = sum(values);
    const highest = months[values.indexOf(Math.max(...values))];
    return { type, name: book.accounts.byId[id].name, amount, highest };
  })).filter(({ amount }) => amount !== 0)
    .map(({ type, name, amount, highest }) =>
      `${type}: ${name} ${formatted(amount)} (most in ${highest})`);
}
