import assert from 'node:assert/strict';
import test from 'node:test';

const { initialState, reducer } = await import(`${process.env.APP}/src/store.mjs`);

const run = (...actions) => actions.reduce(reducer, initialState);
const begin = [
  { type: 'labels/added', id: 'customer', name: 'customer', at: 1 },
  { type: 'labels/added', id: 'debt', name: 'tech debt', at: 2 },
  { type: 'members/joined', id: 'ann', name: 'Ann Berg', at: 3 },
  { type: 'cards/added', id: 'a', title: 'Fix login', columnId: 'todo', by: 'me', at: 4 },
  { type: 'cards/labelled', cardId: 'a', labelId: 'bug', by: 'me', at: 5 },
];
const pulled = (fields, at) => ({
  type: 'sync/pulled', by: 'ann', at,
  changes: [{ kind: 'edited', cardId: 'a', version: at, fields }],
});
const undone = { type: 'history/undone', at: 100 };
const labels = (state) => [...state.content.cards.byId.a.labelIds].sort();

test('an undo leaves what others did with the labels', () => {
  const state = run(...begin, { type: 'cards/labelled', cardId: 'a', labelId: 'feature', at: 6 },
    pulled({ labelIds: { add: ['customer'], remove: ['bug'] } }, 50), undone);
  assert.deepEqual(labels(state), ['customer']);
});

test('an undo of a removed label brings back this one alone', () => {
  const state = run(...begin, { type: 'cards/labelled', cardId: 'a', labelId: 'debt', at: 6 },
    { type: 'cards/unlabelled', cardId: 'a', labelId: 'bug', at: 7 },
    pulled({ labelIds: { add: ['feature'], remove: ['debt'] } }, 50), undone);
  assert.deepEqual(labels(state), ['bug', 'feature']);
});

test('an undo leaves members whom others exchanged', () => {
  const state = run(...begin, { type: 'cards/assigned', cardId: 'a', memberId: 'me', at: 6 },
    pulled({ memberIds: { add: ['ann'], remove: ['me'] } }, 50), undone);
  assert.deepEqual(state.content.cards.byId.a.memberIds, ['ann']);
});

test('an undo and a redo without others come back to the same labels', () => {
  const before = run(...begin);
  const after = [undone, { type: 'history/redone', at: 101 }].reduce(reducer, before);
  assert.deepEqual(labels(after), labels(before));
});
