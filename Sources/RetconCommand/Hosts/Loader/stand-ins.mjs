// What stands for a package or a file that cannot be loaded, and for Redux where it is not
// installed; and what is known about the stores that are made.
import path from 'node:path';
import { isObject } from './files.mjs';

export const state = { isReducing: false, notes: new Set(), stores: [], absent: new Map() };

export const reducing = () => { state.isReducing = true; };

export const ABSENT = Symbol('retcon.absent');

/** What stands for all of a package that is not there: a step ends that uses it. */
export function absent(words, isInner) {
  const unless = (value) => {
    if (state.isReducing) throw new Error(words);
    return value;
  };
  const again = () => unless(absent(words));
  return new Proxy(function () {}, {
    get: (target, key) => {
      if (key === ABSENT) return words;
      if (key === '__esModule') return true;
      if (key === 'prototype') return target.prototype;
      if (key === Symbol.toPrimitive) return () => unless(words);
      return typeof key === 'symbol' || key === 'then' ? undefined : absent(words);
    },
    apply: again,
    construct: again,
    // Compilers make an object of a module that has its prototype.
    getPrototypeOf: () => isInner ? Function.prototype : absent(words, true),
  });
}

export function compose(...calls) {
  return calls.filter((call) => typeof call === 'function')
    .reduce((outer, inner) => (...given) => outer(inner(...given)), (value) => value);
}

export function combined(reducers) {
  const keys = Object.keys(reducers).filter((key) => {
    if (typeof reducers[key] !== 'function') return false;
    const words = reducers[key][ABSENT];
    if (words) state.notes.add(`${key} is left out of the state: ${words}`);
    return !words;
  });
  return (before = {}, action) => {
    const next = Object.fromEntries(keys.map((key) => [key, reducers[key](before[key], action)]));
    const gone = keys.find((key) => next[key] === undefined);
    if (gone !== undefined) throw new Error(`the reducer “${gone}” returned undefined`);
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

/** Redux tells nobody which reducer a store has, so it is noted when the store is made. */
const noted = (make) => make && ((reducer, ...rest) => {
  const entry = { reducer };
  state.stores.push(entry);
  const store = make(reducer, ...rest);
  const replaceReducer = (next) => {
    entry.reducer = next;
    store.replaceReducer(next);
  };
  return (entry.store = { ...store, replaceReducer });
});
globalThis[Symbol.for('retcon.noted')] = noted;

const wrappers = new WeakMap();

/** The package redux, with its stores noted. */
export function wrapped(real) {
  if (!isObject(real)) return real;
  if (!wrappers.has(real)) {
    const all = Object.getOwnPropertyDescriptors(real);
    for (const name of ['createStore', 'legacy_createStore']) {
      all[name] = { value: noted(real[name] ?? real.createStore), enumerable: true };
    }
    wrappers.set(real, Object.defineProperties({}, all));
  }
  return wrappers.get(real);
}

const STYLES = ['css', 'scss', 'sass', 'less', 'styl'];
const ASSETS = [
  ...STYLES, 'svg', 'png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'ico', 'bmp', 'woff', 'woff2',
  'ttf', 'otf', 'eot', 'mp3', 'mp4', 'wav', 'ogg', 'webm', 'pdf', 'txt', 'md', 'mdx', 'html',
  'csv', 'gql', 'graphql', 'vue', 'svelte', 'wasm', 'yaml', 'yml',
];
const extension = (name) => path.extname(name.replace(/[?#].*$/, '')).slice(1).toLowerCase();

export const isAsset = (name) => ASSETS.includes(extension(name));

export function asset(name) {
  state.notes.add(`${path.basename(name)} is no code: an empty stand-in is used`);
  return { __esModule: true, default: STYLES.includes(extension(name)) ? {} : path.basename(name) };
}
