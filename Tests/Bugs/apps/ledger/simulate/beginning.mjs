// The first evening with the book: accounts, the opening balances, plans and rules.
import { BOOK, RATE_TABLE } from './words.mjs';

const ACCOUNTS = [
  ['bank', 'Bank', 'asset'], ['cash', 'Cash', 'asset'], ['savings', 'Savings', 'asset'],
  ['dollar', 'Dollar', 'asset', null, 'USD'], ['depot', 'Depot', 'asset'],
  ['equipment', 'Equipment', 'asset'], ['receivable', 'Receivable', 'asset'],
  ['card', 'Credit card', 'liability'], ['vat', 'VAT', 'liability'], ['loan', 'Loan', 'liability'],
  ['owed', 'Owed to others', 'liability'], ['salary', 'Salary', 'income'],
  ['sales', 'Sales', 'income'], ['gifts', 'Gifts', 'income'], ['living', 'Living', 'expense'],
  ['food', 'Food', 'expense', 'living'], ['restaurants', 'Restaurants', 'expense', 'living'],
  ['home', 'Home', 'expense', 'living'], ['rent', 'Rent', 'expense', 'living'],
  ['travel', 'Travel', 'expense'], ['leisure', 'Leisure', 'expense'],
  ['health', 'Health', 'expense'], ['phone', 'Phone', 'expense'], ['office', 'Office', 'expense'],
  ['interest', 'Interest', 'expense'], ['wear', 'Wear', 'expense'], ['snacks', 'Snacks', 'expense'],
];

export function beginningOf({ send, costs }) {
  for (const [id, name, kind, parent, currency] of ACCOUNTS) {
    send({ type: 'accounts/added', id, name, kind, parent: parent ?? null, currency });
  }
  send({ type: 'accounts/added', id: 'wrong', name: 'Wrong', kind: 'asset', parent: 'food' });
  send({ type: 'rates/pasted', text: RATE_TABLE });
  send({ type: 'text/imported', id: 'text', text: BOOK });
  send({ type: 'transactions/entered', id: 'dollars', date: '2026-01-04', payee: 'Opening',
    lines: [{ account: 'dollar', amount: 60000, isCleared: true }, { account: 'opening' }] });
  send({ type: 'transactions/entered', id: 'debt', date: '2026-01-04', payee: 'Opening',
    lines: [{ account: 'loan', amount: -900000 }, { account: 'opening' }] });
  send({ type: 'standard/chosen', account: 'bank' });
  for (const [index, account] of costs.entries()) {
    send({ type: 'budgets/planned', account, month: '2026-01', amount: 10000 + 4000 * index });
    send({ type: 'budgets/kept', account, isKept: index % 4 !== 3 });
  }
  const rule = (words, account, more) =>
    send({ type: 'rules/added', id: `rule-${words}`, words, account, ...more });
  rule('rewe', 'food', { payee: 'Rewe' });
  rule('city transport', 'travel', { tags: ['ticket'] });
  rule('employer', 'salary');
  rule('telecom', 'phone', { least: 1000 });
  send({ type: 'scheduled/added', id: 'rent', payee: 'Landlord', every: 'month',
    from: '2026-01-31', lines: [{ account: 'bank', amount: -78000 }, { account: 'rent' }] });
  send({ type: 'scheduled/added', id: 'insurance', payee: 'Insurance', every: 'quarter',
    from: '2026-01-15', lines: [{ account: 'bank', amount: -12450 }, { account: 'health' }] });
  send({ type: 'scheduled/added', id: 'class', payee: 'Drawing class', every: 'week',
    from: '2026-01-08', until: '2026-06-30', tags: ['class'],
    lines: [{ account: 'cash', amount: -1500 }, { account: 'leisure' }] });
  send({ type: 'loans/added', id: 'car', name: 'Car loan', account: 'loan', sum: 900000,
    rate: 4.9, months: 36, first: '2026-01-20' });
  send({ type: 'projects/added', id: 'trip', name: 'A trip to Lisbon', tag: 'Trip',
    limit: 90000, from: '2026-01-01', to: '2026-09-30' });
  for (const [id, name] of [['nora', 'Nora'], ['emil', 'Emil'], ['jo', 'Jo']]) {
    send({ type: 'shared/joined', id, name });
  }
  send({ type: 'shared/weighted', id: 'emil', weight: 2 });
}
