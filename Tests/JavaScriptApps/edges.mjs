// A feed that uses the edges of the platform: dates, headers, intervals, races, subscribers.
import { applyMiddleware, compose, legacy_createStore as createStore } from 'redux';
import { thunk } from 'redux-thunk';
import { record } from './retcon-recorder.mjs';

export const recorder = record({ name: 'edges', limit: 100_000, world: true });

const initial = {
  count: 0, items: [], at: 0, pages: 0, log: [], ticks: 0, isWarned: false, hidden: [],
};

function reducer(state = initial, action) {
  const noted = (text) => ({ ...state, log: [...state.log, text] });
  switch (action.type) {
    case 'counted': return { ...state, count: state.count + action.by };
    case 'loaded': return { ...state, items: action.items, at: action.at, pages: action.pages };
    case 'noted': return noted(action.text);
    // A date in an action is a `Date` object.
    case 'dated': return { ...state, at: state.count > 2 ? action.at.getTime() : 1 };
    case 'hidden': return { ...state, hidden: [...state.hidden, action.id] };
    case 'ticked': return { ...state, ticks: state.ticks + 1 };
    case 'warned': return { ...state, isWarned: true };
    case 'calmed': return { ...state, isWarned: false, count: 0 };
    default: return state;
  }
}

// Keeps what passed in a variable of its own, which no state shows.
let passed = 0;
const counting = () => (next) => (action) => {
  if (action.type === 'counted' && ++passed % 5 === 0) next({ type: 'noted', text: `${passed}` });
  return next(action);
};

const enhancer = compose(recorder.enhancer, applyMiddleware(thunk, counting));
export const store = createStore(reducer, enhancer);

// Sends at once, in the middle of whatever changed the count.
store.subscribe(() => {
  const { count, isWarned } = store.getState();
  if (count > 6 && !isWarned) store.dispatch({ type: 'warned' });
});

const address = (path) => new URL(path, 'http://shop.test');
const pause = (time) => new Promise((resolve) => { setTimeout(resolve, time, 'late'); });
let interval, polling;

const { load, first, slow, tick, poll, ask, guess } = recorder.calls({
  // Loads again only what is older than half a second; pages are in a header, once it counts.
  load: () => async (dispatch, getState) => {
    if (Date.now() - getState().at < 500) return;
    const response = await fetch(address('/posts'));
    const items = response.ok ? (await response.json()).map(({ title }) => title) : [];
    const pages = getState().count > 3 ? Number(response.headers.get('x-pages')) : 1;
    dispatch({ type: 'loaded', items, at: Date.now(), pages });
  },
  // Whichever comes first, of two answers and a pause.
  first: (id) => async (dispatch) => {
    const text = async (path) => (await fetch(address(path))).text();
    const won = await Promise.race([text(`/posts/${id}`), text(`/users/${id}`), pause(90)])
      .catch(() => 'lost');
    dispatch({ type: 'noted', text: won });
  },
  slow: (id) => async (dispatch) => {
    const begin = performance.now();
    try {
      await fetch(address(`/users/${id}`), { signal: AbortSignal.timeout(120) });
      dispatch({ type: 'noted', text: `${Math.round(performance.now() - begin)} ms` });
    } catch (error) { dispatch({ type: 'noted', text: error.name }); }
  },
  tick: () => (dispatch) => {
    clearInterval(interval);
    let rest = 3;
    interval = setInterval(() => {
      dispatch({ type: 'ticked' });
      if (!--rest) clearInterval(interval);
    }, 110);
  },
  // The end of one request begins the next, until the user stops it.
  poll: (isOn) => async (dispatch, getState) => {
    const own = polling = isOn ? {} : undefined;
    while (own && own === polling && getState().ticks < 20) {
      const { price } = await (await fetch(address('/price?item=tea'))).json();
      queueMicrotask(() => dispatch({ type: 'counted', by: price > 4 ? 1 : 0 }));
      await pause(150);
    }
  },
  // A function among the arguments of a call.
  ask: (id, told) => async (dispatch, getState) => {
    const { name } = await (await fetch(address(`/users/${id}`))).json();
    if (getState().count > 2) told(name);
  },
  guess: (id) => (dispatch) => dispatch({ type: 'hidden', id, at: new Date().toISOString() }),
});

/** The user's gestures: a function, and the arguments with which the user calls it. */
export const gestures = {
  count: [(by) => store.dispatch({ type: 'counted', by }), [1, 2, 3]],
  calm: [() => store.dispatch({ type: 'calmed' }), []],
  load: [() => store.dispatch(load()), []],
  first: [(id) => store.dispatch(first(id)), [1, 2, 3]],
  slow: [(id) => store.dispatch(slow(id)), [1, 2, 3]],
  tick: [() => store.dispatch(tick()), []],
  poll: [(isOn) => store.dispatch(poll(isOn)), [true, false]],
  date: [(day) => store.dispatch({ type: 'dated', at: new Date(2026, 2, day) }), [1, 2]],
  ask: [(id) => store.dispatch(ask(id, (text) => store.dispatch({ type: 'noted', text }))), [1, 2]],
  guess: [(id) => store.dispatch(guess(id)), [7, 8]],
};
