// Value added tax: what was paid is kept apart from what it was paid for.
import { quarterRange } from './dates.mjs';
import { amountOn } from './postings.mjs';
import { sum } from './money.mjs';

export const RATES = [0, 7, 19];

/** Lines for an amount without tax and its tax. */
export function splitVat(net, tax, rate, account) {
  const lines = [{ account, amount: net, memo: rate ? `${rate} %` : '' }];
  if (tax !== 0) lines.push({ account: 'vat', amount: tax, memo: `${rate} %` });
  return lines;
}

/** Lines for an amount with tax in it, as it is on a receipt. */
export function splitGross(gross, rate, account) {
  const net = Math.round((gross * 100) / (100 + rate));
  return splitVat(net, gross - net, rate, account);
}

function isIn({ date }, { from, to }) {
  return date >= from && date <= to;
}

/** The return of a quarter: tax on sales, tax on purchases, and what is to be paid. */
export function vatReturn(transactions, quarter) {
  const range = quarterRange(quarter);
  const own = Object.values(transactions.byId).filter((each) => isIn(each, range)
    && each.postings.some(({ account }) => account === 'vat') && each.source.kind !== 'tax');
  const taxes = own.map(({ postings }) => amountOn(postings, 'vat'));
  const onSales = -sum(taxes.filter((tax) => tax < 0));
  const onPurchases = sum(taxes.filter((tax) => tax > 0));
  return { quarter, onSales, onPurchases, due: onSales - onPurchases, count: own.length };
}

/** The payment of a return to the office. */
export function vatPayment({ quarter, account, date }, transactions) {
  const { due } = vatReturn(transactions, quarter);
  if (due === 0) return undefined;
  return {
    type: 'transactions/entered',
    id: `vat-${quarter}`,
    date,
    payee: 'Tax office',
    note: `VAT ${quarter}`,
    source: { kind: 'tax', quarter },
    lines: [{ account, amount: -due }, { account: 'vat' }],
  };
}
