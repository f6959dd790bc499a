// Statements of banks overlap: what is in the book already must not come twice, and what was paid
// twice on one day must.
import { amountOn } from './postings.mjs';
import { countsOf, folded } from './records.mjs';
import { readStatement } from './statements.mjs';
import { ruleFor } from './rules.mjs';
import { addDays } from './dates.mjs';

export const initialImports = { batches: [], ignored: [] };

export function importsReducer(imports, action) {
  switch (action.type) {
    case 'imports/noted': {
      const { id, account, report, on } = action;
      const batches = [...imports.batches, { id, account, on, ...report }].slice(-40);
      return { ...imports, batches };
    }
    case 'imports/payeeIgnored':
      return imports.ignored.includes(action.payee) ? imports
        : { ...imports, ignored: [...imports.ignored, action.payee] };
    default:
      return imports;
  }
}

const keyOf = (date, amount, payee) => `${date} ${amount} ${folded(payee)}`;

/** How often each payment that came from a bank is in the book. */
function knownPayments(transactions, account) {
  const rows = Object.values(transactions.byId)
    .flatMap(({ source, also }) => (also ? [source, also] : [source]))
    .filter((row) => row.kind === 'bank' && row.account === account);
  return countsOf(rows.map(({ date, amount, payee }) => keyOf(date, amount, payee)));
}

/** A transaction that was entered by hand for a row: same amount, at most three days away. */
function enteredFor(row, transactions, account, taken) {
  const from = addDays(row.date, -3);
  return Object.values(transactions.byId).find((each) => each.source.kind === 'manual'
    && !taken.has(each.id) && each.date >= from && each.date <= row.date
    && amountOn(each.postings, account) === row.amount);
}

/** The rows of a statement, each with what is to be done with it. */
function plannedImport(text, account, book, today) {
  const { currency } = book.accounts.byId[account];
  const { rows, problems } = readStatement(text, currency, today);
  const known = knownPayments(book.transactions, account);
  const taken = new Set();
  const planned = rows.map((row) => {
    const key = keyOf(row.date, row.amount, row.payee);
    const count = known.get(key) ?? 0;
    if (count > 0) {
      known.set(key, count - 1);
      return { row, deed: 'skip' };
    }
    if (book.imports.ignored.includes(folded(row.payee))) return { row, deed: 'ignore' };
    const match = enteredFor(row, book.transactions, account, taken);
    if (!match) return { row, deed: 'add' };
    taken.add(match.id);
    return { row, deed: 'match', id: match.id };
  });
  return { planned, problems };
}

const sourceOf = (row, account) =>
  ({ kind: 'bank', account, date: row.date, amount: row.amount, payee: row.payee });

/** The actions that bring a statement into the book, and a report about it. */
export function importActions({ id, text, account, today }, book) {
  const { planned, problems } = plannedImport(text, account, book, today);
  const report = { added: 0, matched: 0, skipped: 0, problems };
  const actions = [];
  for (const [index, { row, deed, id: matched }] of planned.entries()) {
    const source = sourceOf(row, account);
    if (deed === 'add') {
      report.added += 1;
      const rule = ruleFor(book.rules, row);
      actions.push({
        type: 'transactions/entered',
        id: `${id}-${index}`,
        date: row.date,
        payee: rule?.payee ?? row.payee,
        note: row.note,
        tags: rule?.tags ?? [],
        source,
        lines: [
          { account, amount: row.amount, isCleared: true },
          { account: rule?.account ?? book.payees.byName[folded(row.payee)]?.account ?? 'unknown' },
        ],
      });
    } else if (deed === 'match') {
      report.matched += 1;
      actions.push({ type: 'transactions/matched', id: matched, account, source });
    } else {
      report.skipped += 1;
    }
  }
  actions.push({ type: 'imports/noted', id, account, report, on: today });
  return actions;
}
