// A page that asks all the time, while React renders. It tells the server what the recorder wrote,
// and what recording costs.
import { configureStore, createAsyncThunk, createSlice } from '@reduxjs/toolkit';
import { record } from './retcon-recorder.mjs';

const { React, ReactDOM } = globalThis, { createElement: h, useEffect, useState } = React;
const parameters = new URLSearchParams(location.search);
const ANSWERS = Number(parameters.get('answers')), OVERLAPPING = 20;
const now = () => performance.now();

const rows = createSlice({
  name: 'rows',
  initialState: { asked: 0, got: {}, texts: {} },
  reducers: {
    asked(state, { payload }) { state.asked = payload; },
    got(state, { payload: { id, text } }) { state.got[id] = text.length; },
    shown(state, { payload }) { state.shown = payload; },
  },
  extraReducers: (builder) => builder
    .addCase('rows/load/fulfilled', (state, { meta, payload }) => {
      state.texts[meta.arg] = payload.length;
    }),
});
const { asked, got, shown } = rows.actions;

const world = parameters.has('world');
const recorder = record({ name: 'page', limit: 200_000, world });
const store = configureStore({
  reducer: { rows: rows.reducer }, enhancers: (given) => given().prepend(recorder.enhancer),
});

const answerOf = async (id) => (await fetch(`/answer?id=${id}`)).json();
const load = createAsyncThunk('rows/load', async (id) => (await answerOf(id)).text);
const { read } = recorder.calls({
  // It waits for two answers one after the other.
  read: (id) => async (dispatch) => {
    dispatch(asked(id));
    const { text } = await answerOf(id);
    dispatch(got({ id, text }));
    const { text: more } = await answerOf(`${id}-more`);
    dispatch(got({ id: `${id}-more`, text: more }));
  },
});

/** React renders all of it again with each state, in slices of its scheduler. */
function Rows() {
  const [state, setState] = useState(store.getState());
  useEffect(() => store.subscribe(() => {
    React.startTransition(() => setState(store.getState()));
  }), []);
  const entries = Object.entries(state.rows.got).slice(-300);
  useEffect(() => { if (entries.length % 50 === 49) store.dispatch(shown(entries.length)); });
  return h('ol', null, entries.map(([id, length]) => h(Row, { key: id, id, length })));
}
function Row({ id, length }) {
  const end = now() + 0.02;
  while (now() < end) { /* work, so that a render takes several slices */ }
  return h('li', null, `${id}: ${length}`);
}

/** 20 requests are on their way at any time, until enough answers have come. */
async function ask() {
  let number = 0, running = 0;
  await new Promise((done) => {
    const next = () => {
      while (running < OVERLAPPING && number * 1.5 < ANSWERS) {
        const id = ++number, isRead = id % 2 === 0;
        running++;
        // As a handler does that waits for nothing.
        setTimeout(() => {
          store.dispatch(isRead ? read(id) : load(id));
          const look = () => {
            const { got, texts } = store.getState().rows;
            if (got[`${id}-more`] === undefined && texts[id] === undefined) {
              return setTimeout(look, 4);
            }
            running--;
            return next();
          };
          setTimeout(look, 4);
        });
      }
      if (!running) done();
    };
    next();
  });
}

/** A state of about 50 KB of JSON, of which an action changes two places. */
const initial = () => ({
  count: 0, list: Array.from({ length: 500 }, (_, id) => ({ id, name: `item ${id}`, tags: [
    'one', 'two', 'three', 'four'], price: id * 1.5, isOpen: false, text: 'x'.repeat(20) })),
});
const reduce = (state = initial(), { type, at }) => {
  if (type !== 'tapped') return state;
  const list = state.list.slice();
  list[at] = { ...list[at], isOpen: !list[at].isOpen };
  return { ...state, count: state.count + 1, list };
};

/** How many microseconds an action takes, in the median of rounds. */
function cost(enhance) {
  const COUNT = 2_000, times = [];
  const made = configureStore({
    reducer: reduce, middleware: () => [], devTools: false, enhancers: enhance ?? (() => []),
  });
  for (let round = 0; round < 12; round++) {
    const began = now();
    for (let at = 0; at < COUNT; at++) made.dispatch({ type: 'tapped', at: at % 500 });
    times.push((now() - began) * 1000 / COUNT);
  }
  return times.sort((one, other) => one - other)[6];
}

/** Sends many actions to a recorder, and counts those that it has. */
function lost() {
  const many = record({ name: 'many', limit: 60_000, world });
  const made = configureStore({
    reducer: reduce, middleware: () => [], enhancers: () => [many.enhancer],
  });
  for (let at = 0; at < 20_000; at++) made.dispatch({ type: 'tapped', at: at % 500 });
  return 20_000 - many.text().split('\n').filter((line) => line.startsWith('{"step"')).length;
}

ReactDOM.createRoot(document.querySelector('#root')).render(h(Rows));
const result = {};
try {
  await ask();
  result.text = recorder.text();
  if (parameters.has('cost')) {
    result.bytes = JSON.stringify(initial()).length;
    const plain = cost(), other = record({ name: 'cost', limit: 1000, world });
    Object.assign(result, { plain, recorded: cost(() => [other.enhancer]), lost: lost() });
  }
} catch (error) { result.error = String(error.stack); }
await fetch('/result', { method: 'POST', body: JSON.stringify(result) });
