// The way to Retcon: what is to be sent waits here a moment, and goes through the binding.
import { changedInPlace, noteChanges, stores } from './stores.mjs';
import { later, now, stringify, world } from './world.mjs';

/** A binding takes texts of this length well. */
const PIECE = 1 << 20;
/** Limits of one batch: characters, entries, and milliseconds since the last time. */
const FULL = 1 << 18, MANY = 500, SOON = 100;

let binding, post;
let waiting = [], size = 0, isSoon = false, sentAt = 0;

export function connect(name) { [binding, post] = [name, world[name]]; }
export const isConnected = (name) => name === binding;

/** Sends a text of at most one piece as it is. */
export function sendWhole(text) { post(`.${text}`); }

/** Sends a text, or the entry of a step of a store, in a moment. */
export function add(entry, store) {
  waiting.push(entry);
  if (store) store.last = entry;
  size += sizeOf(entry);
  if (size > FULL || waiting.length > MANY || now() - sentAt > SOON) flush(false);
  else if (!isSoon) {
    isSoon = true;
    later(() => { isSoon = false; flush(true); }, 0);
  }
}

function sizeOf(entry) {
  if (typeof entry === 'string') return entry.length;
  const ofPatch = entry.operations.reduce((sum, operation) => sum + operation.length, 0);
  return entry.head.length + entry.rest.length + ofPatch;
}

function textOf(entry) {
  if (typeof entry === 'string') return entry;
  const { head, operations, mutated, rest } = entry;
  const place = mutated === undefined ? '' : `,"mutated":${stringify(mutated)}`;
  return `${head},"patch":[${operations.join(',')}]${place}${rest}}`;
}

/** Sends what waits. An app that rests pays for a look at states that no step has looked at. */
export function flush(isIdle) {
  if (isIdle) for (const store of stores.values()) lookAgain(store);
  sentAt = now();
  if (!waiting.length) return;
  const all = `[${waiting.map(textOf).join(',')}]`;
  [waiting, size] = [[], 0];
  for (const store of stores.values()) store.last = undefined;
  for (let at = 0; at < all.length;) {
    let end = Math.min(all.length, at + PIECE);
    if (end < all.length && all.charCodeAt(end) >> 10 === 0x37) end--; // a pair stays together
    post((end < all.length ? '+' : '.') + all.slice(at, end));
    at = end;
  }
}

function lookAgain(store) {
  if (!store.isUnseen || !store.last) return;
  try { noteChanges(store.last, changedInPlace(store, true)); } catch { store.mirror = undefined; }
}
