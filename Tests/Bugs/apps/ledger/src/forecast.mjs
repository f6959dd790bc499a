// The future balance of an account: today's money, planned payments, and usual ones.
import { addDays, addMonths, monthOf, monthsBetween } from './dates.mjs';
import { balanceOf, inMonth } from './balances.mjs';
import { ofType } from './accounts.mjs';
import { sum } from './money.mjs';
import { upcoming } from './scheduled.mjs';
import { openOf } from './invoices.mjs';

function scheduledOn(scheduled, account, today, days) {
  return upcoming(scheduled, today, days).flatMap(({ date, payee, lines }) => {
    const line = lines.find((each) => each.account === account && each.amount !== undefined);
    return line ? [{ date, text: payee, amount: line.amount }] : [];
  });
}

function invoicesDue(invoices, today, end) {
  return Object.values(invoices.byId)
    .filter(({ state, dueOn }) => state === 'sent' && dueOn <= end)
    .map((invoice) => ({
      date: invoice.dueOn < today ? addDays(today, 7) : invoice.dueOn,
      text: `Invoice ${invoice.number}`,
      amount: openOf(invoice),
    }));
}

/** The spending of a usual day, without planned payments. */
function usualPerDay({ accounts, balances }, today) {
  const month = monthOf(today);
  const months = monthsBetween(addMonths(month, -3), addMonths(month, -1));
  const costs = sum(ofType(accounts, 'expense').flatMap((id) =>
    months.map((each) => inMonth(balances, id, each))));
  return Math.round(costs / 90);
}

/** The balance of an account on each day to come, and the day on which it is lowest. */
export function forecast(book, account, days) {
  const { balances, scheduled, invoices, today } = book;
  const end = addDays(today, days);
  const events = [...scheduledOn(scheduled, account, today, days),
    ...invoicesDue(invoices, today, end)];
  const perDay = usualPerDay(book, today);
  let balance = balanceOf(balances, account).base;
  let lowest = { date: today, balance };
  const points = [];
  for (let day = 1; day <= days; day += 1) {
    const date = addDays(today, day);
    balance += sum(events.filter((event) => event.date === date).map(({ amount }) => amount));
    balance -= Math.round(perDay / 2);
    points.push({ date, balance });
    if (balance < lowest.balance) lowest = { date, balance };
  }
  return { points, lowest, events: events.length };
}
