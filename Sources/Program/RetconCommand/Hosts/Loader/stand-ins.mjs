// Replacements for a package or a file that cannot be loaded, and for Redux where it is not
// installed; and the known facts about the stores that are made.
import { Refusal, has, isObject } from './files.mjs';
import { mapped, partsSet, typed } from '../Recorder/values.mjs';
import { watchHeaders } from './axios.mjs';

export const state = {
  isReducing: false, notes: new Set(),
  /** Whether stores are made to run with their middleware. */
  isWhole: false,
  /** The address of the page that was recorded. */
  page: undefined,
  /** NgRx lets a reducer return undefined. */
  isOfNgRx: false,
  /** Stores of Redux and of zustand, each with the file that was running when it was made. */
  stores: [], others: [],
  /** Stores of zustand that run whole, as entries like those of Redux. */
  called: [],
  /** The results of createApi of RTK Query. */
  apis: [],
  /** The results of createAsyncThunk of Redux Toolkit. */
  thunks: [],
  /** The sentences on packages that are not there, and by the files that want them. */
  absent: new Map(), wanting: new Map(),
  /** The modules of the project's files, by their names. */
  modules: new Map(),
  /** The files that are being run, the innermost last. */
  running: [],
};

/** Before files are run once more. */
export function forgetStores() {
  const { stores, others, called, apis, thunks, running } = state;
  for (const list of [stores, others, called, apis, thunks, running]) list.length = 0;
}

export const reducing = () => { state.isReducing = true; };

export const ABSENT = Symbol('retcon.absent');

/** Replaces a whole package that is not there: a step ends that uses it. */
export function absent(words, isPrototype) {
  const unless = (value) => {
    if (state.isReducing) throw new Refusal(words);
    return value;
  };
  const again = () => unless(absent(words));
  return new Proxy(function () {}, {
    get: (target, key) => {
      if (key === ABSENT) return words;
      if (key === '__esModule') return true;
      if (key === 'prototype') return target.prototype;
      if (key === Symbol.toPrimitive) return () => unless(words);
      if (key === Symbol.iterator) return () => [][Symbol.iterator](unless());
      return typeof key === 'symbol' ? undefined : absent(words);
    },
    apply: again,
    construct: again,
    // Compilers make an object of a module that has its prototype.
    getPrototypeOf: () => isPrototype ? Function.prototype : absent(words, true),
  });
}

export function compose(...calls) {
  return calls.filter((call) => typeof call === 'function')
    .reduce((outer, inner) => (...given) => outer(inner(...given)), (value) => value);
}

/** Reducers without those of packages that are not there. */
function present(reducers) {
  return Object.fromEntries(Object.entries(reducers).filter(([key, reducer]) => {
    const words = reducer?.[ABSENT];
    if (words) state.notes.add(`${key} is left out of the state: ${words}`);
    return !words;
  }));
}

export function combined(all) {
  const reducers = present(all);
  const keys = Object.keys(reducers).filter((key) => typeof reducers[key] === 'function');
  return (before = {}, action) => {
    const next = Object.fromEntries(keys.map((key) => [key, reducers[key](before[key], action)]));
    const gone = keys.find((key) => next[key] === undefined);
    if (gone !== undefined && !state.isOfNgRx) {
      throw new Error(`the reducer “${gone}” returned undefined`);
    }
    const isSame = keys.length === Object.keys(before).length
      && keys.every((key) => next[key] === before[key]);
    return isSame ? before : next;
  };
}

/** As much of Redux as making a store takes, where it is not installed. */
export function redux() {
  const createStore = (reducer, first) => {
    let current = typeof first === 'function' ? undefined : first;
    const store = {
      getState: () => current,
      subscribe: () => () => {},
      replaceReducer: (next) => { reducer = next; },
      dispatch: (action) => {
        if (isObject(action)) current = reducer(current, action);
        return action;
      },
    };
    store.dispatch({ type: '@@INIT' });
    return store;
  };
  return {
    createStore, legacy_createStore: createStore, combineReducers: combined, compose,
    applyMiddleware: () => (make) => make, bindActionCreators: (actions) => actions,
    __esModule: true,
  };
}

/** A store's reducer that tells what it reduces, and takes a state that is set. */
const watched = (entry) => (before, action) => {
  const { forced } = entry;
  entry.forced = undefined;
  if (forced) return forced.value;
  let after;
  try { after = entry.reducer(before, action); } catch (error) {
    entry.tell(action, before, error);
    throw error;
  }
  entry.tell(action, after);
  return after;
};

const isData = ([, part]) => typeof part !== 'function';
const dataOf = (all) => Object.fromEntries(Object.entries(all).filter(isData));

/** The host's recorder.zustand: it reports each `set`. */
export const calledStore = (make) => (set, get, api) => {
  const entry = {
    isCalled: true, log: [], store: api, tell: (...told) => entry.log.push(told),
    data: () => dataOf(get()),
    reducer: (before, { type, arguments: [news, isWhole] = [] }) => (
      type !== 'setState' ? before : isWhole ? news : { ...before, ...news }),
  };
  const { setState } = api;
  entry.put = (value) => {
    const calls = Object.entries(get()).filter((each) => !isData(each));
    setState({ ...value, ...Object.fromEntries(calls) }, true);
  };
  let depth = 0;
  const telling = (real) => (...given) => {
    const before = get(), result = real(...given);
    const action = { type: 'setState', arguments: partsSet(given, before, get()).map(typed) };
    if (!depth) entry.tell(action, dataOf(get()));
    return result;
  };
  const member = ([type, part]) => [type, typeof part !== 'function' ? part : (...given) => {
    depth++;
    try { return part(...given); } finally {
      if (!--depth) entry.tell({ type, arguments: given }, dataOf(get()));
    }
  }];
  state.called.push(entry);
  api.setState = telling(setState);
  return mapped(make(telling(set), get, api), member);
};

/** A store of which the inner one is known, too: it has no middleware behind it. */
function watchedStore(make, entry, rest) {
  entry.log = [];
  entry.tell = (...told) => entry.log.push(told);
  const inner = (create) => (...given) => (entry.base = create(...given));
  const at = rest.findIndex((each) => typeof each === 'function');
  if (at < 0) return (entry.base = make(watched(entry), ...rest));
  const enhance = rest[at];
  const others = [...rest];
  others[at] = (create) => enhance(inner(create));
  return make(watched(entry), ...others);
}

/** Redux does not tell which reducer a store has, so it is noted when the store is made. */
const noted = (make) => make && ((reducer, ...rest) => {
  const preloaded = typeof rest[0] === 'function' ? undefined : rest[0];
  const entry = { reducer, preloaded, file: state.running.at(-1) };
  if (typeof reducer === 'function') state.stores.push(entry);
  const store = state.isWhole ? watchedStore(make, entry, rest) : make(reducer, ...rest);
  // The one of redux-persist counts what was read.
  const first = Object(store.getState());
  const isCounting = has(first, 'bootstrapped') && has(first, 'registry');
  if (isCounting) state.stores.splice(state.stores.indexOf(entry), 1);
  const replaceReducer = (next) => {
    entry.reducer = next;
    store.replaceReducer(state.isWhole ? watched(entry) : next);
  };
  return (entry.store = { ...store, replaceReducer });
});

/** Notes what a function makes. Without an argument, zustand's give a function that makes it. */
const noting = (list, make) => make && ((...given) => {
  const made = make(...given);
  if (typeof made === 'function' && !made.getState && !given.length) return noting(list, made);
  const isKnown = list.some(({ store }) => store.getState && store.getState === made?.getState);
  if (made && !isKnown) list.push({ store: made, file: state.running.at(-1) });
  return made;
});

const kept = (make) => noting(state.others, make);
/** Keeps what makes thunks, with the functions that createAsyncThunk itself has. */
const thunks = (make) => make && Object.assign((...given) => {
  const made = make(...given);
  state.thunks.push(made);
  return made;
}, make);
const api = (make) => noting(state.apis, make);
const custom = (build) => build && ((...modules) => api(build(...modules)));

/** Packages whose functions are noted: by their names, what is put around them. */
export const WRAPPERS = {
  redux: {
    createStore: noted, legacy_createStore: noted,
    combineReducers: (combine) => (reducers, ...rest) => combine(present(reducers), ...rest),
  },
  '@reduxjs/toolkit': { createAsyncThunk: thunks },
  zustand: { create: kept, createStore: kept },
  'zustand/vanilla': { createStore: kept },
  'zustand/traditional': { createWithEqualityFn: kept },
  '@reduxjs/toolkit/query': { createApi: api, buildCreateApi: custom },
  '@reduxjs/toolkit/query/react': { createApi: api, buildCreateApi: custom },
};
globalThis[Symbol.for('retcon.wrappers')] = { ...WRAPPERS, noticed };

/** An ES module with all of a package, whose functions are noted. */
export function wrapping(name, place) {
  const url = JSON.stringify(place);
  const exports = Object.keys(WRAPPERS[name])
    .map((key) => `export const ${key} = wrappers.${key}(real.${key});`);
  return `export * from ${url}; import * as real from ${url};
    const { noticed, ...packages } = globalThis[Symbol.for('retcon.wrappers')];
    const wrappers = packages[${JSON.stringify(name)}];
    export default noticed(${JSON.stringify(name)}, real.default);
    ${exports.join('\n')}`;
}

const IS_AXIOS = /^axios$|[\\/]node_modules[\\/]axios[\\/]/;
const wrapped = new WeakMap();

/** A package, with what it makes noted. */
export function noticed(name, real) {
  if (IS_AXIOS.test(name)) watchHeaders(real?.AxiosHeaders);
  if (!has(WRAPPERS, name) || !isObject(real)) return real;
  if (!wrapped.has(real)) {
    const all = Object.getOwnPropertyDescriptors(real);
    for (const [key, wrapper] of Object.entries(WRAPPERS[name])) {
      if (real[key]) all[key] = { value: wrapper(real[key]), enumerable: true };
    }
    wrapped.set(real, Object.defineProperties({}, all));
  }
  return wrapped.get(real);
}
