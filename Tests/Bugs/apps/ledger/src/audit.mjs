// A log of what changed in the book, for the one who checks it at the end of the year.
import { formatted } from './money.mjs';

export const initialAudit = { entries: [], nextNumber: 1 };

const LIMIT = 80;

const FIELDS = ['date', 'payee', 'note', 'tags', 'postings'];

const worthOf = ({ postings }) =>
  postings.reduce((most, { base }) => Math.max(most, Math.abs(base)), 0);

function entryOf({ id, before, after }, action) {
  const kind = !before ? 'entered' : !after ? 'removed' : 'changed';
  const fields = kind === 'changed'
    ? FIELDS.filter((field) => before[field] !== after[field])
    : [];
  return {
    kind, id, fields, by: action.type, amount: worthOf(after ?? before), on: action.today ?? null,
  };
}

export function audited(audit, changes, action) {
  if (changes.length === 0) return audit;
  const made = changes.map((change, index) =>
    ({ number: audit.nextNumber + index, ...entryOf(change, action) }));
  return {
    entries: [...audit.entries, ...made].slice(-LIMIT),
    nextNumber: audit.nextNumber + made.length,
  };
}

export function auditLines(audit, transactions, most) {
  return audit.entries.slice(-most).reverse().map(({ number, kind, id, fields, amount }) => {
    const payee = transactions.byId[id]?.payee || 'a transaction';
    const what = fields.length ? ` (${fields.join(', ')})` : '';
    return `${number}. ${payee}, ${formatted(amount)}: ${kind}${what}`;
  });
}
