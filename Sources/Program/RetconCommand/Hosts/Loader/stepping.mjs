// Runs steps of a reducer, and finds where it changes the state that it is given in place.
import { Refusal, isObject } from './files.mjs';
import { countOf, difference, eachPair, isBare, plain, put, sizeOf } from './as-json.mjs';

const CHECKED = 100_000; // values that are looked through after each step, for changes in place
const ALONE = 8; // steps of a type whose states are each looked through

/** A copy that shares nothing that can be changed. */
function cloned(value, seen = new Map()) {
  if (!isObject(value)) return value;
  if (seen.has(value)) return seen.get(value);
  const result = emptyCopy(value);
  if (!result) return value;
  seen.set(value, result);
  if (value instanceof Set) {
    for (const member of value) result.add(cloned(member, seen));
  } else if (value instanceof Map) {
    for (const [key, member] of value) result.set(cloned(key, seen), cloned(member, seen));
  } else {
    for (const key of Object.keys(value)) put(result, key, cloned(value[key], seen));
  }
  return result;
}

/** An empty value to copy into; undefined for an object of a class. */
function emptyCopy(value) {
  if (Array.isArray(value)) return [];
  if (value instanceof Set) return new Set();
  if (value instanceof Map) return new Map();
  if (value instanceof Date) return new Date(value);
  const prototype = Object.getPrototypeOf(value);
  return [Object.prototype, null].includes(prototype) ? Object.create(prototype) : undefined;
}

let unchecked = 0;
let walked = 0; // how many values were looked at
const types = new Map(); // by type of action: how many states were looked through for it

/** The steps of one request, from a state on. */
export class Stepping {
  constructor(reducer, copies, says) {
    Object.assign(this, { reducer, copies, says, given: [] });
  }

  /**
   * One step: the state after it, or the reason why it has none, and where the reducer changed the
   * one before in place.
   */
  step(state, action) {
    const seen = plain(state);
    const given = this.copies ? cloned(state) : state;
    const result = {};
    try {
      result.state = this.reducer(given, action);
      if (result.state === undefined) throw new Error('the reducer returned undefined');
      if (typeof result.state?.then === 'function') {
        throw new Error('the reducer returned a promise, and a reducer answers at once');
      }
    } catch (error) {
      result.error = this.says(error);
      result.isOurs = error instanceof Refusal;
    }
    if (this.mayWait(action, given, result, seen)) this.given.push(given);
    else result.place = this.changedPlace(given, seen);
    return result;
  }

  /**
   * Whether the state may be looked through after the request, together with others that share most
   * parts with it. That would miss a change in place that a later step undoes. So the first steps
   * of each type are looked through alone, and those whose reducer returned the given state.
   */
  mayWait(action, given, result, seen) {
    if (this.copies || result.state === given || sizeOf(seen) > 64 * CHECKED) return false;
    const type = action?.type;
    const count = types.get(type) ?? 0;
    if (count < ALONE && types.size < 1000) types.set(type, count + 1);
    return count >= ALONE && result.error === undefined;
  }

  /** Whether a step changed in place what was not looked through yet. */
  get hasChanged() {
    const known = new Set();
    return this.given.some((given) => {
      walked = 0;
      const seen = plain(given);
      return !isAsSeen(given, seen, 0, known)
        && difference(seen, plain(given, new WeakMap())).length > 0;
    });
  }

  changedPlace(given, seen) {
    if (--unchecked >= 0) return undefined;
    walked = 0;
    if (isAsSeen(given, seen)) return undefined;
    walked = 0;
    const [change] = difference(seen, plain(given, new WeakMap()));
    unchecked = Math.floor(sizeOf(seen) / 64 / CHECKED);
    if (!change) return undefined;
    // An element too many is a change of its list.
    return change.op === 'replace' ? change.path : change.path.replace(/\/\d+$/, '');
  }
}

/**
 * Whether plain() would say the same of it again; parts that are `known` are not looked at. Where
 * that is not clear at once, false.
 */
function isAsSeen(value, seen, depth = 0, known = undefined) {
  if (++walked > CHECKED || depth > 500) return false;
  if (!isObject(value)) return value === seen || plain(value) === seen;
  if (!isObject(seen)) return false;
  if (known?.has(value)) return true;
  known?.add(value);
  const isSame = (part, json) => (
    part === json ? ++walked : isAsSeen(part, json, depth + 1, known));
  if (Array.isArray(value)) {
    if (!Array.isArray(seen) || value.length !== seen.length) return false;
    for (let at = 0; at < value.length; at++) if (!isSame(value[at], seen[at])) return false;
    return true;
  }
  if (!isBare(value)) return difference(seen, plain(value, new WeakMap())).length === 0;
  let count = 0;
  const areSame = eachPair(value, seen, (_, part, json) => {
    if (part === undefined) return true;
    count++;
    return isSame(part, json);
  });
  return areSame && count === countOf(seen);
}
