// The extension of Redux DevTools, as stores know it.
import { revived } from './reviving.mjs';
import { open, step } from './steps.mjs';
import { flush } from './wire.mjs';
import { JUMP } from './words.mjs';
import { getPrototypeOf, isObject, soon, stringify } from './world.mjs';

/** React shows a state, and runs the effects of that, in one or two. */
const MICROTASKS = 100;

let isTracing = false;
/** Records from now on where each action was sent. */
export function traceSenders() { isTracing = true; }

/** The callers of the function that calls this one. */
function trace() {
  if (!isTracing) return undefined;
  const lines = String(new Error().stack).split('\n').slice(3, 13);
  return lines.map((line) => line.trim()).join('\n');
}

/** An enhancer that records the store that it makes. */
const recording = (given, onOpen) => (make) => (reducer, ...rest) => {
  let store, made;
  const begin = (state, reduce) => {
    store = open(given, state, reduce);
    store.jump = store.send = (order) => made.dispatch(order);
    onOpen(store);
  };
  const inside = (own) => {
    const reduce = (state, action) =>
      (action?.type === JUMP ? revived(state, action.state) : own(state, action));
    if (store) store.reduce = reduce;
    return (state, action) => {
      if (store && (store.isLocked || reaction) && action?.type !== JUMP) return state;
      let next;
      try { next = reduce(state, action); } catch (error) {
        if (store) {
          step(store, action, state, error, trace());
          flush(false);
        }
        throw error;
      }
      try {
        if (store) step(store, action, next, undefined, trace());
        else begin(next, reduce);
      } catch { /* the app goes on */ }
      return next;
    };
  };
  made = make(inside(reducer), ...rest);
  return { ...made, replaceReducer: (next) => made.replaceReducer(inside(next)) };
};

let reaction;
/**
 * Shows a state. Components may send actions at once because of what they see. No store takes
 * these. The app runs nothing else until the microtasks end.
 */
function tellOfShown(listeners) {
  const own = (reaction = {});
  let left = MICROTASKS;
  const wait = () => {
    if (reaction !== own) return;
    if (left-- > 0) soon(wait);
    else reaction = undefined;
  };
  for (const tell of [...listeners]) try { tell(); } catch { /* it is the app's */ }
  wait();
}

/** An enhancer of other enhancers. These are inside, so middleware reads the app's own state. */
const composed = (given, enhancers) => (make) => (...parts) => {
  let store;
  const inner = recording(given, (opened) => { store = opened; })(make);
  const made = enhancers.reduceRight((wrapped, each) => each(wrapped), inner)(...parts);
  const listeners = new Set();
  if (store) store.tell = () => tellOfShown(listeners);
  return {
    ...made,
    getState: () => (store?.shown ? store.shown.state : made.getState()),
    subscribe(listener) {
      const tell = () => listener(), leave = made.subscribe(listener);
      listeners.add(tell);
      return () => { listeners.delete(tell); leave(); };
    },
  };
};

/** The connection of a store without a reducer: it says what it has done. */
function connection(given) {
  const listeners = new Set(), source = '@devtools-extension', id = given?.instanceId;
  const tell = (message) => { for (const each of listeners) each({ ...message, id, source }); };
  const numbers = numbering();
  let store;
  const begin = (state) => {
    // effector changes the state that it has given here.
    const isPlain = isObject(state) && getPrototypeOf(state) === Object.prototype;
    store = open(given, isPlain ? { ...state } : state);
    store.numbers = numbers;
    store.send = (action) => tell({ type: 'ACTION', payload: stringify(action) });
    store.jump = (action) => {
      const next = revived(store.live, action.state);
      const state = stringify(next); // without functions, which the store keeps
      const actionId = numbers.of(action.step);
      tell({ type: 'DISPATCH', payload: { type: 'JUMP_TO_ACTION', actionId }, state });
      step(store, action, next);
      numbers.note(store.count, actionId);
    };
  };
  return {
    init(state) {
      if (store) step(store, { type: '@@INIT' }, state);
      else begin(state);
      numbers.begin(store.count);
    },
    send(action, state) {
      if (action === null || action === undefined) return;
      try {
        if (!store) begin(undefined);
        numbers.sent++;
        step(store, typed(action), state, undefined, trace());
      } catch { /* the app goes on */ }
    },
    subscribe(listener) {
      listeners.add(listener);
      listener({ type: 'START', source });
      return () => listeners.delete(listener);
    },
    unsubscribe() { listeners.clear(); },
    error(message) { if (store) step(store, { type: '@@ERROR' }, store.live, message); },
  };
}

/**
 * The numbers that a store without a reducer gives its actions since its last start. NgRx and jotai
 * go to a state by its number. A session has steps that the store does not count.
 */
function numbering() {
  let places = [];
  const numberOf = (step) => {
    let at = places.length;
    while (at > 0 && places[at - 1][0] > step) at--;
    return at > 0 ? places[at - 1][1] + step - places[at - 1][0] : undefined;
  };
  const numbers = {
    sent: 0,
    of: numberOf,
    note(step, number = numbers.sent) {
      const last = places.at(-1)?.[0];
      if (last > step) places = []; // a later `retcon attach` counts anew
      if (numberOf(step) === number) return;
      if (last === step) places.pop();
      places.push([step, number]);
    },
    begin(step) { [numbers.sent, places] = [0, [[step, 0]]]; },
  };
  return numbers;
}

const typed = (action) => (typeof action === 'string' ? { type: action } : action);

export const extension = (given) => composed(given, []);
Object.assign(extension, {
  connect: connection,
  send() {}, disconnect() {}, open() {}, listen() {}, notifyErrors() {}, updateLocale() {},
});

export const compose = (...given) => (given.length === 1 && isObject(given[0])
  ? (...enhancers) => composed(given[0], enhancers)
  : composed(undefined, given));
