// Refusals of the book, with the words for the person.
import { isDay } from './dates.mjs';
import { builtPostings } from './postings.mjs';
import { isLocked } from './periods.mjs';
import { balanceOf } from './balances.mjs';

function linesProblem({ lines, date }, { accounts, rates }) {
  if (!lines || lines.length < 2) return 'A transaction needs two lines.';
  const unknown = lines.find(({ account }) => !accounts.byId[account]);
  if (unknown) return 'This account is not there any more.';
  const closed = lines.find(({ account }) => accounts.byId[account].isClosed);
  if (closed) return `${accounts.byId[closed.account].name} is closed.`;
  return builtPostings(lines, date, accounts, rates).problem;
}

function dayProblem(date, { periods }) {
  if (!isDay(date ?? '')) return 'Type a day, as 2026-03-31.';
  return isLocked(periods, date) ? `The time up to ${periods.lockedTo} is closed.` : undefined;
}

function transactionProblem(book, action) {
  const transaction = book.transactions.byId[action.id];
  if (!transaction) return 'This transaction is not there any more.';
  const locked = dayProblem(transaction.date, book);
  if (locked) return locked;
  switch (action.type) {
    case 'transactions/redated':
      return dayProblem(action.date, book);
    case 'transactions/changed':
      return dayProblem(action.date ?? transaction.date, book)
        ?? linesProblem({ date: transaction.date, ...action }, book);
    case 'transactions/removed':
      return transaction.postings.some(({ isCleared }) => isCleared)
        ? 'A cleared transaction cannot be removed.' : undefined;
    default:
      return undefined;
  }
}

function accountProblem({ accounts, balances }, action) {
  const account = accounts.byId[action.id];
  if (!account) return 'This account is not there any more.';
  const { amount } = balanceOf(balances, action.id);
  switch (action.type) {
    case 'accounts/closed':
      return amount === 0 || account.type === 'expense' || account.type === 'income'
        ? undefined : `There is money on ${account.name}.`;
    case 'accounts/removed':
      return balances.totals[action.id] ? 'Merge this account: it has transactions.' : undefined;
    default:
      return undefined;
  }
}

function mergeProblem({ accounts }, { from, to }) {
  const [one, other] = [accounts.byId[from], accounts.byId[to]];
  if (!one || !other || from === to) return 'Choose two accounts.';
  return one.type === other.type && one.currency === other.currency
    ? undefined : 'These accounts are of different kinds.';
}

export function problemOf(book, action) {
  switch (action.type) {
    case 'transactions/entered':
      return dayProblem(action.date, book) ?? linesProblem(action, book);
    case 'transactions/redated':
    case 'transactions/changed':
    case 'transactions/described':
    case 'transactions/removed':
      return transactionProblem(book, action);
    case 'transactions/moved':
      return action.ids.some((id) => transactionProblem(book, { type: action.type, id }))
        ? 'Some of these are in a closed time.' : undefined;
    case 'accounts/closed':
    case 'accounts/removed':
    case 'accounts/renamed':
      return accountProblem(book, action);
    case 'accounts/merged':
      return mergeProblem(book, action);
    default:
      return undefined;
  }
}
