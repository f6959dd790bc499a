import assert from 'node:assert/strict';
import test from 'node:test';

const { reducer, initialState } = await import(`${process.env.APP}/src/store.mjs`);

const after = (actions, state = initialState) => actions.reduce((next, [type, payload]) => (
  reducer(next, { type, payload })), state);

const write = (row, column, text) => [
  ['cell/selected', { row, column }], ['editor/typed', { text }], ['editor/committed', {}],
];

const name = (top, bottom, column, called) => [
  ['cell/selected', { row: top, column }],
  ['selection/extended', { row: bottom, column }],
  ['name/defined', { name: called }],
];

/** Bills in A1:A3 under a name, and their sum in C1. */
const billed = after([
  ...write(0, 0, '10'), ...write(1, 0, '20'), ...name(0, 2, 0, 'bills'),
  ...write(0, 2, '=SUM(bills)'),
]);

test('A sum counts what is typed into the last row after a row was inserted above', () => {
  const state = after([['rows/inserted', { at: 0 }], ...write(3, 0, '5')], billed);
  assert.equal(state.values.s1.C2, 35);
});

test('A sum counts what is typed behind the old end after the name got more rows', () => {
  const state = after([...name(0, 9, 0, 'bills'), ...write(7, 0, '7')], billed);
  assert.equal(state.values.s1.C1, 37);
});

test('A sum counts the same after the longer name was undone and redone', () => {
  const longer = after(name(0, 9, 0, 'bills'), billed);
  const state = after([['history/undone'], ['history/redone'], ...write(8, 0, '1')], longer);
  assert.equal(state.values.s1.C1, 31);
});

test('A deleted row above leaves the last row of a name in the sum', () => {
  const state = after([['rows/deleted', { at: 0 }], ...write(1, 0, '4')], after(
    [...write(3, 2, '=SUM(bills)')], billed));
  assert.equal(state.values.s1.C3, 24);
});
