import assert from 'node:assert/strict';
import test from 'node:test';

const { initialState, reducer } = await import(`${process.env.APP}/src/store.mjs`);

const run = (...actions) => actions.reduce(reducer, initialState).chats.badge;
const joined = (chatId) =>
  ({ type: 'chats/joined', chatId, title: chatId, members: ['me', 'ada'] });
const received = (chatId, id) =>
  ({ type: 'messages/received', chatId, message: { id, from: 'ada', text: 'Hello' } });
const begin = [joined('a'), joined('b'), received('a', 'm1'), received('a', 'm2'),
  received('b', 'm3')];

test('the icon counts the unread messages of all chats', () => {
  assert.equal(run(...begin), 3);
});

test('the messages of a chat that ends do not count any more', () => {
  assert.equal(run(...begin, { type: 'chats/left', chatId: 'a' }), 1);
  assert.equal(run(...begin, { type: 'chats/deleted', chatId: 'a' }), 1);
  assert.equal(run(...begin, { type: 'chats/memberRemoved', chatId: 'a', memberId: 'me' }), 1);
});

test('a muted chat that ends changes nothing', () => {
  const muted = { type: 'chats/muted', chatId: 'a', isMuted: true };
  const ended = { type: 'chats/memberRemoved', chatId: 'a', memberId: 'me' };
  assert.equal(run(...begin, muted, ended), 1);
});
