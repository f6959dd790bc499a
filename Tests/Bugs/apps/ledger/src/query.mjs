// The search above the journal: `food >50 @rewe #team 2026-03 -cash "exact words"`.
import { pathOf } from './accounts.mjs';
import { addMonths, firstDay, isDay, lastDay, monthOf } from './dates.mjs';
import { parsedAmount } from './money.mjs';
import { folded, tidied } from './records.mjs';

const TERM = /(-)?(?:"([^"]+)"|(\S+))/g;

export function parsedQuery(text, today) {
  const terms = [];
  const problems = [];
  for (const [, minus, exact, word] of tidied(text).matchAll(TERM)) {
    const term = exact ? { kind: 'text', text: folded(exact) } : termOf(word, today);
    if (term.problem) problems.push(term.problem);
    else terms.push({ ...term, isNot: Boolean(minus) });
  }
  return { terms, problems };
}

function termOf(word, today) {
  if (word.startsWith('@')) return { kind: 'payee', text: folded(word.slice(1)) };
  if (word.startsWith('#')) return { kind: 'tag', text: folded(word.slice(1)) };
  const compared = /^([<>]=?)(.+)$/.exec(word);
  if (compared) {
    const amount = parsedAmount(compared[2]);
    return amount === undefined ? { problem: `“${compared[2]}” is no amount` }
      : { kind: 'amount', sign: compared[1], amount };
  }
  return timeTerm(word, today) ?? wordTerm(word);
}

function wordTerm(word) {
  switch (word) {
    case 'is:open': return { kind: 'open' };
    case 'is:foreign': return { kind: 'foreign' };
    case 'is:split': return { kind: 'split' };
    default:
      if (word.startsWith('from:')) return { kind: 'source', text: word.slice(5) };
      return word.includes(':') && word.startsWith('is:')
        ? { problem: `${word} is unknown` } : { kind: 'text', text: folded(word) };
  }
}

const between = (from, to) => ({ kind: 'time', from, to });

function timeTerm(word, today) {
  const month = monthOf(today);
  const range = /^(\S+)\.\.(\S+)$/.exec(word);
  if (range && isDay(range[1]) && isDay(range[2])) return between(range[1], range[2]);
  if (isDay(word)) return between(word, word);
  if (/^\d{4}-\d{2}$/.test(word)) return between(firstDay(word), lastDay(word));
  if (/^20\d{2}$/.test(word)) return between(`${word}-01-01`, `${word}-12-31`);
  if (word === 'this-month') return between(firstDay(month), lastDay(month));
  if (word === 'last-month') {
    const last = addMonths(month, -1);
    return between(firstDay(last), lastDay(last));
  }
  return undefined;
}

function holds(size, { sign, amount }) {
  switch (sign) {
    case '<': return size < amount;
    case '<=': return size <= amount;
    case '>': return size > amount;
    default: return size >= amount;
  }
}

const sizeOf = ({ postings }) => Math.max(...postings.map(({ base }) => Math.abs(base)));

function textOf(transaction, accounts) {
  const { payee, note, postings } = transaction;
  const paths = postings.map(({ account, memo }) => `${pathOf(accounts, account)} ${memo}`);
  return folded([payee, note, ...paths].join(' '));
}

const MATCHES = {
  payee: ({ payee }, { text }) => folded(payee).includes(text),
  tag: ({ tags }, { text }) => tags.includes(text),
  amount: (transaction, term) => holds(sizeOf(transaction), term),
  open: ({ postings }, _, accounts) => postings.some(({ account, isCleared }) =>
    !isCleared && ['asset', 'liability'].includes(accounts.byId[account].type)),
  foreign: ({ postings }, _, accounts) => postings.some(({ account }) =>
    accounts.byId[account].currency !== 'EUR'),
  split: ({ postings }) => postings.length > 2,
  source: ({ source }, { text }) => source.kind === text,
  time: ({ date }, { from, to }) => date >= from && date <= to,
  text: (transaction, { text }, accounts) => textOf(transaction, accounts).includes(text),
};

export function fitsQuery(query, transaction, accounts) {
  return query.terms.every((term) =>
    MATCHES[term.kind](transaction, term, accounts) !== term.isNot);
}
