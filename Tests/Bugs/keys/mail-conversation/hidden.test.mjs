import assert from 'node:assert/strict';
import test from 'node:test';

const { initialState, reducer } = await import(`${process.env.APP}/src/store.mjs`);

const letter = (id, references, minutes) => ({
  id, header: `<${id}@x.example>`, inReplyTo: references.at(-1) ?? null, references,
  from: { name: 'Ann', address: `${id}@x.example` },
  to: [{ name: 'Me', address: 'me@x.example' }], cc: [], bcc: [], subject: `About ${id}`,
  at: minutes * 60_000, body: id, attachments: [], listId: null, size: 100,
  labels: ['inbox', 'unread'],
});

function received(letters) {
  const start = reducer(initialState, {
    type: 'account/opened', payload: { name: 'Me', address: 'me@x.example' }, at: 0,
  });
  return letters.reduce((state, message, index) => reducer(state, {
    type: 'sync/received', at: message.at,
    payload: { cursor: index, changes: [{ kind: 'message', message }] },
  }), start);
}

const groups = ({ threads }) => Object.values(threads)
  .map(({ messageIds }) => [...messageIds].sort().join(' ')).sort();

const joined = [
  letter('b', ['<a@x.example>'], 10), letter('d', ['<c@x.example>'], 20),
  letter('e', ['<b@x.example>', '<d@x.example>'], 30),
];

test('a letter that comes late finds the conversation that its answer is in now', () => {
  assert.deepEqual(groups(received([...joined, letter('c', [], 40)])), ['b c d e']);
  assert.deepEqual(groups(received([...joined, letter('a', [], 40)])), ['a b d e']);
});

test('another answer to a letter that never came is in the same conversation', () => {
  const letters = [...joined, letter('f', ['<c@x.example>'], 50)];
  assert.deepEqual(groups(received(letters)), ['b d e f']);
});

test('conversations that nothing connects stay apart', () => {
  assert.deepEqual(groups(received(joined.slice(0, 2))), ['b', 'd']);
});
