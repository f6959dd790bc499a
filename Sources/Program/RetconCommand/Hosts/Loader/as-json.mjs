// States as JSON, and the changes between them: each looks only at what a step changed.
import { Refusal, has, isObject } from './files.mjs';
import { formOf, wordOf } from '../Recorder/forms.mjs';
import { escapedKey, shifted } from '../Recorder/pointers.mjs';

const MB = 2 ** 20; // of text, and 64 bytes for each value
export const LIMITS = { state: 512 * MB, change: 64 * MB, answer: 16 * MB };

const asJSON = new WeakMap(); // by values that do not change any more
const SIZE = Symbol('size'); // of a value of JSON that has parts, with shared ones at each place
const COUNT = Symbol('count'); // of an object's members
/** By an object of JSON that shares most members with another one: that one, and what differs. */
const changes = new Map();

/**
 * A value of JavaScript as JSON, in the words in which Retcon imports it from Redux DevTools. Parts
 * that it shares with `was`, which is `seen` as JSON, are not looked at.
 */
export function plain(value, cache = asJSON, depth = 0, above = [], was = undefined, seen) {
  switch (typeof value) {
    case 'string': case 'boolean': return value;
    case 'number': case 'bigint': case 'symbol': return wordOf(value) ?? (value === 0 ? 0 : value);
    case 'function': return `[Function ${value.name}]`;
    case 'undefined': return null;
  }
  if (value === null) return null;
  const known = cache.get(value);
  if (known !== undefined) return known;
  if (above.includes(value)) return '[Circular]';
  if (depth > 500) return '[Too deep]';
  above.push(value);
  const hasSeen = isObject(seen) && isBare(was) && Array.isArray(value) === Array.isArray(was);
  const inner = (part, key) => {
    if (!isObject(part) || !hasSeen || !has(seen, key)) return plain(part, cache, depth + 1, above);
    const old = was[key];
    return part === old ? seen[key] : plain(part, cache, depth + 1, above, old, seen[key]);
  };
  const form = Array.isArray(value) ? undefined : formOf(value);
  const result = Array.isArray(value) ? elements(value, inner, hasSeen ? seen : undefined)
    : form !== undefined ? inner(form)
    : hasSeen ? changed(value, inner, was, seen) : membersOf(value, inner);
  above.pop();
  cache.set(value, result);
  return result;
}

/** The same list where each element is the same. */
function elements(value, inner, seen) {
  const result = new Array(value.length);
  let size = 64, isSame = seen?.length === value.length;
  for (let at = 0; at < value.length; at++) {
    const part = value[at];
    result[at] = typeof part === 'string' ? part : inner(part, at);
    size += sizeOf(result[at]);
    isSame &&= result[at] === seen[at];
  }
  if (isSame) return seen;
  result[SIZE] = within(LIMITS.state, size);
  return result;
}

function membersOf(value, inner) {
  const result = {};
  let size = 64, count = 0;
  for (const key of Object.keys(value)) {
    if (value[key] === undefined) continue;
    const part = inner(value[key], key);
    put(result, key, part);
    size = within(LIMITS.state, size + sizeOf(part) + key.length);
    count++;
  }
  return Object.assign(result, { [SIZE]: size, [COUNT]: count });
}

/** An object that had `seen` members: a copy of these with those that are others now. */
function changed(value, inner, was, seen) {
  const others = [];
  let count = 0, news = 0, size = seen[SIZE];
  eachPair(value, was, (key, part, before) => {
    if (part === undefined) return;
    count++;
    if (part === before && typeof part !== 'function') return;
    const [old, json] = [has(seen, key) ? seen[key] : undefined, inner(part, key)];
    if (old === undefined) news++;
    if (json === old) return;
    size += sizeOf(json) - (old === undefined ? -key.length : sizeOf(old));
    others.push([key, json]);
  });
  const isGone = (key) => !has(value, key) || value[key] === undefined;
  const gone = count - news === seen[COUNT] ? [] : Object.keys(seen).filter(isGone);
  if (!others.length && !gone.length) return seen;
  const result = { ...seen };
  for (const [key, json] of others) put(result, key, json);
  for (const key of gone) {
    size -= sizeOf(seen[key]) + key.length;
    delete result[key];
  }
  result[SIZE] = within(LIMITS.state, size);
  result[COUNT] = count;
  changes.set(result, { seen, gone, others });
  return result;
}

/**
 * Calls `visit` with each key of an object, its part, and the part of another object, until it
 * returns false. Reads both in order: to look up each key of a large object takes 20 times as long.
 */
export function eachPair(value, other, visit) {
  const keys = Object.keys(value), parts = Object.values(value);
  const otherKeys = Object.keys(other), others = Object.values(other);
  let next = 0;
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at];
    if (key !== otherKeys[next] && key === otherKeys[next + 1]) next++;
    const old = key === otherKeys[next] ? others[next++] : other[key];
    if (visit(key, parts[at], old) === false) return false;
  }
  return true;
}

/** How long a value of JSON is, roughly in bytes. */
export function sizeOf(value) {
  if (typeof value === 'string') return 64 + value.length;
  return isObject(value) ? value[SIZE] ?? 64 : 64;
}

/** How many members an object of JSON has that plain() made. */
export const countOf = (json) => json[COUNT];

function within(limit, size) {
  if (size <= limit) return size;
  throw new Refusal(limit === LIMITS.state
    ? 'the state is too large: more than 8 million values or 512 MB of text'
    : 'the step changes too much of the state: more than a million values or 64 MB of text');
}

/** `__proto__` is a key like any other. */
export function put(object, key, value) {
  if (key !== '__proto__') object[key] = value;
  else {
    const all = { enumerable: true, writable: true, configurable: true };
    Object.defineProperty(object, key, { value, ...all });
  }
}

/** Whether JSON has the members of a value under the same keys. */
export function isBare(value) {
  if (!isObject(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === Array.prototype || prototype === null)
    && typeof value.toJSON !== 'function';
}

/** RFC 6902 operations that lead from one value of JSON to another. */
export function difference(from, to) {
  const operations = Object.assign([], { size: 0 });
  compare(from, to, '', operations);
  changes.clear();
  return operations;
}

function compare(from, to, place, operations) {
  if (from === to) return;
  const add = (operation) => {
    const size = 192 + operation.path.length + ('value' in operation ? sizeOf(operation.value) : 0);
    operations.size = within(LIMITS.change, operations.size + size);
    operations.push(operation);
  };
  const under = (key) => `${place}/${escapedKey(key)}`;
  const become = (key, part) => {
    if (!has(from, key)) add({ op: 'add', path: under(key), value: part });
    else if (from[key] !== part) compare(from[key], part, under(key), operations);
  };
  if (!isObject(from) || !isObject(to) || Array.isArray(from) !== Array.isArray(to)) {
    add({ op: 'replace', path: place, value: to });
  } else if (Array.isArray(from)) {
    const { at: first, gone, left, start, end } = shifted(from, to);
    const both = Math.min(left.length, to.length) - end;
    const path = (at) => `${place}/${at}`;
    for (let at = 0; at < gone; at++) add({ op: 'remove', path: path(first) });
    for (let at = start; at < both; at++) compare(left[at], to[at], path(at), operations);
    for (let at = left.length - end - 1; at >= both; at--) add({ op: 'remove', path: path(at) });
    for (let at = both; at < to.length - end; at++) {
      add({ op: 'add', path: path(at), value: to[at] });
    }
  } else if (changes.get(to)?.seen === from) {
    const { gone, others } = changes.get(to);
    for (const key of gone) add({ op: 'remove', path: under(key) });
    for (const [key, part] of others) become(key, part);
  } else {
    for (const key of Object.keys(from)) {
      if (!has(to, key)) add({ op: 'remove', path: under(key) });
    }
    for (const key of Object.keys(to)) become(key, to[key]);
  }
}
