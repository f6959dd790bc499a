import { builtPostings, isForeign, revalued } from './postings.mjs';
import { changed, omitted, patched, tidied } from './records.mjs';
import { reachOf, parsedRates } from './rates.mjs';
import { isLocked } from './periods.mjs';

export const initialTransactions = { byId: {}, lastNumber: 0 };

export function transactionsReducer(transactions, action, book) {
  const edit = (change) => edited(transactions, [action.id], change);
  switch (action.type) {
    case 'transactions/entered':
      return entered(transactions, action, book);
    case 'transactions/redated':
      return edit((each) => redated(each, action.date, book));
    case 'transactions/changed':
      return edit((each) => withLines(each, action, book));
    case 'transactions/described': {
      const { payee, note } = action;
      return edit((each) => patched(each, {
        payee: tidied(payee ?? each.payee),
        note: (note ?? each.note).trim(),
      }));
    }
    case 'transactions/tagged':
      return edit((each) => (each.tags.includes(action.tag) ? each
        : { ...each, tags: [...each.tags, action.tag].sort() }));
    case 'transactions/untagged':
      return edit((each) => (each.tags.includes(action.tag)
        ? { ...each, tags: each.tags.filter((tag) => tag !== action.tag) } : each));
    case 'transactions/moved':
      return edited(transactions, action.ids, (each) => moved(each, action.from, action.to));
    case 'transactions/removed':
      return { ...transactions, byId: omitted(transactions.byId, action.id) };
    case 'transactions/cleared':
      return edited(transactions, action.ids, (each) => cleared(each, action));
    case 'accounts/merged':
      return edited(transactions, Object.keys(transactions.byId),
        (each) => moved(each, action.from, action.to));
    case 'rates/set':
    case 'rates/removed':
      return repriced(transactions, [action], book);
    case 'rates/pasted':
      return repriced(transactions, parsedRates(action.text).rows, book);
    default:
      return transactions;
  }
}

export function edited(transactions, ids, change) {
  const byId = ids.reduce((all, id) => changed(all, id, change), transactions.byId);
  return byId === transactions.byId ? transactions : { ...transactions, byId };
}

function entered(transactions, action, { accounts, rates }) {
  const { id, date, lines } = action;
  if (transactions.byId[id]) return transactions;
  const { postings } = builtPostings(lines, date, accounts, rates);
  if (!postings) return transactions;
  const number = transactions.lastNumber + 1;
  const entry = {
    id,
    number,
    date,
    payee: tidied(action.payee ?? ''),
    note: (action.note ?? '').trim(),
    tags: [...(action.tags ?? [])].sort(),
    postings,
    source: action.source ?? { kind: 'manual' },
  };
  return { byId: { ...transactions.byId, [id]: entry }, lastNumber: number };
}

/** A new day may have other rates. */
function redated(transaction, date, { accounts, rates }) {
  if (date === transaction.date) return transaction;
  const postings = revalued(transaction.postings, date, accounts, rates);
  return { ...transaction, date, postings };
}

function withLines(transaction, { lines, date = transaction.date }, { accounts, rates }) {
  const { postings } = builtPostings(lines, date, accounts, rates);
  return postings ? { ...transaction, date, postings } : transaction;
}

function moved(transaction, from, to) {
  if (!transaction.postings.some(({ account }) => account === from)) return transaction;
  const postings = transaction.postings.map((each) =>
    (each.account === from ? { ...each, account: to } : each));
  return { ...transaction, postings };
}

function cleared(transaction, { account, isCleared }) {
  const postings = transaction.postings.map((each) =>
    (each.account === account ? patched(each, { isCleared }) : each));
  const isSame = postings.every((each, index) => each === transaction.postings[index]);
  return isSame ? transaction : { ...transaction, postings };
}

/** Another rate changes the worth of what was done while it held, except in closed periods. */
function repriced(transactions, changes, { accounts, rates, periods }) {
  let next = transactions;
  for (const { currency, date } of changes) {
    const { from, to } = reachOf(rates, currency, date);
    const ids = Object.values(next.byId).filter((each) => each.date >= from && each.date <= to
      && !isLocked(periods, each.date) && isForeign(each.postings, accounts, currency))
      .map(({ id }) => id);
    next = edited(next, ids, (each) => {
      const postings = revalued(each.postings, each.date, accounts, rates);
      return postings === each.postings ? each : { ...each, postings };
    });
  }
  return next;
}

/** The transactions that differ between two states, with what they were and are. */
export function changesBetween(before, after) {
  if (before.byId === after.byId) return [];
  const ids = new Set([...Object.keys(before.byId), ...Object.keys(after.byId)]);
  return [...ids].filter((id) => before.byId[id] !== after.byId[id])
    .map((id) => ({ id, before: before.byId[id], after: after.byId[id] }));
}
