import assert from 'node:assert/strict';
import test from 'node:test';

const { reducer, initialState } = await import(`${process.env.APP}/src/store.mjs`);

const after = (actions, state = initialState) => actions.reduce((next, [type, payload]) => (
  reducer(next, { type, payload })), state);

const write = (row, column, text) => [
  ['cell/selected', { row, column }], ['editor/typed', { text }], ['editor/committed', {}],
];

/** Fees in A3:A7, their sum in C1, and a name and a rule for them. */
const listed = after([
  ...[10, 20, 30, 40, 50].flatMap((fee, at) => write(2 + at, 0, String(fee))),
  ...write(0, 2, '=SUM(A3:A7)'),
  ['cell/selected', { row: 2, column: 0 }],
  ['selection/extended', { row: 6, column: 0 }],
  ['name/defined', { name: 'fees' }],
]);

const input = (state, key) => state.workbook.sheets.s1.cells[key]?.input;

test('A sum ends at the last row that is left when the last rows are deleted', () => {
  const state = after([['rows/deleted', { at: 5, count: 2 }], ...write(5, 0, '999')], listed);
  assert.equal(input(state, 'C1'), '=SUM(A3:A5)');
  assert.equal(state.values.s1.C1, 60);
});

test('A deletion that begins inside and ends behind the range does the same', () => {
  const state = after([['rows/deleted', { at: 6, count: 3 }], ...write(6, 0, '999')], listed);
  assert.equal(state.values.s1.C1, 100);
  assert.deepEqual(state.workbook.names.fees.range, { top: 2, left: 0, bottom: 5, right: 0 });
});

test('Deletions inside and above of a range keep its last row', () => {
  const inside = after([['rows/deleted', { at: 3, count: 1 }]], listed);
  assert.equal(input(inside, 'C1'), '=SUM(A3:A6)');
  const above = after([['rows/deleted', { at: 1, count: 2 }]], listed);
  assert.equal(input(above, 'C1'), '=SUM(A2:A5)');
});

test('Deleted columns at the end of a range leave it, too', () => {
  const wide = after([...write(9, 6, '=SUM(A9:D9)')]);
  const state = after([['columns/deleted', { at: 3, count: 1 }], ...write(8, 3, '5')], wide);
  assert.equal(input(state, 'F10'), '=SUM(A9:C9)');
  assert.equal(state.values.s1.F10, 0);
});
