import assert from 'node:assert/strict';
import test from 'node:test';

const { initialState, reducer } = await import(`${process.env.APP}/src/store.mjs`);
const { visibleBetween } = await import(`${process.env.APP}/src/pages.mjs`);
const { slotsFrom } = await import(`${process.env.APP}/src/booking.mjs`);

const DAY = 24 * 60, MARCH = Date.UTC(2024, 2, 1, 8) / 60_000;

/** An app with something long in the last week of June, and mornings from March to `days` later. */
function lived(days, step, fields) {
  let state = initialState;
  const send = (type, at, payload) => { state = reducer(state, { type, payload, at }); };
  send('account/opened', MARCH, { name: 'Me', address: 'me@x.example' });
  send('setting/chosen', MARCH, { name: 'zone', value: 'Europe/Berlin' });
  send('booking/pageWritten', MARCH, {
    id: 'p', title: 'Talk', minutes: 30, hours: [1, 2, 3, 4, 5].map((weekday) => (
      { weekday, from: '10:00', to: '12:00' })),
  });
  send('clock/ticked', MARCH);
  send('event/created', MARCH + 1, { id: 'long', title: 'Away', ...fields });
  for (let day = step; day <= days; day += step) send('clock/ticked', MARCH + day * DAY);
  return state;
}

const daysOf = (state) => Array.from({ length: 14 }, (_, day) => `2024-06-${day + 10}`)
  .filter((date, index, all) => index < 13 && visibleBetween(state, date, all[index + 1]).length);
const twelfthTo = (last) => Array.from({ length: last - 11 }, (_, day) => `2024-06-${day + 12}`);

test('whole days are there on each morning and on each day', () => {
  for (const step of [1, 3]) {
    const state = lived(90, step,
      { isAllDay: true, start: '2024-06-12T00:00', minutes: 9 * DAY });
    assert.deepEqual(daysOf(state), twelfthTo(20));
    const offered = slotsFrom(state, state.pages.p, '2024-06-10', 12).map(({ date }) => date);
    assert.deepEqual(offered, ['2024-06-10', '2024-06-11', '2024-06-21']);
  }
});

test('so is what begins at some hour', () => {
  const state = lived(90, 1, { start: '2024-06-12T15:00', minutes: 6 * DAY });
  assert.deepEqual(daysOf(state), twelfthTo(18));
});
