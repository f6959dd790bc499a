// The book as a text that other programs for accounts read, and from which it comes back.
import { accountAt, pathOf } from './accounts.mjs';
import { formattedCsv } from './csv.mjs';
import { isDay } from './dates.mjs';
import { formatted, parsedAmount } from './money.mjs';

const plain = (amount, currency) =>
  formatted(amount, currency).replace(/\s/g, '').replace('−', '-');

function entryText({ date, payee, note, tags, postings }, accounts) {
  const head = [date, payee, note && `| ${note}`, ...tags.map((tag) => `#${tag}`)]
    .filter(Boolean).join(' ');
  const lines = postings.map(({ account, amount, isCleared }) => {
    const { currency } = accounts.byId[account];
    const sign = isCleared ? '* ' : '  ';
    return `  ${sign}${pathOf(accounts, account)}  ${plain(amount, currency)} ${currency}`;
  });
  return [head, ...lines, ''].join('\n');
}

export function exportedText({ journal, transactions, accounts }) {
  return journal.map((id) => entryText(transactions.byId[id], accounts)).join('\n');
}

export function exportedTable({ journal, transactions, accounts }) {
  const rows = journal.flatMap((id) => {
    const { number, date, payee, note, tags, postings } = transactions.byId[id];
    return postings.map(({ account, amount, base }) => [
      number, date, payee, note, tags.join(' '), pathOf(accounts, account),
      plain(amount, accounts.byId[account].currency), accounts.byId[account].currency, plain(base),
    ]);
  });
  const headers = ['number', 'date', 'payee', 'note', 'tags', 'account', 'amount', 'currency',
    'worth'];
  return formattedCsv([headers, ...rows]);
}

function readHead(line) {
  const [date, ...words] = line.split(' ');
  if (!isDay(date)) return undefined;
  const tags = words.filter((word) => word.startsWith('#')).map((word) => word.slice(1));
  const text = words.filter((word) => !word.startsWith('#')).join(' ');
  const [payee, note = ''] = text.split('|').map((part) => part.trim());
  return { date, payee, note, tags, lines: [] };
}

function readPosting(line, accounts) {
  const match = /^\s+(\* )?\s*(\S.*?)(?:\s{2,}(-?[\d.,]+)(?: ([A-Z]{3}))?)?$/.exec(line);
  const account = match && accountAt(accounts, match[2]);
  if (!account) return undefined;
  const amount = match[3] ? parsedAmount(match[3], accounts.byId[account].currency) : null;
  return { account, amount, isCleared: Boolean(match[1]) };
}

/** The transactions of such a text, and the lines that could not be read. */
export function readText(text, accounts, prefix) {
  const actions = [];
  const problems = [];
  let entry;
  const close = () => {
    if (entry?.lines.length > 1) {
      const id = `${prefix}-${actions.length}`;
      actions.push({ type: 'transactions/entered', id, source: { kind: 'text' }, ...entry });
    }
    entry = undefined;
  };
  for (const [index, line] of text.split('\n').entries()) {
    if (!line.trim()) {
      close();
      continue;
    }
    if (!/^\s/.test(line)) {
      close();
      entry = readHead(line);
      if (!entry) problems.push(index + 1);
      continue;
    }
    const posting = readPosting(line, accounts);
    if (!posting) problems.push(index + 1);
    else entry?.lines.push(posting);
  }
  close();
  return { actions, problems };
}
