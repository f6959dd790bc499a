import assert from 'node:assert/strict';
import test from 'node:test';

const { initialState, reducer } = await import(`${process.env.APP}/src/store.mjs`);
const { transferPairs } = await import(`${process.env.APP}/src/transfers.mjs`);

const begin = [
  { type: 'accounts/added', id: 'bank', name: 'Bank', kind: 'asset' },
  { type: 'accounts/added', id: 'savings', name: 'Savings', kind: 'asset' },
  { type: 'day/begun', date: '2026-02-09' },
].reduce(reducer, initialState);
const statement = (id, account, ...rows) => ({
  type: 'statement/imported', id, account, text: ['Date;Name;Amount', ...rows, ''].join('\n'),
});
const out = '2026-02-05;Own account;-200,00', into = '2026-02-06;Own account;200,00';
const amounts = ({ book }) =>
  ['bank', 'savings'].map((account) => book.balances.totals[account]?.amount ?? 0);

function joined(state) {
  const { transactions, accounts } = state.book;
  return transferPairs(transactions, accounts).reduce((all, pair) =>
    reducer(all, { type: 'transfers/joined', ...pair }), state);
}

const both = joined([statement('a', 'bank', out), statement('b', 'savings', into)]
  .reduce(reducer, begin));

test('two halves are one transfer', () => {
  assert.deepEqual(amounts(both), [-20000, 20000]);
  assert.equal(Object.keys(both.book.transactions.byId).length, 1);
});

test('the half of the sender does not come again', () => {
  assert.deepEqual(amounts(reducer(both, statement('c', 'bank', out))), [-20000, 20000]);
});

test('the half of the receiver does not come again', () => {
  const again = statement('c', 'savings', into, '2026-02-07;Interest;1,00');
  assert.deepEqual(amounts(reducer(both, again)), [-20000, 20100]);
});
