import assert from 'node:assert/strict';
import test from 'node:test';

const { initialState, reducer } = await import(`${process.env.APP}/src/store.mjs`);
const { book } = await import(`${process.env.APP}/src/thunks.mjs`);

/** A store whose server loses the first request. `retry` ends the wait before the next attempt. */
function opened() {
  let state = initialState, asked = 0, retry;
  const dispatch = (action) => {
    if (typeof action === 'function') return action(dispatch, () => state, api);
    state = reducer(state, action);
    return action;
  };
  const api = {
    async book(classId) {
      asked += 1;
      if (asked === 1) throw Object.assign(new Error('No connection.'), { isNetwork: true });
      return { id: `B${asked}`, classId, status: 'booked', cost: 2, taken: 5 };
    },
    wait: () => new Promise((resolve) => { retry = resolve; }),
  };
  const settled = () => new Promise((resolve) => { setImmediate(resolve); });
  return {
    dispatch: async (action) => { dispatch(action); await settled(); },
    retry: async () => { retry(); await settled(); },
    result: () => ({ asked, bookings: Object.keys(state.bookings), credits: state.wallet.credits }),
  };
}

test('it books again by itself after the connection failed', async () => {
  const store = opened();
  await store.dispatch(book('C1'));
  await store.retry();
  assert.deepEqual(store.result(), { asked: 2, bookings: ['B2'], credits: 18 });
});

test('it does not book again what the member booked meanwhile', async () => {
  const store = opened();
  await store.dispatch(book('C1'));
  await store.dispatch(book('C1'));
  await store.retry();
  assert.deepEqual(store.result(), { asked: 2, bookings: ['B2'], credits: 18 });
});

test('it does not book what the member gave up', async () => {
  const store = opened();
  await store.dispatch(book('C1'));
  await store.dispatch({ type: 'requests/dropped', payload: 'C1' });
  await store.retry();
  assert.deepEqual(store.result(), { asked: 1, bookings: [], credits: 20 });
});
