// A search field whose listeners wait, cancel each other, fork tasks and take actions.
import { configureStore, createListenerMiddleware, createSlice } from '@reduxjs/toolkit';
import { record } from './retcon-recorder.mjs';

export const recorder = record({ name: 'listener', limit: 100_000, world: true });

const search = createSlice({
  name: 'search',
  initialState: { query: '', found: [], notes: [], saved: 0, ticks: 0, isRunning: false, total: 0 },
  reducers: {
    typed: (state, { payload }) => { state.query = payload; },
    found: (state, { payload }) => { state.found = payload; },
    failed: (state, { payload }) => { state.notes.push(`failed: ${payload}`); },
    counted: (state, { payload }) => { state.total += payload; },
    added: (state, { payload }) => { state.total += payload; },
    saved: (state, { payload }) => { state.saved += 1; state.notes.push(`saved ${payload}`); },
    started: (state) => { state.isRunning = true; },
    stopped: (state) => { state.isRunning = false; },
    ticked: (state) => { state.ticks += 1; },
    confirmed: (state, { payload }) => { state.notes.push(`confirmed ${payload}`); },
    asked: (state) => { state.notes.push('sure?'); },
    forgotten: (state) => { state.notes.push('forgotten'); },
  },
});
const { typed, found, failed, counted, added, saved, started, stopped, ticked, confirmed, asked,
  forgotten } = search.actions;

const listeners = createListenerMiddleware();
const listen = listeners.startListening;

async function ask(path, options) {
  const response = await fetch(`http://shop.test${path}`, options);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}

listen({
  actionCreator: typed,
  effect: async ({ payload }, { cancelActiveListeners, delay, dispatch, signal }) => {
    cancelActiveListeners();
    await delay(150);
    try {
      dispatch(found(await ask(`/search?q=${payload}`, { signal })));
    } catch (error) {
      if (!signal.aborted) dispatch(failed(error.message));
    }
  },
});

// Saves what is there when the pause is over, not what was there when it began.
listen({
  predicate: (action, now, before) => now.search.total !== before.search.total,
  effect: async (_, { getState, cancelActiveListeners, delay, dispatch, fork }) => {
    cancelActiveListeners();
    await delay(80);
    const body = JSON.stringify({ total: getState().search.total });
    const task = fork(async () => ask('/cart', { method: 'POST', body }));
    const result = await task.result;
    if (result.status === 'ok') dispatch(saved(result.value.total));
  },
});

listen({
  actionCreator: started,
  effect: async (_, { dispatch, fork, condition, pause }) => {
    const clock = fork(async ({ delay }) => {
      for (;;) { await delay(200); dispatch(ticked()); }
    });
    await pause(condition(stopped.match));
    clock.cancel();
  },
});

// The question is answered by the next confirmation, or forgotten.
listen({
  actionCreator: asked,
  effect: async (_, { take, dispatch }) => {
    const answer = await take(confirmed.match, 400);
    dispatch(answer ? counted(answer[0].payload) : forgotten());
  },
});

export const store = configureStore({
  reducer: { search: search.reducer },
  middleware: (given) => given().prepend(listeners.middleware),
  enhancers: (given) => given().prepend(recorder.enhancer),
});

/** The user's gestures: a function, and the arguments with which the user calls it. */
export const gestures = {
  type: [(text) => store.dispatch(typed(text)), ['t', 'te', 'tea', 'jam']],
  add: [(count) => store.dispatch(added(count)), [1, 2, 5]],
  start: [() => store.dispatch(started()), []],
  stop: [() => store.dispatch(stopped()), []],
  ask: [() => store.dispatch(asked()), []],
  confirm: [(count) => store.dispatch(confirmed(count)), [3, 4]],
};
