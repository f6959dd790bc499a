// The form for a transaction, while a person fills it in.
import { accountLike } from './accounts.mjs';
import { parsedDay } from './dates.mjs';
import { BASE, formatted, parsedAmount, sum } from './money.mjs';
import { suggestedPayees } from './payees.mjs';
import { folded } from './records.mjs';

export const initialDraft = null;

const emptyLine = () => ({ account: '', amount: '', memo: '' });

export function draftReducer(draft, action, book) {
  switch (action.type) {
    case 'draft/opened':
      return {
        id: action.id, date: action.today, payee: '', note: '', tags: [],
        lines: [emptyLine(), emptyLine()], suggestions: [], isTouched: false,
      };
    case 'draft/edited': {
      const transaction = book.transactions.byId[action.id];
      return transaction ? draftOf(transaction, book.accounts) : draft;
    }
    case 'draft/typed':
      return draft && typed(draft, action, book);
    case 'draft/chosen':
      return draft && chosen(draft, action.payee, book);
    case 'draft/lineTyped': {
      if (!draft) return draft;
      const { index, field, text } = action;
      const lines = draft.lines.map((line, at) =>
        (at === index ? { ...line, [field]: text } : line));
      const isFull = lines.every(({ account }) => account !== '');
      return { ...draft, isTouched: true, lines: isFull ? [...lines, emptyLine()] : lines };
    }
    case 'draft/lineRemoved':
      return draft && draft.lines.length > 2
        ? { ...draft, lines: draft.lines.toSpliced(action.index, 1) } : draft;
    case 'draft/closed':
    case 'draft/saved':
      return null;
    default:
      return draft;
  }
}

function typed(draft, { field, text }, { payees }) {
  const suggestions = field === 'payee' && text ? suggestedPayees(payees, text) : [];
  return { ...draft, [field]: text, suggestions, isTouched: true };
}

/** A known payee fills in the account, if that line is empty. */
function chosen(draft, name, { payees, accounts }) {
  const payee = payees.byName[folded(name)];
  if (!payee || !accounts.byId[payee.account]) return draft;
  const at = draft.lines.findIndex(({ account }) => account === '');
  const lines = at < 0 ? draft.lines
    : draft.lines.with(at, { ...draft.lines[at], account: accounts.byId[payee.account].name });
  return { ...draft, payee: payee.name, suggestions: [], lines };
}

function draftOf({ id, date, payee, note, tags, postings }, accounts) {
  const lines = postings.map(({ account, amount, memo }) => {
    const { name, currency } = accounts.byId[account];
    return { account: name, amount: formatted(amount, currency).replace('−', '-'), memo };
  });
  return { id, date, payee, note, tags, lines, suggestions: [], isTouched: false };
}

function readLine(line, index, accounts) {
  const account = accountLike(accounts, line.account);
  if (!account) return { problem: `line ${index + 1}: “${line.account}” is no account` };
  const { currency } = accounts.byId[account];
  if (!line.amount.trim()) return { account, amount: null, memo: line.memo };
  const amount = parsedAmount(line.amount, currency);
  if (amount === undefined) {
    return { problem: `line ${index + 1}: “${line.amount}” is no amount` };
  }
  return { account, amount, memo: line.memo };
}

/** The form as a transaction, or what is wrong with it. */
export function readDraft(draft, { accounts }, today) {
  const problems = [];
  const date = parsedDay(draft.date, today);
  if (!date) problems.push(`“${draft.date}” is no day`);
  const filled = draft.lines.filter(({ account, amount }) => account || amount);
  const lines = filled.map((line, index) => readLine(line, index, accounts));
  problems.push(...lines.map(({ problem }) => problem).filter(Boolean));
  if (lines.length < 2) problems.push('a transaction needs two lines');
  return { problems, date, lines, payee: draft.payee, note: draft.note, tags: draft.tags };
}

/** The sum that the lines lack to add up, shown below them. */
export function missing(draft, { accounts }) {
  const lines = draft.lines.map((line, index) => readLine(line, index, accounts))
    .filter(({ amount }) => Number.isInteger(amount));
  if (lines.some(({ account }) => accounts.byId[account].currency !== BASE)) return undefined;
  return -sum(lines.map(({ amount }) => amount));
}
