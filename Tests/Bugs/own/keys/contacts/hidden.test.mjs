import assert from 'node:assert/strict';
import test from 'node:test';

const { initialState, reducer } = await import(`${process.env.APP}/src/store.mjs`);

const person = (id, last, mail = '') => ({
  type: 'people/added', id, fields: { first: 'Ana', last, mail, city: 'Kiel', phones: [id] },
});
const run = (...actions) => [
  person('a', 'Adler'), person('b', 'Adler', 'ana@club.example'), person('c', 'Costa'),
  { type: 'groups/made', id: 'g', name: 'Board' }, ...actions,
].reduce(reducer, initialState);
const filled = (...ids) => ({ type: 'groups/filled', id: 'g', ids });
const join = { type: 'people/joined', keep: 'a', gone: 'b' };

test('the one who stays takes the place in the group', () => {
  assert.deepEqual(run(filled('b', 'c'), join).groups.g.memberIds, ['a', 'c']);
});

test('who was in a group twice is in it once', () => {
  assert.deepEqual(run(filled('a', 'c', 'b'), join).groups.g.memberIds, ['a', 'c']);
});

test('a favourite stays one favourite', () => {
  const liked = (id) => ({ type: 'favourites/toggled', id });
  assert.deepEqual(run(liked('a'), liked('b'), join).favourites, ['a']);
});

test('the one who stays gets the mail and the numbers', () => {
  const { mail, phones } = run(join).people.a;
  assert.deepEqual([mail, phones], ['ana@club.example', ['a', 'b']]);
});
