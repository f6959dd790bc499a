// States that were JSON, as states of the app.
import { isCut, isPlain, plain } from './plain.mjs';
import { REDACTED } from './words.mjs';
import { RealDate, hasOwn, is, isObject, keys, put, stringify, world } from './world.mjs';

/**
 * A state that was JSON as one of the app. An equal part stays the same object. A part that is
 * redacted or cannot be JSON stays the app's own.
 */
export function revived(live, value) {
  if (is(live, value)) return live;
  if (typeof value === 'string' && value.includes(REDACTED)) return live ?? value;
  const kind = typeof live;
  const isText = typeof value === 'string';
  if (kind === 'function' || kind === 'symbol') return isText ? live : value;
  if (kind === 'number' && /^(NaN|-?Infinity)$/.test(value)) return Number(value);
  if (kind === 'bigint' && /^-?\d+n$/.test(value)) return world.BigInt(value.slice(0, -1));
  if (live instanceof RealDate && isText) {
    return plain(live) === value ? live : new RealDate(value);
  }
  if (!isObject(live) || !(isText || isObject(value))) return value;
  const isList = Array.isArray(live), isKeyed = live instanceof Map || live instanceof Set;
  if (!isList && !isKeyed && !isPlain(live)) return live;
  if (isText) return isCut(value) ? live : value;
  if (isKeyed) return revivedMembers(live, value);
  if (isList !== Array.isArray(value)) return value;
  if (isList) {
    return sameOr(live, value.map((part, at) => revived(live[at], part)));
  }
  const copy = {};
  for (const key of keys(value)) {
    if (!key.startsWith(REDACTED)) put(copy, key, revived(live[key], value[key]));
  }
  if (keys(value).some((key) => key.startsWith(REDACTED))) {
    for (const key of keys(live)) if (!hasOwn.call(copy, key)) put(copy, key, live[key]);
  }
  return sameOr(live, copy);
}

function sameOr(live, copy) {
  const isSame = (key) => hasOwn.call(live, key) && is(copy[key], live[key]);
  return keys(live).length === keys(copy).length && keys(copy).every(isSame) ? live : copy;
}

/** A map or a set, with the app's own keys and members where they are the same as JSON. */
function revivedMembers(live, value) {
  if (stringify(plain(live)) === stringify(value)) return live;
  const known = new Map(Array.from(live.keys(), (key) => [stringify(plain(key)), key]));
  const own = (key) => known.get(stringify(key)) ?? key;
  if (live instanceof Set) return Array.isArray(value) ? new Set(value.map(own)) : value;
  const entries = Array.isArray(value) ? value : keys(value).map((key) => [key, value[key]]);
  return new Map(entries.map(([key, part]) => [own(key), revived(live.get(own(key)), part)]));
}
