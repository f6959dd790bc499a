#!/usr/bin/env node
// Serves a Redux reducer to Retcon: node retcon-host.mjs REDUCER[#NAME] [OPTION VALUE …]
//
// REDUCER is a file in JavaScript or TypeScript. What it exports, or the export named behind #, is
// a reducer, a store, a slice, or an object of reducers to combine. An export named preloadedState
// or initialState, or the JSON in --state, is the first state of a session that brings none. More
// options: docs/redux.md; requests: docs/hosts.md. Needs node 18 and retcon-load.mjs, no packages.
import fs from 'node:fs';
import path from 'node:path';
import { syncBuiltinESMExports } from 'node:module';
import {
  escapedKey, formOf, keysOf, opened, reducing, Refusal, revived, Rules, rulesIn, shifted, Whole,
  wordOf, worldIn,
} from './retcon-load.mjs';

const CHECKED = 100_000; // values that are looked through after each step, for changes in place
const MB = 2 ** 20; // of text, and 64 bytes for each value
const LONGEST = { state: 512 * MB, change: 64 * MB, answer: 16 * MB };

const known = new WeakMap(); // by values that do not change any more
const SIZE = Symbol('size'); // of a value of JSON that has parts, with shared ones at each place
let walked = 0; // how many values were looked at

/**
 * A value of JavaScript as JSON, in the words in which Retcon imports it from Redux DevTools. Parts
 * that it shares with `was`, which is `seen` as JSON, are not looked at.
 */
function plain(value, cache = known, depth = 0, above = [], was = undefined, seen = undefined) {
  walked++;
  switch (typeof value) {
    case 'string': case 'boolean': return value;
    case 'number': case 'bigint': case 'symbol': return wordOf(value) ?? (value === 0 ? 0 : value);
    case 'function': return `[Function ${value.name}]`;
    case 'undefined': return null;
  }
  if (value === null) return null;
  if (cache.has(value)) return cache.get(value);
  if (above.includes(value)) return '[Circular]';
  if (depth > 500) return '[Too deep]';
  above.push(value);
  let size = 64;
  const hasSeen = isObject(seen) && isBare(was);
  const inner = (part, key) => {
    const old = hasSeen ? was[key] : undefined;
    const result = part === old && isObject(part) ? seen[key]
      : plain(part, cache, depth + 1, above, old, hasSeen ? seen[key] : undefined);
    size = within(LONGEST.state, size + sizeOf(result));
    return result;
  };
  let result;
  const form = Array.isArray(value) ? undefined : formOf(value);
  if (Array.isArray(value)) {
    result = Array.from(value, inner);
  } else if (form !== undefined) {
    result = inner(form);
  } else {
    result = {};
    for (const key of Object.keys(value)) {
      const part = value[key];
      if (part !== undefined) put(result, key, inner(part, key));
      size += key.length;
    }
  }
  above.pop();
  if (isObject(result)) result[SIZE] = size;
  cache.set(value, result);
  return result;
}

/** How long a value of JSON is, roughly in bytes. */
function sizeOf(value) {
  if (typeof value === 'string') return 64 + value.length;
  return isObject(value) ? value[SIZE] ?? 64 : 64;
}

function within(limit, size) {
  if (size <= limit) return size;
  throw new Refusal(limit === LONGEST.state
    ? 'the state is too large: more than 8 million values or 512 MB of text'
    : 'the step changes too much of the state: more than a million values or 64 MB of text');
}

const own = { enumerable: true, writable: true, configurable: true };

/** `__proto__` is a key like any other. */
function put(object, key, value) {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, ...own });
}

const has = (object, key) => Object.prototype.hasOwnProperty.call(object, key);
const isObject = (value) => typeof value === 'object' && value !== null;
const escaped = (key) => `/${escapedKey(key)}`;

/** RFC 6902 operations that lead from one value of JSON to another. */
function difference(from, to, place = '', operations = Object.assign([], { size: 0 })) {
  if (from === to) return operations;
  const add = (operation) => {
    const size = 192 + operation.path.length + ('value' in operation ? sizeOf(operation.value) : 0);
    operations.size = within(LONGEST.change, operations.size + size);
    operations.push(operation);
  };
  if (!isObject(from) || !isObject(to) || Array.isArray(from) !== Array.isArray(to)) {
    add({ op: 'replace', path: place, value: to });
  } else if (Array.isArray(from)) {
    const { at: first, gone, left, start, end } = shifted(from, to);
    const both = Math.min(left.length, to.length) - end;
    const path = (at) => `${place}/${at}`;
    for (let at = 0; at < gone; at++) add({ op: 'remove', path: path(first) });
    for (let at = start; at < both; at++) difference(left[at], to[at], path(at), operations);
    for (let at = left.length - end - 1; at >= both; at--) add({ op: 'remove', path: path(at) });
    for (let at = both; at < to.length - end; at++) {
      add({ op: 'add', path: path(at), value: to[at] });
    }
  } else {
    for (const key of Object.keys(from)) {
      if (from[key] !== to[key] && !has(to, key)) add({ op: 'remove', path: place + escaped(key) });
    }
    for (const key of Object.keys(to)) {
      const part = to[key];
      if (from[key] === part) continue;
      if (!has(from, key)) add({ op: 'add', path: place + escaped(key), value: part });
      else difference(from[key], part, place + escaped(key), operations);
    }
  }
  return operations;
}

/** The value with another one at a place; all other parts are the very same. */
function replaced(value, [key, ...rest], news) {
  if (key === undefined) return news;
  const isMap = value instanceof Map;
  const isThere = isObject(value) && (isMap ? value.has(key) : has(value, key));
  if (!isThere) throw new Error(`there is nothing at ${key}`);
  const copy = Array.isArray(value) ? value.slice() : isMap ? new Map(value)
    : Object.create(Object.getPrototypeOf(value), Object.getOwnPropertyDescriptors(value));
  const member = replaced(isMap ? value.get(key) : value[key], rest, news);
  if (isMap) copy.set(key, member);
  else put(copy, key, member);
  return copy;
}

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

/** What a copy is filled into; undefined for an object of a class. */
function emptyCopy(value) {
  if (Array.isArray(value)) return [];
  if (value instanceof Set) return new Set();
  if (value instanceof Map) return new Map();
  if (value instanceof Date) return new Date(value);
  const prototype = Object.getPrototypeOf(value);
  return [Object.prototype, null].includes(prototype) ? Object.create(prototype) : undefined;
}

/** What JavaScript says of an error: its name, its message, and where in the user's code. */
function stackLine(error) {
  if (error instanceof Refusal) return error.message;
  if (!(error instanceof Error)) return `the reducer threw ${JSON.stringify(plain(error))}`;
  const frames = String(error.stack ?? '').split('\n').map((line) => line.trim());
  const isUsers = (line) => !/retcon-(host|load)\.mjs|\(node:|at node:|<anonymous>\)/.test(line);
  const frame = frames.find((line) => /^at /.test(line) && isUsers(line));
  // Of what cannot be parsed, the place stands first.
  const isPlace = (line) => /^(file:|\/).*:\d+$/.test(line);
  const place = error instanceof SyntaxError && frames.find(isPlace);
  return `${error.name}: ${error.message}${place ? ` at ${place}` : frame ? ` ${frame}` : ''}`;
}

/** Whether JSON has the members of a value under the same keys. */
function isBare(value) {
  if (!isObject(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return [Object.prototype, Array.prototype, null].includes(prototype)
    && typeof value.toJSON !== 'function';
}

let unchecked = 0;

/** Whether plain() would say the same of it again. Where that is not clear at once, false. */
function isAsSeen(value, seen, depth = 0) {
  if (++walked > CHECKED || depth > 500) return false;
  if (!isObject(value)) return value === seen || plain(value) === seen;
  if (!isObject(seen)) return false;
  if (Array.isArray(value)) {
    return Array.isArray(seen) && value.length === seen.length
      && value.every((part, at) => isAsSeen(part, seen[at], depth + 1));
  }
  if (!isBare(value)) {
    return difference(seen, plain(value, new WeakMap())).length === 0;
  }
  let count = 0;
  for (const key of Object.keys(value)) {
    const part = value[key];
    if (part === undefined) continue;
    if (!isAsSeen(part, seen[key], depth + 1)) return false;
    count++;
  }
  return count === Object.keys(seen).length;
}

/**
 * One step: the state after it or why there is none, and where the reducer changed the one before
 * in place.
 */
function step(reducer, state, action, copies) {
  const seen = plain(state);
  const given = copies ? cloned(state) : state;
  const result = {};
  try {
    result.state = reducer(given, action);
    if (result.state === undefined) throw new Error('the reducer returned undefined');
    if (typeof result.state?.then === 'function') {
      throw new Error('the reducer returned a promise, and a reducer answers at once');
    }
  } catch (error) {
    result.error = stackLine(error);
    result.isOurs = error instanceof Refusal;
  }
  if (--unchecked >= 0) return result;
  walked = 0;
  if (isAsSeen(given, seen)) return result;
  walked = 0;
  const [change] = difference(seen, plain(given, new WeakMap()));
  unchecked = Math.floor(walked / CHECKED);
  // An element too many is a change of its list.
  const isReplaced = change?.op === 'replace';
  if (change) result.place = isReplaced ? change.path : change.path.replace(/\/\d+$/, '');
  return result;
}

/** The same on another day. */
function onDay(day, work) {
  const Real = Date;
  const now = () => Real.now() + day * 86_400_123;
  // A proxy has the real prototype, for instanceof, and may be called without new.
  globalThis.Date = Real.prototype.constructor = new Proxy(Real, {
    construct: (_, parts, target) => (
      Reflect.construct(Real, parts.length ? parts : [now()], target)),
    apply: () => new Real(now()).toString(),
    get: (_, name) => (name === 'now' ? now : Real[name]),
  });
  try { return work(); } finally { globalThis.Date = Real.prototype.constructor = Real; }
}

const states = new Map();

function reduce({ reducer, state: first }, { from, as, actions, copies, isTyped }) {
  if (from !== undefined && !states.has(from)) throw new Refusal(`there is no state ${from}`);
  const isFirst = from === undefined;
  let state = isFirst ? first : states.get(from);
  let before = isFirst ? null : plain(state);
  const answer = { patches: [] };
  let size = 0;
  for (const action of actions) {
    try {
      const { state: next, place, error, isOurs } = step(
        reducer, state, isTyped ? revived(action) : action, copies);
      if (place !== undefined && !copies) return { needs: 'copies' };
      const needsState = isFirst && first === undefined && !isOurs;
      const hint = needsState ? '. Export initialState beside it, or give --state FILE' : '';
      if (error !== undefined) return { ...answer, error: error + hint };
      if (place !== undefined) (answer.changed ??= [])[answer.patches.length] = place;
      const after = plain(next, known, 0, [], state, before);
      const patch = difference(before, after);
      answer.patches.push(patch);
      states.set(as++, next);
      [state, before, size] = [next, after, size + patch.size];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { ...answer, error: error.message };
    }
    if (size > LONGEST.answer) break; // the rest is asked for again
  }
  return answer;
}

/** Whatever the user's code prints goes to standard error. */
function quiet() {
  const [writeSync, write] = [fs.writeSync, fs.write];
  fs.writeSync = (file, ...rest) => writeSync(file === 1 ? 2 : file, ...rest);
  fs.write = (file, ...rest) => write(file === 1 ? 2 : file, ...rest);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  syncBuiltinESMExports();
  process.on('uncaughtException', (error) => console.error(stackLine(error)));
  process.on('unhandledRejection', (error) => console.error(stackLine(error)));
}

const OPTIONS = ['--state', '--setup', '--make', '--mode', '--with', '--whole', '--rules'];
const [target, ...words] = process.argv.slice(2);
const options = {};
for (let at = 0; at < words.length; at += 2) options[words[at].slice(2)] = words[at + 1];
const isWrong = words.some((word, at) => at % 2 === 0 && !OPTIONS.includes(word));
const isOld = parseInt(process.versions.node, 10) < 18;
if (isOld || !target || isWrong || words.length % 2) {
  console.error(isOld
    ? `this host needs node 18 or newer, and this is node ${process.versions.node}`
    : `usage: node retcon-host.mjs REDUCER[#NAME] [${OPTIONS.join('|')} VALUE …]`);
  process.exit(2);
}
const [, file, name] = fs.existsSync(target) ? [0, target] : /^(.*?)(?:#(.*))?$/s.exec(target);
const write = process.stdout.write.bind(process.stdout);
quiet();
const held = options.whole && !options.state ? worldIn(options.whole) : undefined;
const world = options.with === undefined ? held : undefined;
const ofReducer = held && !world
  ? ['The app’s middleware does not run again in forks: --with vite runs only the reducer'] : [];
const rules = options.rules && rulesIn(target, options, stackLine)
  .then((module) => new Rules(module, { plain, stackLine }));
rules?.catch(() => {});
// Overlaps with the greeting.
const loading = rules ? Promise.resolve({}) : opened(target, { ...options, world }, stackLine);
if (!rules) loading.then(reducing, () => {});
const tried = ({ again }) => Whole.tried(options.whole, again, { plain, difference, stackLine });
const app = world ? loading.then(tried, () => ({})) : Promise.resolve({ notes: ofReducer });
const NO_BODY = { failed: 'it has no such effect' };
const requests = {
  greet: async () => {
    const isRun = Boolean((await app).whole);
    return {
      answer: 'greeting', version: [2, 3], name: path.basename(file) + (name ? `#${name}` : ''),
      thin: true, hasState: Boolean(options.state),
      ...(isRun ? { reads: true, effects: true, bodies: true, whole: true } : {}),
    };
  },
  reduce: async (request) => {
    const user = await loading;
    const { whole, notes = [] } = await app;
    user.notes.push(...notes.splice(0));
    const { files, actions } = user;
    const about = request.from === undefined ? { notes: user.notes, files, actions } : {};
    if (whole) return { ...await whole.reduce(states, request), ...about };
    if (request.day) return onDay(request.day, () => reduce(user, request));
    return { ...reduce(user, request), ...about };
  },
  put: async ({ as, state, from, patch = [] }) => {
    await loading;
    const { whole } = await app;
    const node = whole ? states.get(from) ?? await whole.start() : undefined;
    if (from !== undefined && state === undefined) state = node ? node.state : states.get(from);
    for (const { op, path: place, value } of patch) {
      if (op !== 'replace') throw new Refusal(`this host makes no “${op}”`);
      state = replaced(state, keysOf(place), value);
    }
    states.set(as, node ? whole.put(node, state) : state);
  },
  state: async ({ of }) => {
    const known = states.get(of);
    return { state: plain((await app).whole ? known.state : known) };
  },
  rules: async () => ({ exports: (await rules).exports }),
  judge: async (request) => (await rules).judge(request),
  resume: async (request) => (await app).whole?.resumed(request) ?? NO_BODY,
};

async function hear(request) {
  if (request.ask === 'quit') process.exit(0);
  if (request.ask === 'forget') {
    const kept = rules ? (await rules).tracks : states;
    return request.states.forEach((number) => kept.delete(number));
  }
  let content;
  try {
    if (!has(requests, request.ask)) {
      throw new Refusal(`this host does not know “${request.ask}”`);
    }
    content = await requests[request.ask](request);
  } catch (error) {
    content = { error: stackLine(error) };
  }
  write(`${JSON.stringify({ id: request.id, ...content })}\n`);
}

let rest = '';
let turn = Promise.resolve();
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text) => {
  const lines = (rest + text).split('\n');
  rest = lines.pop();
  // One after another, because an app that runs whole is idle only later.
  for (const line of lines.filter((each) => each.trim())) {
    const request = JSON.parse(line);
    request.isTyped = line.includes('"retcon:'); // dates, sets and maps
    turn = turn.then(() => hear(request));
  }
});
process.stdin.on('end', () => process.exit(0));
