import assert from 'node:assert/strict';
import test from 'node:test';

const { initialState, reducer } = await import(`${process.env.APP}/src/store.mjs`);

/** A server that keeps what it is sent. */
function session() {
  let state = initialState, at = 0, title;
  const send = (action) => { state = reducer(state, { ...action, at: (at += 10) }); };
  const open = () => state.queue.waiting.filter(({ sentAt }) => sentAt === null);
  const sent = () => {
    const copies = structuredClone(open());
    send({ type: 'sync/sent', ids: copies.map(({ id }) => id) });
    return copies;
  };
  const arrive = (copies) => {
    for (const { card, fields } of copies) title = fields?.title?.set ?? card?.title ?? title;
    send({ type: 'sync/acknowledged', ids: copies.map(({ id }) => id), versions: {} });
  };
  const fail = (copies) => send({ type: 'sync/failed', ids: copies.map(({ id }) => id) });
  return { send, sent, arrive, fail, state: () => state, server: () => title };
}

function retitled(failures) {
  const { send, sent, arrive, fail, state, server } = session();
  send({ type: 'cards/added', id: 'a', title: 'One', columnId: 'todo', by: 'me' });
  arrive(sent());
  send({ type: 'cards/retitled', id: 'a', title: 'Two', by: 'me' });
  for (let each = 0; each < failures; each += 1) fail(sent());
  const copies = sent();
  send({ type: 'cards/retitled', id: 'a', title: 'Three', by: 'me' });
  arrive(copies);
  while (state().queue.waiting.length) arrive(sent());
  return { here: state().content.cards.byId.a.title, there: server() };
}

for (const failures of [0, 1, 3]) {
  test(`a change while another is under way arrives, after ${failures} failures`, () => {
    assert.deepEqual(retitled(failures), { here: 'Three', there: 'Three' });
  });
}
