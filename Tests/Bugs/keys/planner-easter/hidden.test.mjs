import assert from 'node:assert/strict';
import test from 'node:test';

const { initialState, reducer } = await import(`${process.env.APP}/src/store.mjs`);
const { visibleBetween } = await import(`${process.env.APP}/src/pages.mjs`);

/** An app on 1 March 2024 in Berlin; `at` are minutes since 1970. */
function started() {
  let at = Date.UTC(2024, 2, 1, 8) / 60_000;
  let state = initialState;
  const send = (type, payload) => { state = reducer(state, { type, payload, at: at += 1 }); };
  send('account/opened', { name: 'Me', address: 'me@x.example' });
  send('setting/chosen', { name: 'zone', value: 'Europe/Berlin' });
  send('clock/ticked');
  const held = (from, to) => {
    send('view/dateShown', { date: from });
    send('view/kindChosen', { kind: 'month' });
    send('view/dateShown', { date: to });
    return visibleBetween(state, from, to).map(({ wall }) => wall);
  };
  return { send, held };
}

/** Each Tuesday at 10, from 5 March on. */
const course = (app, count) => app.send('event/created', {
  id: 'c', title: 'Course', start: '2024-03-05T10:00', minutes: 60,
  rule: { freq: 'weekly', interval: 1, count, until: null, days: [], monthDays: [] },
});

test('what was done to days that follow stays with these days', () => {
  const app = started();
  course(app, 8);
  app.send('event/deleted', { id: 'c', original: '2024-04-02T10:00', scope: 'one' });
  app.send('event/edited', {
    id: 'c', original: '2024-04-09T10:00', scope: 'one', fields: { start: '2024-04-10T17:00' },
  });
  app.send('event/edited', {
    id: 'c', original: '2024-03-19T10:00', scope: 'following', newId: 'd',
    fields: { start: '2024-03-19T10:30' },
  });
  assert.deepEqual(app.held('2024-03-01', '2024-05-20'), [
    '2024-03-05T10:00', '2024-03-12T10:00', '2024-03-19T10:30', '2024-03-26T10:30',
    '2024-04-10T17:00', '2024-04-16T10:30', '2024-04-23T10:30',
  ]);
});

test('the same without another time', () => {
  const app = started();
  course(app, 5);
  app.send('event/deleted', { id: 'c', original: '2024-03-26T10:00', scope: 'one' });
  app.send('event/edited', {
    id: 'c', original: '2024-03-19T10:00', scope: 'following', newId: 'd',
    fields: { place: 'Room 2' },
  });
  assert.deepEqual(app.held('2024-03-01', '2024-05-20'), [
    '2024-03-05T10:00', '2024-03-12T10:00', '2024-03-19T10:00', '2024-04-02T10:00',
  ]);
});

test('a series that moves to another weekday', () => {
  const app = started();
  course(app, 5);
  app.send('event/edited', {
    id: 'c', original: '2024-03-19T10:00', scope: 'following', newId: 'd',
    fields: { start: '2024-03-21T09:00' },
  });
  assert.deepEqual(app.held('2024-03-01', '2024-05-20'), [
    '2024-03-05T10:00', '2024-03-12T10:00', '2024-03-21T09:00', '2024-03-28T09:00',
    '2024-04-04T09:00',
  ]);
});
