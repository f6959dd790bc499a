// The changes from one state to the next, as operations of RFC 6902.
import { escapedKey, shifted } from '../../Hosts/Recorder/pointers.mjs';
import { count, isPlain, plain } from './plain.mjs';
import { hasOwn, is, isObject, keys, put, stringify } from './world.mjs';

/** Identical to no state: a comparison with it looks at all. */
export const NOTHING = {};

/** The keys from the state down to the place that is compared, and the objects above it. */
const trail = [], above = [];

/** A part as JSON. An object above it that it contains is a circle. */
function partOf(value, depth) {
  above.length = depth;
  return plain(value, depth, above);
}

/** Adds an operation at the first `depth` keys of the trail. */
function operate(operations, name, depth, value) {
  let path = '';
  for (let at = 0; at < depth; at++) path += `/${escapedKey(trail[at])}`;
  const rest = value === undefined ? '' : `,"value":${stringify(value)}`;
  operations.push(`{"op":"${name}","path":${stringify(path)}${rest}}`);
}

/**
 * Brings `mirror`, a state as JSON, from one state to another, and adds the operations that do so.
 * Shared parts of both states are skipped: pass NOTHING to look at all.
 */
export function sync(mirror, from, to, operations, depth = 0) {
  if (from === to) return mirror;
  count();
  above.length = depth;
  if (isObject(to) && isObject(mirror) && !above.includes(to)) {
    above.push(to);
    if (Array.isArray(to) && Array.isArray(mirror)) {
      return syncList(mirror, from, to, operations, depth);
    }
    if (!Array.isArray(to) && !Array.isArray(mirror) && isPlain(to)) {
      try { return syncObject(mirror, from, to, operations, depth); } catch (error) {
        if (error instanceof RangeError) throw error;
      }
    }
  }
  const value = partOf(to, depth);
  if (is(value, mirror)) return mirror;
  const areAlike = isObject(value) && isObject(mirror)
    && Array.isArray(value) === Array.isArray(mirror);
  if (areAlike) {
    const syncParts = Array.isArray(value) ? syncList : syncObject;
    return syncParts(mirror, NOTHING, value, operations, depth);
  }
  operate(operations, 'replace', depth, value);
  return value;
}

function syncList(mirror, from, to, operations, depth) {
  const isKnown = Array.isArray(from) && from.length === mirror.length;
  const { at: place, gone, left, start, end } = shifted(isKnown ? from : [], to);
  if (gone) removeParts(mirror, place, gone, operations, depth);
  from = left;
  const both = Math.min(mirror.length, to.length) - end;
  for (let at = start; at < both; at++) {
    const old = isKnown ? from[at] : NOTHING, value = to[at];
    if (old === value || (value === mirror[at] && !isObject(value))) continue;
    trail[depth] = at;
    mirror[at] = sync(mirror[at], old, value, operations, depth + 1);
  }
  removeParts(mirror, both, mirror.length - end - both, operations, depth);
  for (let at = both; at < to.length - end; at++) {
    const value = partOf(to[at], depth + 1);
    trail[depth] = at;
    operate(operations, 'add', depth + 1, value);
    mirror.splice(at, 0, value);
  }
  return mirror;
}

function removeParts(mirror, start, count, operations, depth) {
  for (let at = start + count - 1; at >= start; at--) {
    trail[depth] = at;
    operate(operations, 'remove', depth + 1);
  }
  if (count > 0) mirror.splice(start, count);
}

function syncObject(mirror, from, to, operations, depth) {
  const isKnown = isObject(from) && from !== NOTHING && isPlain(from), all = keys(to);
  let kept = 0;
  for (let at = 0; at < all.length; at++) {
    const key = all[at], value = to[key], old = isKnown ? from[key] : NOTHING;
    if (value === undefined) continue;
    kept++;
    if (old === value) continue;
    const before = hasOwn.call(mirror, key) ? mirror[key] : undefined;
    trail[depth] = key;
    if (before === undefined) {
      const added = partOf(value, depth + 1);
      operate(operations, 'add', depth + 1, added);
      put(mirror, key, added);
      continue;
    }
    if (value === before && !isObject(value)) continue;
    const next = sync(before, old, value, operations, depth + 1);
    if (next !== before) put(mirror, key, next);
  }
  removeGone(mirror, to, kept, operations, depth);
  return mirror;
}

/** With as many keys as before, and none added, none is gone. */
function removeGone(mirror, to, kept, operations, depth) {
  const names = keys(mirror);
  if (names.length === kept) return;
  for (const key of names) {
    if (hasOwn.call(to, key) && to[key] !== undefined) continue;
    trail[depth] = key;
    operate(operations, 'remove', depth + 1);
    delete mirror[key];
  }
}
