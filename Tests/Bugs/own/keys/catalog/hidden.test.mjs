import assert from 'node:assert/strict';
import test from 'node:test';

const { initialState, reducer } = await import(`${process.env.APP}/src/store.mjs`);

const run = (...actions) => actions.reduce(reducer, initialState);
const book = (id) => ({ id, title: id, kind: 'novel', year: 2000, isHere: true, waiting: 0 });
const question = (sort) => ({ text: 'sea', filters: initialState.query.filters, sort });
const pending = (kind, requestId, arg) =>
  ({ type: `catalog/${kind}/pending`, meta: { requestId, arg } });
const fulfilled = (kind, requestId, arg, ids) => ({
  type: `catalog/${kind}/fulfilled`, meta: { requestId, arg },
  payload: { books: ids.map(book), total: 9 },
});
const begin = [
  { type: 'query/typed', payload: 'sea' },
  pending('search', 'r1', question('relevance')),
  fulfilled('search', 'r1', question('relevance'), ['a', 'b']),
];
const page = { ...question('relevance'), page: 2 };

test('a page comes behind the books that are there', () => {
  const state = run(...begin, pending('more', 'r2', page), fulfilled('more', 'r2', page, ['c']));
  assert.deepEqual(state.results.ids, ['a', 'b', 'c']);
});

test('a page of an older search is not shown', () => {
  const state = run(...begin, pending('more', 'r2', page),
    { type: 'query/sorted', payload: 'title' },
    pending('search', 'r3', question('title')),
    fulfilled('search', 'r3', question('title'), ['x', 'y']),
    fulfilled('more', 'r2', page, ['c']));
  assert.deepEqual(state.results.ids, ['x', 'y']);
  assert.equal(state.results.page, 1);
});
