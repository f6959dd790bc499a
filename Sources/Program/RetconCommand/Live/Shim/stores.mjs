// The stores that are recorded, and the search for states that were changed in place.
import { hiding, view } from './hiding.mjs';
import { NOTHING, sync } from './patches.mjs';
import { walk } from './plain.mjs';
import { isObject, parse } from './world.mjs';

/** Values of a state that each action pays for being looked at again. */
const CREDIT = 30;
/** A state with fewer values is looked at again when the app rests. */
const IDLE = 200_000;
/** A larger state is not copied, and not looked at again. */
export const SMALL = 2_000_000;
const MOST_STORES = 64;

export const stores = new Map();

let page;
/** Names this load of the page, so that its stores have names of their own. */
export function namePage(name) { page = name; }

/** A store of the app. The one after the sixty-fourth is not recorded. */
export function newStore(given, live, reduce) {
  const hides = isObject(given) ? hiding(given) : undefined;
  const store = {
    id: `${page}.${stores.size + 1}`, name: hides && given.name, hides, live, reduce, count: 0,
    // The search for changes in place: what it may cost, and what the last one did.
    credit: 0, size: 0, isUnseen: false, mutates: false,
    // Actions that JSON cannot carry, by their JSON; states that Retcon asks for, by its numbers.
    known: new Map(), states: new Map(),
  };
  if (stores.size < MOST_STORES) stores.set(store.id, store);
  return store;
}

/**
 * The operations that bring the mirror to what the store's state has become in place. The actions
 * pay for looking at all of a state. One that has ever changed in place is looked at each time.
 */
export function changedInPlace(store, isIdle) {
  store.credit += CREDIT;
  if (store.mirror === undefined || store.isHidden || store.size > SMALL) return [];
  const isDue = store.mutates || store.credit >= store.size || (isIdle && store.size < IDLE);
  if (!isDue) return [];
  [store.credit, store.isUnseen, walk.values] = [0, false, 0];
  const operations = [];
  store.seen = view(store, store.live);
  store.mirror = sync(store.mirror, NOTHING, store.seen, operations);
  store.size = walk.values;
  if (operations.length) store.mutates = true;
  return operations;
}

/** Adds to a step what was changed in place since. */
export function noteChanges(entry, operations) {
  if (!operations.length) return;
  entry.operations.push(...operations);
  if (!entry.mutated) entry.mutated = parse(operations[0]).path;
}
