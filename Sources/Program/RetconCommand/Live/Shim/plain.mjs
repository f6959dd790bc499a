// Values as JSON, and copies of values.
import { formOf, wordOf } from '../../Hosts/Recorder/forms.mjs';
import { get, getPrototypeOf, isObject, keys, put } from './world.mjs';

/** A value nested deeper than this is cut. */
export const DEPTH = 500;
const MOST = 8_000_000;
const CUTS = ['[Too deep]', '[Circular]'];

/** Whether the text replaces an object that was left out. */
export const isCut = (text) => CUTS.includes(text);

/** The values that were looked at since the last reset to 0, and whether JSON lacked one. */
export const walk = { values: 0, isLossy: false };

export function count() {
  if (++walk.values > MOST) {
    throw new RangeError('the state is too large: more than 8 million values');
  }
}

function lossy(form) {
  walk.isLossy = true;
  return form;
}

/** A value as JSON, in the words in which Retcon imports it from Redux DevTools. */
export function plain(value, depth = 0, above = []) {
  count();
  switch (typeof value) {
    case 'string': case 'boolean': return value;
    case 'number': case 'bigint': case 'symbol': {
      const word = wordOf(value);
      if (word !== undefined) return lossy(word);
      return value === 0 ? 0 : value; // JSON has no -0
    }
    case 'undefined': return null;
    case 'function': return lossy(`[Function ${value.name}]`);
  }
  if (value === null) return null;
  if (depth > DEPTH) return CUTS[0];
  if (above.includes(value)) return CUTS[1];
  above.push(value);
  try {
    return plainObject(value, (part) => plain(part, depth + 1, above));
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return `[Threw ${error}]`;
  } finally { above.pop(); }
}

/** An object as JSON. `inner` makes JSON of a part. */
function plainObject(value, inner) {
  if (Array.isArray(value)) {
    const list = new Array(value.length);
    for (let at = 0; at < value.length; at++) list[at] = inner(value[at]);
    return list;
  }
  const form = isPlain(value) ? undefined : lossy(formOf(value));
  if (form !== undefined) return inner(form);
  const result = {};
  for (const key of keys(value)) {
    const part = get(value, key);
    if (part !== undefined) put(result, key, inner(part));
  }
  return result;
}

/** Whether it is an object of JSON. The prototypes of another frame are other objects. */
export function isPlain(value) {
  const type = getPrototypeOf(value);
  return (type === null || getPrototypeOf(type) === null) && typeof value.toJSON !== 'function';
}

/** A copy that shares nothing that can change. */
export function cloned(value, seen = new Map()) {
  if (!isObject(value)) return value;
  if (seen.has(value)) return seen.get(value);
  count();
  const copy = emptyCopy(value);
  if (!copy) return value;
  seen.set(value, copy);
  if (value instanceof Set) for (const part of value) copy.add(cloned(part, seen));
  else if (value instanceof Map) {
    for (const [key, part] of value) copy.set(cloned(key, seen), cloned(part, seen));
  } else for (const key of keys(value)) put(copy, key, cloned(get(value, key), seen));
  return copy;
}

/** An object of the same kind without its parts; undefined for a kind that cannot be copied. */
function emptyCopy(value) {
  if (Array.isArray(value)) return [];
  if (value instanceof Set) return new Set();
  if (value instanceof Map) return new Map();
  if (value instanceof Date) return new Date(value);
  return isPlain(value) ? Object.create(getPrototypeOf(value)) : undefined;
}
