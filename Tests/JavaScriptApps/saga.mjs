// Sagas that take the latest search, race an answer with a timeout, poll, and are cancelled.
import { applyMiddleware, compose, legacy_createStore as createStore } from 'redux';
import createSagaMiddleware from 'redux-saga';
import {
  all, call, cancel, cancelled, debounce, delay, fork, put, race, select, take, takeEvery,
  takeLatest,
} from 'redux-saga/effects';
import { record } from './retcon-recorder.mjs';

export const recorder = record({ name: 'saga', limit: 100_000, world: true });

const initial = { query: '', found: [], count: 0, saved: 0, polls: 0, notes: [], isPolling: false };

function reducer(state = initial, action) {
  const noted = (text) => ({ ...state, notes: [...state.notes, text] });
  switch (action.type) {
    case 'typed': return { ...state, query: action.query };
    case 'found': return { ...state, found: action.found };
    case 'failed': return noted(`failed: ${action.message}`);
    case 'timeout': return noted('timeout');
    case 'counted': return { ...state, count: state.count + action.by };
    case 'saved': return { ...state, saved: action.count };
    case 'loading': return noted(`loading ${action.id}`);
    case 'loaded': return noted(`loaded ${action.user.name}`);
    case 'aborted': return noted(`aborted ${action.id}`);
    case 'poll/started': return { ...state, isPolling: true };
    case 'poll/stopped': return { ...state, isPolling: false };
    case 'polled': return { ...state, polls: state.polls + 1, price: action.price };
    case 'poll/ended': return noted(`polled ${state.polls}`);
    default: return state;
  }
}

async function ask(path, options) {
  const response = await fetch(`http://shop.test${path}`, options);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}

function* search({ query }) {
  yield delay(100);
  try {
    yield put({ type: 'found', found: yield call(ask, `/search?q=${query}`) });
  } catch (error) {
    yield put({ type: 'failed', message: error.message });
  }
}

// The answer may come after the timeout, or after the user gave up.
function* load({ id }) {
  yield put({ type: 'loading', id });
  try {
    const { user, late } = yield race({
      user: call(ask, `/users/${id}`), late: delay(250), gone: take('left'),
    });
    if (user) yield put({ type: 'loaded', user });
    else if (late) yield put({ type: 'timeout' });
    else yield put({ type: 'aborted', id });
  } catch (error) {
    yield put({ type: 'failed', message: error.message });
  }
}

function* save() {
  const count = yield select((state) => state.count);
  const body = JSON.stringify({ total: count });
  try {
    yield call(ask, '/cart', { method: 'POST', body });
    yield put({ type: 'saved', count });
  } catch { /* the next one saves it */ }
}

function* poll() {
  try {
    for (;;) {
      yield delay(180);
      const { price } = yield call(ask, '/price?item=tea');
      yield put({ type: 'polled', price });
    }
  } catch (error) {
    yield put({ type: 'failed', message: error.message });
  } finally {
    if (yield cancelled()) yield put({ type: 'poll/ended' });
  }
}

function* polls() {
  while (yield take('poll/started')) {
    const task = yield fork(poll);
    yield take('poll/stopped');
    yield cancel(task);
  }
}

const sagas = createSagaMiddleware();
const enhancer = compose(recorder.enhancer, applyMiddleware(sagas));
export const store = createStore(reducer, enhancer);
sagas.run(function* root() {
  yield all([
    takeLatest('typed', search), takeEvery('opened', load), debounce(120, 'counted', save),
    fork(polls),
  ]);
});

/** The user's gestures: a function, and the arguments with which the user calls it. */
export const gestures = {
  type: [(query) => store.dispatch({ type: 'typed', query }), ['t', 'te', 'tea', 'jam']],
  count: [(by) => store.dispatch({ type: 'counted', by }), [1, 2, 5]],
  open: [(id) => store.dispatch({ type: 'opened', id }), [1, 2, 3]],
  leave: [() => store.dispatch({ type: 'left' }), []],
  start: [() => store.dispatch({ type: 'poll/started' }), []],
  stop: [() => store.dispatch({ type: 'poll/stopped' }), []],
};
