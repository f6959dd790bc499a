// The session of a store: its first state and its steps.
import { seenAction, view } from './hiding.mjs';
import { NOTHING, sync } from './patches.mjs';
import { cloned, plain, walk } from './plain.mjs';
import { SMALL, changedInPlace, newStore, noteChanges, stores } from './stores.mjs';
import { add, connect, flush, isConnected, sendWhole } from './wire.mjs';
import { HIDDEN, wordsOf } from './words.mjs';
import { now, origin, stringify, world } from './world.mjs';

/** The most actions of a store that are kept because JSON cannot carry them. */
const MOST_KNOWN = 10_000;

export function open(given, live, reduce) {
  const store = newStore(given, live, reduce);
  if (stores.has(store.id)) begin(store);
  else add('{"isRefused":true}');
  return store;
}

/** Sends the state from which the session of a store goes on. */
function begin(store) {
  const { id, name, live, reduce } = store;
  const head = {
    start: id, name: name === undefined ? undefined : String(name), time: origin + now(),
    address: String(world.location?.href ?? ''), title: String(world.document?.title ?? ''),
    reduces: Boolean(reduce), hides: store.hides?.names,
  };
  walk.values = 0;
  [store.mirror, store.count] = [undefined, 0];
  store.numbers?.note(0);
  try {
    if (store.isHidden) throw new Error('the app’s predicate hides this state');
    store.seen = view(store, live);
    store.mirror = plain(store.seen);
    store.first = walk.values < SMALL ? cloned(live) : live;
  } catch (error) { head.lost = String(error.message); }
  store.size = walk.values;
  store.isSent = true;
  add(`${stringify(head).slice(0, -1)},"state":${stringify(store.mirror ?? null)}}`);
}

/** Another `retcon attach` has come. The one before hears no more. */
export function connectAgain(name) {
  if (isConnected(name)) return;
  flush(false);
  sendWhole(stringify([{ left: [...stores.keys()] }]));
  connect(name);
  for (const store of stores.values()) begin(store);
  flush(false);
}

/** Adds a step: an action, and the state after it or the error. */
export function step(store, action, live, error, stack) {
  if (!store.isSent) return;
  if (store.isPaused) {
    store.live = live;
    return;
  }
  const time = Math.round((origin + now()) * 1e3) / 1e3;
  const entry = { head: `{"of":"${store.id}","time":${time}`, operations: [], rest: '' };
  try {
    addAction(entry, store, action, live, error, stack);
    if (store.mirror !== undefined && !store.isHidden) addState(entry, store, live);
  } catch (failure) {
    // Its state is unknown from here on.
    store.mirror = undefined;
    entry.operations = [];
    entry.rest += `,"lost":${stringify(String(failure.message))}`;
    if (!entry.head.includes('"action"')) entry.head += ',"action":null';
  }
  store.live = live;
  store.count++;
  store.numbers?.note(store.count);
  add(entry, store);
}

function addAction(entry, store, action, live, error, stack) {
  walk.values = 0;
  walk.isLossy = false;
  const { shown, label, isHidden } = seenAction(store, action, live);
  const text = stringify(plain(shown));
  if (walk.isLossy && shown === action && store.known.size < MOST_KNOWN) {
    store.known.set(text, cloned(action));
  }
  entry.head += `,"action":${text}`;
  if (typeof label === 'string') entry.rest += `,"label":${stringify(label)}`;
  store.isHidden = Boolean(isHidden);
  if (isHidden) entry.rest += ',"hidden":true';
  if (error !== undefined) {
    entry.rest += `,"error":${stringify(shown === HIDDEN ? HIDDEN : wordsOf(error))}`;
  }
  if (stack) entry.rest += `,"stack":${stringify(stack)}`;
}

function addState(entry, store, live) {
  walk.values = 0;
  const seen = view(store, live);
  store.mirror = sync(store.mirror, store.seen, seen, entry.operations);
  store.seen = seen;
  store.isUnseen = true;
  store.live = live;
  noteChanges(entry, changedInPlace(store, false));
}

export function pause(store) { store.isPaused = true; }

/** Records again. The state may be any other than before. */
export function resume(store) {
  const { live } = store;
  if (!store.isPaused) return;
  [store.isPaused, store.seen] = [false, NOTHING];
  step(store, { type: '@@retcon/resumed' }, live);
}
