// Runs the steps of a test that Retcon wrote, and checks its rule. Keep it beside the test.
import { runner } from './runner.mjs';

/** The default export, else the only store, reducer or slice; in CommonJS all is the default. */
function pick(app) {
  const exports = Object.entries(app), values = exports.map(([, value]) => value);
  const isCommon = exports.every(([name, value]) =>
    /^(default|module.exports)$/.test(name) || app.default?.[name] === value);
  const named = exports.filter(([name]) => /reducer$/i.test(name)).map(([, value]) => value);
  const stores = values.filter((value) => value?.getState ?? value?.reducer);
  const first = !(isCommon && exports.length > 1) && app.default;
  return [first, ...stores, named.length === 1 && named[0], app.default, ...named].find(Boolean);
}

/** Runs steps from a state, with a store, a reducer, a slice, or an object of reducers. */
export function replay(app, name, state, equal) {
  const found = name === undefined ? pick(app) : app[name];
  const store = found.getState && found.dispatch && found;
  const all = (state = {}, action) => Object.fromEntries(
    Object.keys(found).map((key) => [key, found[key](state[key], action)]));
  const reducer = store ? (_, action) => { store.dispatch(action); return store.getState(); }
    : typeof found === 'function' ? found : found.reducer ?? all;
  return runner(reducer, state, equal, store && (() => store.getState()));
}

// A rule calls these functions. `told` reads the state as the host for node tells it.
export const told = (state) => JSON.parse(JSON.stringify(state ?? null, (_, value) =>
  value instanceof Map ? ([...value.keys()].every((key) => typeof key === 'string')
    ? Object.fromEntries(value) : [...value])
  : value instanceof Set || ArrayBuffer.isView(value) ? Array.from(value)
  : typeof value === 'bigint' ? `${value}n`
  : typeof value === 'function' ? `[Function ${value.name}]`
  : typeof value === 'number' && !Number.isFinite(value) ? String(value) : value));

/** Conditions are paths as in JSONPath: from each value to its children, members, elements. */
const isHolder = (value) => value !== null && typeof value === 'object';
export const children = (value) => isHolder(value) ? Object.values(value) : [];
export const inside = (value) => [value, ...children(value).flatMap(inside)];
export const find = (value, ...segments) => segments.reduce((found, picks) =>
  (picks[0] === inside ? found.flatMap(inside) : found).flatMap((value) =>
    picks.filter((pick) => pick !== inside).flatMap((pick) => pick(value))), [value]);
export const key = (name) => (value) =>
  isHolder(value) && !Array.isArray(value) && Object.hasOwn(value, name) ? [value[name]] : [];
export const item = (index) => (value) =>
  Array.isArray(value) && index < value.length && -index <= value.length ? [value.at(index)] : [];
export const where = (holds) => (value) => children(value).filter(holds);
export const slice = (start, end, step) => (value) => {
  if (!Array.isArray(value) || step === 0) return [];
  const isUp = step > 0;
  const [low, high] = isUp ? [0, value.length] : [-1, value.length - 1];
  const reach = (place) => Math.min(Math.max(place < 0 ? value.length + place : place, low), high);
  const last = end === undefined ? (isUp ? high : low) : reach(end);
  const found = [];
  for (let place = start === undefined ? (isUp ? low : high) : reach(start);
    isUp ? place < last : place > last; place += step) found.push(value[place]);
  return found;
};
export const length = (value) => typeof value === 'string' ? [...value].length
  : isHolder(value) ? Object.keys(value).length : undefined;
export const only = (found) => found.length === 1 ? found[0] : undefined;

export const sum = (found) => found.every((each) => typeof each === 'number')
  ? found.reduce((all, each) => all + each, 0) : undefined;
export const areUnique = (found) =>
  found.every((each, at) => !found.slice(0, at).some((other) => isSame(each, other)));
export const areSorted = (found) =>
  found.every((each, at) => at === 0 || order(found[at - 1], each) <= 0);

export function isMatch(text, pattern, isWhole) {
  if (typeof text !== 'string' || typeof pattern !== 'string') return false;
  let isInClass = false;
  const source = pattern.replace(/\\.|[.[\]]/gsu, (part) => {
    if (part === '.') return isInClass ? '\\.' : '[^\\n\\r]';
    if (part.length === 1) { isInClass = part === '['; return part; }
    const isKept = /^\\[pPnrt^$\\.*+?()[\]{}|/]/.test(part) || isInClass && part === '\\-';
    return isKept ? part : part.slice(1);
  });
  try {
    return new RegExp(isWhole ? `^(?:${source})$` : source, 'u').test(text);
  } catch { return false; }
}

/** Calls a rule's own functions now and after each step; returns their last values. */
export function judging(run, functions) {
  const [values, memory, own] = [{}, {}, run.step];
  let [step, previous] = [0, null];
  const judge = (action) => {
    const state = told(run.state);
    for (const [name, call] of Object.entries(functions)) {
      values[name] = call(state, { previous, action, step, sent: null }, memory[name] ??= {});
    }
    [previous, step] = [state, step + 1];
  };
  judge(null);
  run.step = (...parts) => { own(...parts); judge(parts[0]); };
  return values;
}

/** The result of such a function: a text says why the rule does not hold. */
export const isKept = (value) => isTrue(value) && typeof value !== 'string';
export const isTrue = (value) => ![undefined, null, false].includes(value);

/** Below, above or 0 for numbers, texts (by code points) and equal values; NaN for others. */
export function order(left, right) {
  const areBoth = (kind) => typeof left === kind && typeof right === kind;
  if (areBoth('number')) return left < right ? -1 : left > right ? 1 : 0;
  if (areBoth('string')) return Buffer.compare(Buffer.from(left), Buffer.from(right));
  return isSame(left, right) ? 0 : NaN;
}

export function isSame(left, right) {
  if (![left, right].every(isHolder)) return left === right;
  const keys = Object.keys(left);
  return Array.isArray(left) === Array.isArray(right) && keys.length === Object.keys(right).length
    && keys.every((key) => Object.hasOwn(right, key) && isSame(left[key], right[key]));
}
