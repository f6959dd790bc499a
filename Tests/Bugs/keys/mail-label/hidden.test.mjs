import assert from 'node:assert/strict';
import test from 'node:test';

const { initialState, reducer } = await import(`${process.env.APP}/src/store.mjs`);

let at = 0;
const send = (state, type, payload) => reducer(state, { type, payload, at: at += 60_000 });

function started() {
  let state = send(initialState, 'account/opened', { name: 'Me', address: 'me@x.example' });
  for (const [id, name] of [['l1', 'Work/Ann'], ['l2', 'Work/Ann/Old'], ['l3', 'Workshop']]) {
    state = send(state, 'label/created', { id, name });
  }
  for (const [id, text] of [
    ['r1', 'from:ann then label Work/Ann, star'], ['r2', 'subject:old then label Work/Ann/Old'],
    ['r3', 'from:bob then label Work'], ['r4', 'subject:shop then unlabel Workshop'],
  ]) state = send(state, 'rule/written', { id, text });
  return state;
}

function labelsOf(state, name, subject) {
  const message = {
    id: 'm', header: '<m@x.example>', inReplyTo: null, references: [],
    from: { name, address: `${name}@x.example` }, to: [{ name: 'Me', address: 'me@x.example' }],
    cc: [], bcc: [], subject, at: 0, body: '', attachments: [], listId: null, size: 9,
    labels: ['inbox'],
  };
  const next = send(state, 'sync/received',
    { cursor: 1, changes: [{ kind: 'message', message }] });
  return next.messages.m.labels.map((id) => next.labels.byId[id].name).sort();
}

test('rules label with a label that was renamed', () => {
  const state = send(started(), 'label/renamed', { id: 'l1', name: 'Work/Anna' });
  assert.deepEqual(labelsOf(state, 'ann', 'Hello'), ['Inbox', 'Starred', 'Work/Anna']);
  assert.deepEqual(labelsOf(state, 'carl', 'old'), ['Inbox', 'Work/Anna/Old']);
});

test('rules label with all labels inside of one that was renamed', () => {
  const first = started();
  const outer = first.labels.order.find((id) => first.labels.byId[id].name === 'Work');
  const state = send(first, 'label/renamed', { id: outer, name: 'Job' });
  assert.deepEqual(labelsOf(state, 'ann', 'Hello'), ['Inbox', 'Job/Ann', 'Starred']);
  assert.deepEqual(labelsOf(state, 'bob', 'Hello'), ['Inbox', 'Job']);
  assert.deepEqual(labelsOf(state, 'carl', 'old'), ['Inbox', 'Job/Ann/Old']);
  assert.match(state.rules.byId.r4.text, /unlabel Workshop/);
});
