import assert from 'node:assert/strict';
import test from 'node:test';

const { initialState, reducer } = await import(`${process.env.APP}/src/store.mjs`);

function dues(task, times) {
  let at = Date.UTC(2024, 0, 1) / 60_000, state = initialState;
  const send = (type, payload) => { state = reducer(state, { type, payload, at: at += 60 }); };
  send('task/added', { id: 't', title: 'Report', ...task });
  return Array.from({ length: times }, () => {
    send('task/checked', { id: 't' });
    return state.tasks.byId.t.due;
  });
}

test('the last day of a month comes back after a short month', () => {
  assert.deepEqual(dues({ due: '2024-01-31', repeat: { unit: 'months', every: 1 } }, 4),
    ['2024-02-29', '2024-03-31', '2024-04-30', '2024-05-31']);
});

test('so does the thirtieth, and every second month', () => {
  assert.deepEqual(dues({ due: '2023-01-30', repeat: { unit: 'months', every: 1 } }, 3),
    ['2023-02-28', '2023-03-30', '2023-04-30']);
  assert.deepEqual(dues({ due: '2023-12-31', repeat: { unit: 'months', every: 2 } }, 3),
    ['2024-02-29', '2024-04-30', '2024-06-30']);
});

test('days and weeks go on as before', () => {
  assert.deepEqual(dues({ due: '2024-02-26', repeat: { unit: 'weeks', every: 2 } }, 2),
    ['2024-03-11', '2024-03-25']);
});
