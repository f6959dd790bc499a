// Prices of a market: a socket, a stream of events, XMLHttpRequest, and what the storage keeps.
import { applyMiddleware, compose, legacy_createStore as createStore } from 'redux';
import { thunk } from 'redux-thunk';
import { record } from './retcon-recorder.mjs';

export const recorder = record({ name: 'channels', limit: 100_000, world: true });

const initial = { topic: null, price: 0, count: 0, users: [], news: [], log: [], kept: null };

function reducer(state = initial, action) {
  const noted = (text) => ({ ...state, log: [...state.log, text] });
  switch (action.type) {
    case 'chosen': return { ...state, topic: action.topic };
    case 'priced': return { ...state, price: action.price };
    case 'counted': return { ...state, count: state.count + action.by };
    case 'told': return { ...state, news: [...state.news, action.text] };
    case 'loaded': return { ...state, users: [...state.users, action.name] };
    case 'noted': return noted(action.text);
    case 'recalled': return { ...state, kept: action.kept };
    default: return state;
  }
}

const enhancer = compose(recorder.enhancer, applyMiddleware(thunk));
export const store = createStore(reducer, enhancer);
let socket, source, request;

const { connect, say, leave, watch, unwatch, load, cancel, keep, recall, forget } = recorder.calls({
  // Its topic depends on the count of the moment at which the socket opens.
  connect: (topic) => (dispatch, getState) => {
    socket?.close();
    const own = socket = new WebSocket(`ws://shop.test/prices?of=${topic}`);
    own.onopen = () => own.send(JSON.stringify({ topic, count: getState().count }));
    own.onmessage = ({ data }) => {
      dispatch({ type: 'priced', price: JSON.parse(data).price });
      if (getState().price > 80) dispatch({ type: 'noted', text: `${topic} is dear` });
    };
    own.addEventListener('close', ({ code }) => dispatch({ type: 'noted', text: `over ${code}` }));
    dispatch({ type: 'chosen', topic });
  },
  say: (words) => () => socket?.send(JSON.stringify({ words })),
  leave: () => () => socket?.close(1000),
  watch: (isLoud) => (dispatch) => {
    source?.close();
    source = new EventSource('http://shop.test/news');
    source.onmessage = ({ data }) => dispatch({ type: 'told', text: data });
    if (isLoud) source.addEventListener('sale', ({ data }) => {
      dispatch({ type: 'told', text: `sale: ${data}` });
    });
  },
  unwatch: () => () => source?.close(),
  load: (id) => (dispatch) => {
    const own = request = new XMLHttpRequest();
    own.open('GET', `http://shop.test/users/${id}`);
    Object.assign(own, { responseType: 'json', timeout: id === 3 ? 150 : 0 });
    own.ontimeout = () => dispatch({ type: 'noted', text: 'late' });
    own.onload = () => dispatch({
      type: own.status === 200 ? 'loaded' : 'noted', name: own.response.name, text: own.status,
    });
    own.onerror = () => dispatch({ type: 'noted', text: 'lost' });
    own.onabort = () => dispatch({ type: 'noted', text: 'aborted' });
    own.send();
  },
  cancel: () => () => request?.abort(),
  keep: () => (_, getState) => localStorage.setItem('count', getState().count),
  recall: (name) => (dispatch) => dispatch({ type: 'recalled', kept: localStorage.getItem(name) }),
  forget: () => () => localStorage.removeItem('count'),
});

/** The user's gestures: a function, and the arguments with which the user calls it. */
export const gestures = {
  count: [(by) => store.dispatch({ type: 'counted', by }), [1, 2]],
  connect: [(topic) => store.dispatch(connect(topic)), ['tea', 'jam']],
  say: [(words) => store.dispatch(say(words)), ['more', 'less']],
  leave: [() => store.dispatch(leave()), []],
  watch: [(isLoud) => store.dispatch(watch(isLoud)), [true, false]],
  unwatch: [() => store.dispatch(unwatch()), []],
  load: [(id) => store.dispatch(load(id)), [1, 2, 3]],
  cancel: [() => store.dispatch(cancel()), []],
  keep: [() => store.dispatch(keep()), []],
  recall: [(name) => store.dispatch(recall(name)), ['count', 'theme']],
  forget: [() => store.dispatch(forget()), []],
};
