import assert from 'node:assert/strict';
import test from 'node:test';

const { reducer, initialState } = await import(`${process.env.APP}/src/store.mjs`);

const after = (actions, state = initialState) => actions.reduce((next, [type, payload]) => (
  reducer(next, { type, payload })), state);

const write = (row, column, text) => [
  ['cell/selected', { row, column }], ['editor/typed', { text }], ['editor/committed', {}],
];

const note = (row, column, text) => [
  ['cell/selected', { row, column }], ['note/written', { text }],
];

const sort = (top, bottom, column) => [
  ['cell/selected', { row: top, column: 0 }],
  ['selection/extended', { row: bottom, column: 1 }],
  ['rows/sorted', { keys: [{ column, isFalling: false }], header: false }],
];

/** The text of the note at the row with a name. */
function noteOf(state, name) {
  const { cells, notes } = state.workbook.sheets.s1;
  const [key] = Object.entries(cells).find(([, { input }]) => input === name);
  return notes[key]?.text;
}

const fees = { Soup: '30', Books: '10', Toys: '40', Tea: '20' };

const listed = after(Object.entries(fees).flatMap(([name, fee], at) => [
  ...write(2 + at, 0, name), ...write(2 + at, 1, fee), ...note(2 + at, 0, `about ${name}`),
]));

test('Each note stays with its row when rows are sorted', () => {
  const state = after(sort(2, 5, 1), listed);
  for (const name of Object.keys(fees)) assert.equal(noteOf(state, name), `about ${name}`);
});

test('Notes stay with their rows through several sorts and undo', () => {
  const sorted = after([...sort(2, 5, 1), ...sort(2, 5, 0), ...sort(2, 5, 1)], listed);
  const back = after([['history/undone']], sorted);
  for (const state of [sorted, back]) {
    for (const name of Object.keys(fees)) assert.equal(noteOf(state, name), `about ${name}`);
  }
});

test('Notes outside of the sorted rows stay', () => {
  const state = after([...note(0, 0, 'title'), ...note(9, 1, 'below'), ...sort(2, 5, 1)], listed);
  assert.equal(state.workbook.sheets.s1.notes.A1.text, 'title');
  assert.equal(state.workbook.sheets.s1.notes.B10.text, 'below');
});
