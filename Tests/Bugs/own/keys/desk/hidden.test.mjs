import assert from 'node:assert/strict';
import test from 'node:test';

const { initialState, reducer } = await import(`${process.env.APP}/src/store.mjs`);

const ticket = (id, assignee, status, tags) =>
  ({ id, title: id, assignee, status, tags, replies: 0 });
const fetched = (name, ...tickets) => [
  { type: 'lists/fetch/pending', meta: { arg: name, requestId: name } },
  { type: 'lists/fetch/fulfilled', payload: tickets, meta: { arg: name, requestId: name } },
];
const first = ticket('T1', 'ann', 'open', ['login']);
const second = ticket('T2', 'bob', 'waiting', ['billing']);
const begin = [
  ...fetched('assignee:ann', first), ...fetched('assignee:bob', second),
  ...fetched('status:waiting', second), ...fetched('tag:printer'),
].reduce(reducer, initialState);
const isStale = ({ lists }, name) => lists[name].isStale;

test('all lists of both tickets are out of date after a merge', () => {
  const state = reducer(begin, {
    type: 'tickets/merge/fulfilled', payload: first,
    meta: { arg: { gone: 'T2', keep: 'T1' }, requestId: 'm' },
  });
  for (const name of ['assignee:ann', 'assignee:bob', 'status:waiting']) {
    assert.equal(isStale(state, name), true, name);
  }
  assert.equal(isStale(state, 'tag:printer'), false);
});

test('the old and the new list are out of date after another one got a ticket', () => {
  const state = reducer(begin, {
    type: 'tickets/assign/fulfilled', payload: { ...first, assignee: 'bob' },
    meta: { arg: { id: 'T1', assignee: 'bob' }, requestId: 'a' },
  });
  assert.equal(isStale(state, 'assignee:ann') && isStale(state, 'assignee:bob'), true);
});
