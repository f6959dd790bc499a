import assert from 'node:assert/strict';
import test from 'node:test';

const { initialState, reducer } = await import(`${process.env.APP}/src/store.mjs`);
const { nextBatch } = await import(`${process.env.APP}/src/outbox.mjs`);

const letter = {
  id: 'm', header: '<a@x.example>', inReplyTo: null, references: [],
  from: { name: 'Ann', address: 'ann@x.example' },
  to: [{ name: 'Me', address: 'me@x.example' }], cc: [], bcc: [], subject: 'Lamps', at: 0,
  body: 'Which one?', attachments: [], listId: null, size: 100,
};

/** An app with one letter, and a server that keeps the labels of it. */
function started(labels = ['inbox']) {
  const known = new Set(labels);
  let state = initialState, at = 0;
  const send = (type, payload) => { state = reducer(state, { type, payload, at: at += 60_000 }); };
  send('account/opened', { name: 'Me', address: 'me@x.example' });
  const listed = () => send('sync/received', {
    cursor: at, isFull: true,
    changes: [{ kind: 'message', message: { ...letter, labels: [...known] } }],
  });
  listed();
  const command = (name) => send('threads/commanded', { name, threadIds: ['t-m'] });
  const call = (isHeard) => {
    at += 3_600_000;
    const batch = nextBatch(state.outbox, at);
    if (batch.length === 0) return;
    send('outbox/handedOver', { ids: batch.map(({ id }) => id) });
    for (const { add, remove } of batch) {
      for (const label of remove) known.delete(label);
      for (const label of add) known.add(label);
    }
    const results = batch.map(({ id }) => ({ requestId: id, status: 'done' }));
    if (isHeard) send('outbox/answered', { results });
    else send('outbox/failed', { reason: 'timeout' });
  };
  const labelsNow = () => {
    for (let turn = 0; turn < 3; turn += 1) call(true);
    listed();
    return [...state.messages.m.labels].sort();
  };
  return { command, call, labelsNow, waiting: () => state.outbox.queue.length };
}

test('a star that was taken away stays away, whatever the network did', () => {
  const app = started();
  app.command('star');
  app.call(false);
  app.command('unstar');
  assert.deepEqual(app.labelsNow(), ['inbox']);
});

test('the same holds for a label that came back', () => {
  const app = started(['inbox', 'unread']);
  app.command('read');
  app.call(false);
  app.command('unread');
  assert.deepEqual(app.labelsNow(), ['inbox', 'unread']);
});

test('more than one change after a lost answer', () => {
  const app = started();
  app.command('star');
  app.call(false);
  app.command('unstar');
  app.command('star');
  app.command('unread');
  assert.deepEqual(app.labelsNow(), ['inbox', 'starred', 'unread']);
});

test('a change that was taken back before the server could hear it is no request', () => {
  const app = started();
  app.command('star');
  app.command('unstar');
  assert.equal(app.waiting(), 0);
});
