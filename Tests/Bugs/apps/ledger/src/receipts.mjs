// Receipts that a phone has read: their texts, what was found in them, and what they belong to.
import { daysBetween, isDay, parsedDay } from './dates.mjs';
import { parsedAmount, sum } from './money.mjs';
import { changed, folded, omitted, patched, tidied } from './records.mjs';
import { RATES, splitGross } from './vat.mjs';

export const initialReceipts = { byId: {} };

export function receiptsReducer(receipts, action) {
  switch (action.type) {
    case 'receipts/scanned': {
      if (receipts.byId[action.id]) return receipts;
      const entry = { id: action.id, ...readReceipt(action.text, action.today), transaction: null };
      return { byId: { ...receipts.byId, [action.id]: entry } };
    }
    case 'receipts/corrected':
      return edited(receipts, action.id, (receipt) => patched(receipt, {
        total: action.total ?? receipt.total,
        date: isDay(action.date ?? '') ? action.date : receipt.date,
      }));
    case 'receipts/attached':
      return edited(receipts, action.id, (receipt) =>
        patched(receipt, { transaction: action.transaction }));
    case 'receipts/thrown':
      return { byId: omitted(receipts.byId, action.id) };
    case 'transactions/removed': {
      const own = Object.values(receipts.byId).filter((each) => each.transaction === action.id);
      return own.reduce((all, { id }) =>
        edited(all, id, (receipt) => ({ ...receipt, transaction: null })), receipts);
    }
    default:
      return receipts;
  }
}

function edited(receipts, id, change) {
  const byId = changed(receipts.byId, id, change);
  return byId === receipts.byId ? receipts : { byId };
}

/** The name is the first line; the total is after "total", else the largest amount. */
function readReceipt(text, today) {
  const lines = text.split('\n').map(tidied).filter(Boolean);
  const amounts = [];
  let total;
  let date = null;
  const taxes = [];
  for (const line of lines) {
    const amount = parsedAmount(/(-?[\d.]+[.,]\d{2})\D*$/.exec(line)?.[1] ?? '');
    const rate = Number(/(\d{1,2}) ?%/.exec(line)?.[1]);
    const day = /\b(\d{1,2}\.\d{1,2}\.\d{2,4}|\d{4}-\d{2}-\d{2})\b/.exec(line)?.[1];
    if (day && !date) date = parsedDay(day, today) ?? null;
    if (amount === undefined || day) continue;
    if (/^(total|sum|to pay)\b/.test(folded(line))) total = amount;
    else if (RATES.includes(rate)) taxes.push({ rate, amount });
    else amounts.push(amount);
  }
  const [payee = ''] = lines;
  return { payee, date: date ?? today, total: total ?? Math.max(0, ...amounts), taxes };
}

/** How well a transaction fits a receipt; zero when it cannot be it. */
function scoreOf(receipt, transaction) {
  const sizes = transaction.postings.map(({ base }) => Math.abs(base));
  if (!sizes.includes(receipt.total)) return 0;
  const days = Math.abs(daysBetween(receipt.date, transaction.date));
  if (days > 5) return 0;
  const words = folded(receipt.payee).split(' ');
  const known = folded(transaction.payee);
  const common = words.filter((word) => word.length > 2 && known.includes(word)).length;
  return 10 - days + 5 * common;
}

/** The transactions that a receipt may belong to, the likeliest first. */
export function candidates(receipt, transactions, receipts) {
  const taken = new Set(Object.values(receipts.byId).map(({ transaction }) => transaction));
  return Object.values(transactions.byId)
    .filter(({ id }) => !taken.has(id))
    .map((transaction) => ({ id: transaction.id, score: scoreOf(receipt, transaction) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1));
}

/** A receipt as a transaction, with the tax apart if all of it has one rate. */
export function receiptBooking(receipt, { account, purpose }) {
  const [tax] = receipt.taxes;
  const lines = receipt.taxes.length === 1
    ? splitGross(receipt.total, tax.rate, purpose)
    : [{ account: purpose, amount: receipt.total }];
  return {
    type: 'transactions/entered',
    id: `${receipt.id}-booked`,
    date: receipt.date,
    payee: receipt.payee,
    lines: [...lines, { account, amount: -sum(lines.map(({ amount }) => amount)) }],
  };
}
