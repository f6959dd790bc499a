import assert from 'node:assert/strict';
import test from 'node:test';

const { initialState, reducer } = await import(`${process.env.APP}/src/store.mjs`);

const begin = ['Lea', 'Max', 'Nils'].map((name) => ({ type: 'people/added', id: name, name }));
const typed = (field, text) => ({ type: 'draft/typed', field, text });
const expense = (id, amount, isRefund) => [
  { type: 'draft/opened', id, payer: 'Lea' }, typed('what', 'Hut'), typed('amount', amount),
  ...(isRefund ? [{ type: 'draft/refundSwitched' }] : []), { type: 'draft/saved' },
];
const balances = (...actions) => [...begin, ...actions].reduce(reducer, initialState).balances;
const sum = (all) => Object.values(all).reduce((total, each) => total + each, 0);

test('the balances add up to zero', () => {
  assert.equal(sum(balances(...expense('a', '10', false))), 0);
});

test('they do after money came back, too', () => {
  for (const amount of ['10', '20', '0,01', '33,35', '12']) {
    assert.equal(sum(balances(...expense('a', amount, true))), 0, amount);
  }
});

test('a removed expense leaves nothing', () => {
  const removed = { type: 'expenses/removed', id: 'a' };
  assert.deepEqual(Object.values(balances(...expense('a', '10', true), removed)), [0, 0, 0]);
});
