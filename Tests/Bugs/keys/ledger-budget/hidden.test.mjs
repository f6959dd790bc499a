import assert from 'node:assert/strict';
import test from 'node:test';

const { initialState, reducer } = await import(`${process.env.APP}/src/store.mjs`);
const { budgetPage } = await import(`${process.env.APP}/src/selectors.mjs`);

const run = (state, ...actions) => actions.reduce(reducer, state);
const begin = run(initialState,
  { type: 'accounts/added', id: 'cash', name: 'Cash', kind: 'asset' },
  { type: 'accounts/added', id: 'food', name: 'Food', kind: 'expense' },
  { type: 'budgets/planned', account: 'food', month: '2026-01', amount: 10000 },
  { type: 'budgets/planned', account: 'food', month: '2026-02', amount: 10000 },
  { type: 'budgets/planned', account: 'food', month: '2026-03', amount: 10000 },
  { type: 'budgets/kept', account: 'food', isKept: true },
  { type: 'day/begun', date: '2026-03-10' },
  { type: 'transactions/entered', id: 'a', date: '2026-01-20', payee: 'Shop',
    lines: [{ account: 'cash', amount: -4000 }, { account: 'food' }] });
const left = (state, month) =>
  budgetPage({ ...state, view: { ...state.view, month } }).lines[0].left;
const redated = (date) => ({ type: 'transactions/redated', id: 'a', date });

test('a payment that is moved to a later month is not spent in the first one', () => {
  const state = run(begin, redated('2026-03-02'));
  assert.equal(left(state, '2026-01'), '100.00');
  assert.equal(left(state, '2026-02'), '200.00');
  assert.equal(left(state, '2026-03'), '260.00');
});

test('a payment that is moved to an earlier month is spent there', () => {
  const state = run(begin, redated('2026-03-02'), redated('2026-01-31'));
  assert.equal(left(state, '2026-01'), '60.00');
  assert.equal(left(state, '2026-03'), '260.00');
});

test('an undo brings the months back', () => {
  const state = run(begin, redated('2026-02-10'), { type: 'history/undone' });
  assert.equal(left(state, '2026-01'), '60.00');
  assert.equal(left(state, '2026-02'), '160.00');
});
