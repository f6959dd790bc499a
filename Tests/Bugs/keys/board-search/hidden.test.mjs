import assert from 'node:assert/strict';
import test from 'node:test';

const { initialState, reducer } = await import(`${process.env.APP}/src/store.mjs`);
const { visibleIds } = await import(`${process.env.APP}/src/selectors.mjs`);

const run = (...actions) => actions.reduce(reducer, initialState);
const found = (state, text) => visibleIds(reducer(state, { type: 'filters/typed', text, at: 90 }));
const begin = [
  { type: 'cards/added', id: 'a', title: 'Fix login', columnId: 'todo', by: 'me', at: 1 },
  { type: 'cards/added', id: 'b', title: 'Show invoice', columnId: 'todo', by: 'me', at: 2 },
  { type: 'comments/added', id: 'c', cardId: 'a', text: 'Nordwind called', by: 'me', at: 3 },
];

test('the search finds a comment', () => {
  assert.deepEqual(found(run(...begin), 'nordwind'), ['a']);
});

test('the search does not find a deleted comment', () => {
  const state = run(...begin, { type: 'comments/deleted', id: 'c', by: 'me', at: 4 });
  assert.deepEqual(found(state, 'nordwind'), []);
  assert.deepEqual(found(state, 'login'), ['a']);
});

test('the search finds the other comment with the word', () => {
  const state = run(...begin,
    { type: 'comments/added', id: 'd', cardId: 'b', text: 'nordwind, too', by: 'me', at: 4 },
    { type: 'comments/deleted', id: 'c', by: 'me', at: 5 });
  assert.deepEqual(found(state, 'nordwind'), ['b']);
});
