import assert from 'node:assert/strict';
import test from 'node:test';

const { initialState, reducer } = await import(`${process.env.APP}/src/store.mjs`);

const shape = (id) => ({ id, x: 0, y: 0, width: 80, height: 40, text: '', style: {} });
const begin = ['a', 'b', 'c'].map((id) => ({ type: 'shape added', shape: shape(id) }))
  .reduce(reducer, initialState);
const run = (...actions) => actions.reduce(reducer, begin).doc;
const undo = { type: 'undo' };
const grouped = { type: 'grouped', id: 'g', ids: ['a', 'b'] };

test('an undo takes a group apart again', () => {
  assert.deepEqual(run(grouped, undo).groups, {});
});

test('an undo brings a group back', () => {
  assert.deepEqual(run(grouped, { type: 'ungrouped', id: 'g' }, undo).groups, { g: ['a', 'b'] });
});

test('an undo puts a deleted shape back into its group', () => {
  const doc = run(grouped, { type: 'shapes deleted', ids: ['a'] }, undo);
  assert.deepEqual(doc.groups, { g: ['a', 'b'] });
  assert.deepEqual(doc.order, ['a', 'b', 'c']);
});

test('a redo groups again', () => {
  assert.deepEqual(run(grouped, undo, { type: 'redo' }).groups, { g: ['a', 'b'] });
});
