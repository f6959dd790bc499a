// Answers the questions of `retcon attach` to a store: its reducer runs again here, as
// docs/hosts.md says. An answer is the members of an object, as text.
import { keysOf } from '../../Hosts/Recorder/pointers.mjs';
import { shallowCopy, view } from './hiding.mjs';
import { NOTHING, sync } from './patches.mjs';
import { cloned, plain, walk } from './plain.mjs';
import { stores } from './stores.mjs';
import { shortWords } from './words.mjs';
import { RealDate, hasOwn, isObject, parse, put, stringify, world } from './world.mjs';

/** An answer with more characters of patches ends; Retcon asks for the rest. */
const LONGEST = 16 << 20;
/** A bit more than a day, so that no part of the time is the same. */
const DAY = 86_400_123;

export function ask(id, { id: number, ask: name, ...request }) {
  const store = stores.get(id);
  walk.values = 0;
  let answer;
  try {
    if (!store) answer = '"error":"the page has no such store any more"';
    else if (!hasOwn.call(answers, name)) answer = '"error":"unknown"';
    else answer = answers[name](store, request);
  } catch (error) { answer = `"error":${stringify(shortWords(error))}`; }
  return `{"id":${Number(number)},${answer}}`;
}

const answers = {
  greet: () => '"answer":"greeting","version":[2,0],"name":"the page’s reducer","thin":true',
  reduce,
  put(store, { as, state, from, patch = [] }) {
    if (from !== undefined) state = store.states.get(from);
    for (const { path, value } of patch) state = replaced(state, keysOf(path), value);
    store.states.set(as, state);
    return '"ok":true';
  },
  state: (store, { of }) => `"state":${stringify(plain(view(store, store.states.get(of))))}`,
  forget(store, { states }) {
    for (const number of states) store.states.delete(number);
    return '"ok":true';
  },
  quit(store) {
    store.states.clear();
    return '"ok":true';
  },
};

/**
 * Runs the reducer from a state that Retcon named, and names each state that it makes. With
 * `copies` the reducer gets a copy each time. Retcon asks so for a reducer that changes its state.
 */
function reduce(store, { from, as, actions, copies, day }) {
  if (!store.reduce) return '"error":"this store gives its debugger no reducer"';
  if (from === undefined) {
    store.states.set(as, cloned(store.first));
    return `"states":[${stringify(plain(view(store, store.first)))}]`;
  }
  if (!store.states.has(from)) return `"error":"there is no state ${Number(from)}"`;
  const patches = [], changed = [];
  let state = store.states.get(from), size = 0, error = '';
  for (const action of actions) {
    walk.values = 0;
    const before = view(store, state), operations = [];
    let mirror = plain(before), next;
    const given = copies ? cloned(state) : state;
    ({ next, error = '' } = reduced(store, given, action, day));
    sync(mirror, NOTHING, view(store, given), operations);
    const isChanged = operations.length > 0;
    if (isChanged && !copies) return '"needs":"copies"';
    if (!error && store.hides && !store.hides.allows(next, action)) {
      error = 'the app’s predicate hides this state';
    }
    if (error) break;
    if (isChanged) {
      changed[patches.length] = parse(operations[0]).path;
      mirror = plain(before);
      operations.length = 0;
    }
    // A copy shares nothing with the state before, so all of it is compared.
    sync(mirror, copies ? NOTHING : before, view(store, next), operations);
    const patch = `[${operations.join(',')}]`;
    patches.push(patch);
    size += patch.length;
    store.states.set(as++, next);
    state = next;
    if (size > LONGEST) break;
  }
  const places = stringify(Array.from(changed, (place) => place ?? null));
  return `"patches":[${patches.join(',')}]${changed.length ? `,"changed":${places}` : ''}${
    error ? `,"error":${stringify(error)}` : ''}`;
}

/** The state after an action, or the words of what the reducer threw. */
function reduced(store, state, action, day) {
  const known = store.known.get(stringify(action));
  try {
    const own = () => (known === undefined ? action : cloned(known));
    const next = onDay(day, () => store.reduce(state, own()));
    if (next === undefined) throw new Error('the reducer returned undefined');
    return { next };
  } catch (error) { return { error: shortWords(error) }; }
}

/** Runs work some days later. A reducer that reads the clock gives another state then. */
function onDay(day, work) {
  if (!day) return work();
  const other = () => RealDate.now() + day * DAY;
  // A proxy has the real prototype, for instanceof, and may be called without new.
  world.Date = RealDate.prototype.constructor = new Proxy(RealDate, {
    construct: (_, parts, target) =>
      Reflect.construct(RealDate, parts.length ? parts : [other()], target),
    apply: () => new RealDate(other()).toString(),
    get: (_, name) => (name === 'now' ? other : RealDate[name]),
  });
  try { return work(); } finally { world.Date = RealDate.prototype.constructor = RealDate; }
}

/** A value with the part at these keys replaced; it shares the other parts. */
function replaced(value, [key, ...rest], part) {
  if (key === undefined) return part;
  const isMap = value instanceof Map;
  if (!isObject(value) || !(isMap ? value.has(key) : hasOwn.call(value, key))) {
    throw new Error(`there is nothing at ${key}`);
  }
  const copy = shallowCopy(value);
  const member = replaced(isMap ? value.get(key) : value[key], rest, part);
  if (isMap) copy.set(key, member); else put(copy, key, member);
  return copy;
}
