#!/usr/bin/env node
// Serves a Redux reducer to Retcon: node retcon-host.mjs REDUCER[#NAME] [--state FILE]
//
// REDUCER is a .js, .mjs or .cjs file (.ts where this node strips types). Its default export, or the
// one named behind #, is a reducer, a store made by Redux, a slice, or an object of reducers to
// combine. An export named preloadedState or initialState, or the JSON in --state, is the first state
// of a session that brings none. Needs node 18 and no packages. The talk is described in docs/protocol.md.
//
// The reducer runs in a worker, so that the process answers whatever the reducer does, and so that
// what it prints goes to standard error.
import fs from 'node:fs';
import path from 'node:path';
import Module, { createRequire, syncBuiltinESMExports } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const VERSION = [2, 1];
const KEPT = 256; // states that are kept of a line of steps
const CHECKED = 100_000; // values that are looked through after each step, for changes in place
const INTERRUPTED = 'Interrupted by an error up the chain';
const SET = 'state set by hand';
const RANKS = ['recorded', 'edited', 'assumed'];

class Refusal extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}
class BranchEnd extends Error {} // the branch ends with the step that this was thrown in
class Restart extends Error {} // from here on the reducer gets copies

// Values

/** A value of JavaScript as JSON, in the words in which Retcon imports it from Redux DevTools. */
export function plain(value, cache = new WeakMap(), depth = 0, above = []) {
  switch (typeof value) {
    case 'string': case 'boolean': return value;
    case 'number': return Number.isFinite(value) ? (value === 0 ? 0 : value) : String(value);
    case 'bigint': return `${value}n`;
    case 'symbol': return `Symbol(${value.description ?? ''})`;
    case 'function': return `[Function ${value.name}]`;
    case 'undefined': return null;
  }
  if (value === null) return null;
  if (cache.has(value)) return cache.get(value);
  if (above.includes(value)) return '[Circular]';
  if (depth > 500) return '[Too deep]';
  above.push(value);
  const inner = (part) => plain(part, cache, depth + 1, above);
  let result;
  if (Array.isArray(value)) result = Array.from(value, inner);
  else if (value instanceof Date) result = Number.isNaN(+value) ? 'Invalid Date' : value.toISOString();
  else if (value instanceof RegExp) result = `/${value.source}/${value.flags}`;
  else if (value instanceof Error) result = `Error: ${value.message}`;
  else if (value instanceof Set || ArrayBuffer.isView(value)) result = Array.from(value, inner);
  else if (value instanceof Map) {
    const entries = [...value].map(([key, member]) => [inner(key), inner(member)]);
    const isObject = [...value.keys()].every((key) => typeof key === 'string');
    result = isObject ? Object.fromEntries(entries) : entries;
  } else if (typeof value.toJSON === 'function') result = inner(value.toJSON());
  else {
    result = {};
    for (const key of Object.keys(value)) {
      if (value[key] !== undefined) put(result, key, inner(value[key]));
    }
  }
  above.pop();
  cache.set(value, result);
  return result;
}

/** `__proto__` is a key like any other. */
function put(object, key, value) {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}

const has = (object, key) => Object.prototype.hasOwnProperty.call(object, key);
const isObject = (value) => typeof value === 'object' && value !== null;

export function same(one, other) {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  if (Array.isArray(one)) {
    return one.length === other.length && one.every((element, index) => same(element, other[index]));
  }
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => has(other, key) && same(one[key], other[key]))
  );
}

const escaped = (key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** RFC 6902 operations that lead from one value to another. */
export function difference(from, to, place = '', operations = []) {
  if (same(from, to)) return operations;
  if (!isObject(from) || !isObject(to) || Array.isArray(from) !== Array.isArray(to)) {
    operations.push({ op: 'replace', path: place, value: to });
  } else if (Array.isArray(from)) {
    let start = 0;
    let ends = 0;
    const shortest = Math.min(from.length, to.length);
    while (start < shortest && same(from[start], to[start])) start++;
    while (ends < shortest - start && same(from.at(-1 - ends), to.at(-1 - ends))) ends++;
    const gone = from.length - ends - start;
    const come = to.length - ends - start;
    const both = Math.min(gone, come);
    for (let at = start; at < start + both; at++) {
      difference(from[at], to[at], `${place}/${at}`, operations);
    }
    for (let at = start + gone - 1; at >= start + both; at--) {
      operations.push({ op: 'remove', path: `${place}/${at}` });
    }
    for (let at = start + both; at < start + come; at++) {
      operations.push({ op: 'add', path: `${place}/${at}`, value: to[at] });
    }
  } else {
    for (const key of Object.keys(from)) {
      if (!has(to, key)) operations.push({ op: 'remove', path: place + escaped(key) });
    }
    for (const key of Object.keys(to)) {
      if (has(from, key)) difference(from[key], to[key], place + escaped(key), operations);
      else operations.push({ op: 'add', path: place + escaped(key), value: to[key] });
    }
  }
  return operations;
}

function tokens(pointer) {
  if (pointer !== '' && !pointer.startsWith('/')) throw new Error(`${pointer} is no pointer`);
  return pointer.split('/').slice(1).map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A copy of one level, with what it holds. */
function copied(value) {
  if (Array.isArray(value)) return value.slice();
  if (value instanceof Map) return new Map(value);
  return Object.create(Object.getPrototypeOf(value), Object.getOwnPropertyDescriptors(value));
}

/** The value with a change at a place; all other parts are the very same. */
function changed(value, parts, change, depth = 0) {
  if (depth === parts.length) return change({ exists: true, value }).value;
  const key = parts[depth];
  const isMap = value instanceof Map;
  const isList = Array.isArray(value);
  if (!isObject(value)) throw new Error(`there is nothing at /${parts.join('/')}`);
  const at = isList ? (key === '-' ? value.length : Number(key)) : key;
  const exists = isMap ? value.has(key) : isList ? at in value : has(value, key);
  const isLast = depth === parts.length - 1;
  if (!exists && !isLast) throw new Error(`there is nothing at /${parts.join('/')}`);
  const old = isMap ? value.get(key) : value[at];
  const result = copied(value);
  if (!isLast) {
    const member = changed(old, parts, change, depth + 1);
    if (isMap) result.set(key, member);
    else put(result, at, member);
    return result;
  }
  const news = change({ exists, value: old, inserts: isList });
  if (isList && news.inserts) result.splice(at, 0, news.value);
  else if (isList && news.removes) result.splice(at, 1);
  else if (isMap && news.removes) result.delete(key);
  else if (news.removes) delete result[key];
  else if (isMap) result.set(key, news.value);
  else put(result, at, news.value);
  return result;
}

export function patched(value, operations) {
  for (const { op, path: place, from, value: news } of operations) {
    const taken = (pointer) => tokens(pointer).reduce((part, key) => part[key], value);
    const add = (member) => (value = changed(value, tokens(place), ({ inserts }) => ({ value: member, inserts })));
    const remove = (pointer) => (value = changed(value, tokens(pointer), () => ({ removes: true })));
    if (op === 'add') add(news);
    else if (op === 'remove') remove(place);
    else if (op === 'replace') value = changed(value, tokens(place), () => ({ value: news }));
    else if (op === 'copy') add(taken(from));
    else if (op === 'move') {
      const member = taken(from);
      remove(from);
      add(member);
    }
  }
  return value;
}

/** A copy that shares nothing that can be changed. */
function cloned(value, seen = new Map()) {
  if (!isObject(value)) return value;
  if (seen.has(value)) return seen.get(value);
  let result = value;
  if (value instanceof Date) result = new Date(value);
  else if (value instanceof Set) {
    seen.set(value, (result = new Set()));
    for (const member of value) result.add(cloned(member, seen));
  } else if (value instanceof Map) {
    seen.set(value, (result = new Map()));
    for (const [key, member] of value) result.set(cloned(key, seen), cloned(member, seen));
  } else if (Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value))) {
    seen.set(value, (result = Array.isArray(value) ? [] : Object.create(Object.getPrototypeOf(value))));
    for (const key of Object.keys(value)) put(result, key, cloned(value[key], seen));
  }
  return result;
}

/** Where a value is not any more what was seen of it. */
function changedAt(live, seen, count, place = '') {
  if (live === seen) return undefined;
  count.values++;
  if (Array.isArray(live) && Array.isArray(seen)) {
    if (live.length !== seen.length) return place;
    for (let index = 0; index < live.length; index++) {
      const found = changedAt(live[index], seen[index], count, `${place}/${index}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (isObject(live) && Object.getPrototypeOf(live) === Object.prototype && !live.toJSON) {
    if (!isObject(seen)) return seen === '[Circular]' || seen === '[Too deep]' ? undefined : place;
    for (const key of Object.keys(live)) {
      if (live[key] === undefined) continue;
      if (!has(seen, key)) return place + escaped(key);
      const found = changedAt(live[key], seen[key], count, place + escaped(key));
      if (found !== undefined) return found;
    }
    for (const key of Object.keys(seen)) if (live[key] === undefined) return place + escaped(key);
    return undefined;
  }
  return same(plain(live), seen) ? undefined : place;
}

// Sessions

class Session {
  constructor(file) {
    let bytes;
    try {
      bytes = fs.readFileSync(file);
    } catch (error) {
      throw new Refusal('unreadable', `${file} cannot be read (${error.code ?? error.message})`);
    }
    this.bytes = bytes;
    this.places = [];
    let start = 0;
    while (start < bytes.length) {
      const found = bytes.indexOf(10, start);
      const end = found < 0 ? bytes.length : found;
      this.note(start, end, found < 0, file);
      start = end + 1;
    }
    if (!this.header) throw new Refusal('unreadable', `${file} is empty`);
    this.last = this.first + this.places.length;
    this.knowsCauses = this.header.causes !== 'unknown';
  }

  note(start, end, isTorn, file) {
    if (!this.header) {
      try {
        this.header = JSON.parse(this.bytes.toString('utf8', start, end));
      } catch {}
      if (typeof this.header?.retcon !== 'string') {
        throw new Refusal('unreadable', `${file} is no session file: its first line is no header`);
      }
      if (parseInt(this.header.retcon, 10) !== 1) {
        throw new Refusal('unreadable', `${file} has format ${this.header.retcon}, and this host reads format 1`);
      }
      this.first = this.header.first ?? 0;
      return;
    }
    const number = /^\{"step":(\d+)[,}]/.exec(this.bytes.toString('latin1', start, Math.min(end, start + 64)));
    const at = Number(number?.[1]) - this.first - 1;
    if (!number || at < this.places.length || at > this.places.length + 65_536) return;
    if (isTorn && !this.parsed([start, end])) return;
    while (this.places.length < at) this.places.push(undefined);
    this.places.push([start, end]);
  }

  parsed(place) {
    try {
      return place && JSON.parse(this.bytes.toString('utf8', ...place));
    } catch {
      return undefined;
    }
  }

  /** The part of the state that the user of a fork set in a step; undefined where none was set. */
  setIn(line) {
    const { retcon, origin } = this.header;
    // In format 1.0 Retcon's own files said so by the label alone.
    const isOld = retcon === '1.0' && /^(trim$|branch )/.test(origin?.format) && line.label === SET;
    const part = line.set ?? (isOld ? line.action : undefined);
    return typeof part?.pointer === 'string' && has(part, 'value') ? part : undefined;
  }

  /** The line of a step; undefined where it is missing or damaged. */
  line(number) {
    return this.parsed(this.places[number - this.first - 1]);
  }
}

/** A bounded number of values by their steps, evenly spread. */
class Kept {
  values = new Map();
  every = 1;

  add(number, value) {
    if (number % this.every) return;
    this.values.set(number, value);
    while (this.values.size > KEPT) {
      this.every *= 2;
      for (const key of this.values.keys()) if (key % this.every) this.values.delete(key);
    }
  }

  last(number) {
    let best = -1;
    for (const key of this.values.keys()) if (key <= number && key > best) best = key;
    return best < 0 ? undefined : [best, this.values.get(best)];
  }
}

/** The steps of the recording. */
class Recording {
  script = null;
  kept = new Kept();
  states = new Kept();
  cursor = null;

  constructor(session) {
    this.session = session;
    this.first = session.first;
    this.last = session.last;
  }

  entry(number) {
    const line = this.session.line(number);
    if (!line) return undefined;
    const entry = { label: line.label ?? labelOf(line.action), action: line.action, cause: line.cause ?? 'user' };
    if (line.time !== undefined) entry.time = line.time;
    if (line.skipped) entry.skipped = true;
    if (line.error !== undefined) entry.error = line.error;
    entry.values = line.standing?.[0] ?? 'recorded';
    if (entry.cause === 'user') entry.set = this.session.setIn(line);
    return { ...entry, number, descendsFrom: number, remarks: [] };
  }

  /** The recorded state after a step; undefined where there is none. */
  known(number) {
    const { session } = this;
    let at = this.states.last(number) ?? [this.first, { base: session.header.state, isTold: has(session.header, 'state') }];
    if (this.cursor && this.cursor[0] <= number && this.cursor[0] >= at[0]) at = this.cursor;
    let [step, state] = at;
    while (step < number) {
      step++;
      const line = session.line(step);
      if (!line) state = { isTold: false };
      else if (has(line, 'state')) state = { base: line.state, isTold: true };
      else if (line.patch && state.base !== undefined) state = { base: patched(state.base, line.patch), isTold: true };
      else state = { base: state.base, isTold: false };
      this.states.add(step, state);
    }
    this.cursor = [step, state];
    return state.isTold ? state.base : undefined;
  }

  /** Equal parts become the very same, so that comparing the next states costs what changed. */
  share(number, value) {
    if (this.cursor?.[0] === number) this.cursor[1] = { base: value, isTold: true };
  }
}

const labelOf = (action) =>
  typeof action?.type === 'string' || typeof action?.type === 'number' ? String(action.type) : '(no type)';

/** The steps of a branch: which actions it runs follows from its script alone. */
class Fork {
  kept = new Kept();
  entries = [];
  leftOut = [];
  remarks = [];
  doubt = 'recorded';

  constructor(parent, script, knowsCauses) {
    Object.assign(this, { parent, script, knowsCauses, first: parent.first });
    const { leavesAt, edits = [], rest } = script;
    this.leavesAt = leavesAt;
    this.checkPlace('leaves at', leavesAt, parent.first);
    this.skipped = new Set();
    this.replaced = new Map();
    this.moved = new Map();
    this.later = new Map();
    for (const edit of edits) this.sort(edit);
    this.clock = parent.first === leavesAt ? undefined : parent.entry(leavesAt)?.time;
    this.isEdited = false;
    if (rest === 'nothing') {
      for (const place of [...this.later.keys()].sort((one, other) => one - other)) this.come(place);
    } else {
      this.come(leavesAt);
      for (let number = leavesAt + 1; number <= parent.last; number++) {
        if (!this.moved.has(number)) this.follow(number);
        else this.isEdited = true;
        this.come(number);
      }
    }
    this.last = leavesAt + this.entries.length;
  }

  checkPlace(words, number, first) {
    if (!Number.isInteger(number) || number < first || number > this.parent.last) {
      throw new Refusal('noSuchStep', `an edit ${words} step ${number}, and the branch it leaves has the steps ${first} to ${this.parent.last}`);
    }
  }

  sort(edit) {
    if (has(edit, 'step')) this.checkPlace('is about', edit.step, edit.edit === 'set' ? this.leavesAt : this.leavesAt + 1);
    if (has(edit, 'after')) this.checkPlace('comes after', edit.after, this.leavesAt);
    const comes = (after, what) => this.later.set(after, [...(this.later.get(after) ?? []), what]);
    if (edit.edit === 'skip') this.skipped.add(edit.step);
    else if (edit.edit === 'replace') this.replaced.set(edit.step, edit.action);
    else if (edit.edit === 'insert') comes(edit.after, edit);
    else if (edit.edit === 'set') comes(edit.step, edit);
    else if (edit.edit === 'move') {
      for (const [place, list] of this.later) {
        this.later.set(place, list.filter((other) => other.edit !== 'move' || other.step !== edit.step));
      }
      this.moved.set(edit.step, edit.after);
      comes(edit.after, edit);
    } else if (edit.edit === 'read') this.remarks.push(`the read “${edit.key}” of step ${edit.step} was not changed: this host sees no reads`);
    else if (edit.edit === 'answer') this.remarks.push(`the answer for effect ${edit.effect} was not used: this host sees no effects`);
    else throw new Refusal('unknownRequest', `the edit “${edit.edit}” is not known`);
  }

  come(place) {
    for (const edit of this.later.get(place) ?? []) {
      if (edit.edit === 'move') {
        this.isEdited = true;
        this.follow(edit.step);
        continue;
      }
      const set = edit.edit === 'set' ? { pointer: edit.pointer, value: edit.value } : undefined;
      const action = set ?? edit.action;
      this.add({ label: set ? SET : labelOf(action), action, set, cause: 'user', values: 'edited',
        remarks: set ? [`${set.pointer || 'the state'} was set by hand`] : [] });
      this.isEdited = true;
      if (set) this.raise('edited');
    }
  }

  raise(values) {
    if (RANKS.indexOf(values) > RANKS.indexOf(this.doubt)) this.doubt = values;
  }

  follow(number) {
    const entry = this.parent.entry(number);
    if (this.skipped.has(number)) {
      this.leftOut.push({ step: number, label: entry?.label ?? '?', reason: 'it was skipped' });
      this.isEdited = true;
      return;
    }
    if (!entry) {
      this.add({ label: '?', action: null, cause: 'user', values: 'recorded', remarks: [], isMissing: true });
      return;
    }
    const remarks = entry.skipped ? ['it was skipped when it was recorded'] : [];
    const told = { ...entry, descendsFrom: number, remarks };
    if (this.replaced.has(number)) {
      const action = this.replaced.get(number);
      Object.assign(told, { action, label: labelOf(action), values: 'edited', isEdited: true, set: undefined, remarks: [] });
      delete told.skipped;
      delete told.error;
      this.isEdited = true;
    } else if (this.isEdited && !this.knowsCauses) {
      told.values = 'assumed';
      told.remarks.push('the file does not tell who sent it: after an edit nobody knows whether it was still sent');
    }
    this.add(told);
    if (told.values === 'assumed') this.raise('assumed');
  }

  add(entry) {
    const time = entry.time ?? this.clock;
    if (time !== undefined) this.clock = entry.time = Math.max(time, this.clock ?? time);
    if (RANKS.indexOf(entry.values) < RANKS.indexOf(this.doubt)) entry.values = this.doubt;
    this.entries.push({ ...entry, number: this.leavesAt + this.entries.length + 1 });
  }

  entry(number) {
    return number <= this.leavesAt ? this.parent.entry(number) : this.entries[number - this.leavesAt - 1];
  }

  /** It ended before this step. */
  cut(number) {
    this.entries.length = Math.max(0, number - this.leavesAt - 1);
    this.last = this.leavesAt + this.entries.length;
  }
}

// Running

/** What JavaScript says of an error: its name, its message, and where in the user's code. */
export function stackLine(error) {
  if (!(error instanceof Error)) return `the reducer threw ${JSON.stringify(plain(error))}`;
  const frames = String(error.stack ?? '').split('\n').map((line) => line.trim());
  const frame = frames.find((line) => /^at /.test(line) && !line.includes(import.meta.url) && !/\(node:|at node:/.test(line));
  // Of what cannot be parsed, the place stands first.
  const place = error instanceof SyntaxError && frames.find((line) => /^(file:|\/).*:\d+$/.test(line));
  return `${error.name}: ${error.message}${place ? ` at ${place}` : frame ? ` ${frame}` : ''}`;
}

export class Engine {
  forks = new Map();
  cache = new WeakMap();
  isIsolating = false;
  unchecked = 0;
  toldUpTo = 0;

  /** `control` is told of each step and how far the work is, and may cancel it. */
  constructor(reducer, control = { step() {}, progress() {}, isCancelled: () => false }) {
    this.reducer = reducer;
    this.control = control;
  }

  load(file, user) {
    this.forks.clear();
    this.isIsolating = false;
    this.cache = new WeakMap();
    const session = new Session(file);
    this.main = new Recording(session);
    const report = { answer: 'loaded', steps: session.last - session.first, grade: 'fine' };
    if (session.header.can !== undefined && session.header.can !== 'replay') {
      const problem = `the log says: ${session.header.because ?? 'it is for browsing only'}`;
      this.main = undefined;
      return { ...report, grade: 'impossible', findings: [{ step: session.first, type: '', path: '', problem }] };
    }
    const missing = session.places.findIndex((place) => !place);
    if (missing >= 0) {
      report.grade = 'risky';
      report.findings = [{ step: session.first + missing + 1, type: '', path: '', problem: 'the log is damaged here' }];
    }
    const state = this.begin(session, user);
    this.firstCopy = cloned(state);
    this.main.start = { state };
    return report;
  }

  /** The first state: the session's, else the file's, else what the reducer makes of nothing. */
  begin({ header }, { state: firstState, isGiven } = {}) {
    const { reducer } = this;
    const initialized = (state) => {
      try {
        return this.checked(reducer(state, { type: '@@INIT' }));
      } catch (error) {
        const hint = state === undefined ? '. Export initialState beside it, or give --state FILE' : '';
        throw new Refusal('undecodable', `the reducer gives no first state: ${stackLine(error)}${hint}`);
      }
    };
    if (!has(header, 'state')) return initialized(firstState);
    // One whose states were computed has the one that is given already.
    if (isGiven && !header.origin?.states) {
      throw new Refusal('other', 'the session brings its own first state: leave out --state');
    }
    // What an app starts with has gone through the reducer once, which fills in what is missing.
    if (header.states === 'first') return initialized(header.state);
    try {
      const own = initialized(undefined);
      // Then it is had with all that JSON has no words for.
      if (same(plain(own), header.state)) return own;
    } catch {}
    return header.state;
  }

  checked(state) {
    if (state === undefined) throw new Error('the reducer returned undefined');
    if (typeof state?.then === 'function') throw new Error('the reducer returned a promise, and a reducer answers at once');
    return state;
  }

  /** One step: the state after it, and where the reducer changed the one before in place. */
  reduce(state, action) {
    const seen = plain(state, this.cache);
    const given = this.isIsolating ? cloned(state) : state;
    const { reducer } = this; // called as a plain function, as a store does
    let next;
    let failure;
    try {
      next = this.checked(reducer(given, action));
    } catch (error) {
      failure = error;
    }
    let place;
    if (this.unchecked <= 0) {
      const count = { values: 0 };
      place = changedAt(given, seen, count);
      this.unchecked = Math.floor(count.values / CHECKED);
    } else this.unchecked--;
    if (place !== undefined && !this.isIsolating) throw new Restart();
    if (failure !== undefined) throw failure;
    return { state: next, place };
  }

  /** The moment after the next step: its state, and whether an error up the chain interrupts it. */
  advance(before, entry) {
    this.control.step(entry.number);
    if (this.control.isCancelled()) throw new Refusal('cancelled', 'the request was cancelled');
    if (entry.isMissing) throw new BranchEnd('the session does not tell this step');
    const { state } = before;
    if (before.isBroken) return { state, isBroken: true, error: INTERRUPTED };
    if (entry.skipped) return { state };
    if (entry.set) return { state: this.set(state, entry) };
    try {
      return this.reduce(state, JSON.parse(JSON.stringify(entry.action)));
    } catch (error) {
      if (error instanceof Restart) throw error;
      const words = stackLine(error);
      // As it was recorded: Redux DevTools goes on with the state before.
      if (entry.error !== undefined && entry.error !== INTERRUPTED) return { state, isBroken: true, error: words };
      throw new BranchEnd(words, { cause: 'crashed' });
    }
  }

  set(state, { number, set: { pointer, value } }) {
    try {
      return changed(state, tokens(pointer), ({ exists }) => {
        if (!exists) throw new Error(`there is nothing at ${pointer}`);
        return { value };
      });
    } catch (error) {
      throw new Refusal('other', `step ${number} cannot set a part of the state: ${error.message}`);
    }
  }

  /** What happened just after a step of a line, from the nearest state that is kept. */
  moment(line, number) {
    if (line.script && number < line.leavesAt) return this.moment(line.parent, number);
    let at = line.kept.last(number) ?? (line.script ? [line.leavesAt, this.start(line)] : [line.first, line.start]);
    if (line.near && line.near[0] <= number && line.near[0] > at[0]) at = line.near;
    let [step, moment] = at;
    line.near = at;
    while (step < number) {
      step++;
      moment = this.advance(moment, line.entry(step) ?? { number: step, isMissing: true });
      this.keep(line, step, moment);
    }
    return moment;
  }

  keep(line, number, moment) {
    line.kept.add(number, moment);
    line.near = [number, moment];
  }

  /** What a fork starts from: the recorded state where the re-run comes to another one. */
  start(fork) {
    if (fork.start) return fork.start;
    const known = this.known(fork.parent, fork.leavesAt);
    try {
      fork.start = this.moment(fork.parent, fork.leavesAt);
    } catch (error) {
      if (!(error instanceof BranchEnd) || known === undefined) throw error;
    }
    if (known !== undefined && !same(fork.start && plain(fork.start.state, this.cache), known)) {
      fork.start = { state: JSON.parse(JSON.stringify(known)) };
      fork.remarks.push(`run again, the recording does not come to the state of step ${fork.leavesAt}: the branch starts from the recorded one`);
    }
    return fork.start;
  }

  known(line, number) {
    if (!line.script) return line.known(number);
    if (number <= line.leavesAt) return this.known(line.parent, number);
    return number <= line.last ? plain(this.moment(line, number).state, this.cache) : undefined;
  }

  line(branch, isWhole = true) {
    if (!this.main) throw new Refusal('noSession', 'no session is loaded that can be run again');
    let line = this.main;
    branch.forEach(({ script }, index) => {
      const key = JSON.stringify(branch.slice(0, index + 1).map((named) => named.script));
      let fork = this.forks.get(key);
      if (!fork) {
        fork = new Fork(line, script, this.main.session.knowsCauses);
        this.forks.set(key, fork);
        if (this.forks.size > 8) this.forks.delete(this.forks.keys().next().value);
      }
      line = fork;
      // A branch that leaves it cannot leave where it never came.
      if ((isWhole || index < branch.length - 1) && !fork.isRun) this.walk(fork, {});
    });
    return line;
  }

  /** Runs a line to its end, or as far as it is wanted; `onStep` is called for steps from `from` on. */
  walk(line, { from = Infinity, until = Infinity, onStep }) {
    const start = line.script ? line.leavesAt : line.first;
    const first = Math.max(from, start + 1);
    const ends = Math.min(line.last, until);
    const report = { lastStep: start, ending: 'complete' };
    let number = Math.min(first - 1, ends);
    try {
      let moment = this.moment(line, number);
      // The debugger knows the recorded state there, and applies the first patch to it.
      const parent = line.script ? line.parent : line;
      let shown = number === start || !line.script ? this.known(parent, number) : undefined;
      if (shown === undefined) shown = plain(moment.state, this.cache);
      report.lastStep = number;
      while (++number <= ends) {
        const entry = line.entry(number) ?? { number, isMissing: true };
        const next = this.advance(moment, entry);
        this.keep(line, number, next);
        const after = plain(next.state, this.cache);
        onStep?.({ entry, next, after, parent, shown });
        shown = after;
        moment = next;
        report.lastStep = number;
        if (number % 256 === 0) this.control.progress(number - start, line.last - start);
      }
    } catch (error) {
      if (!(error instanceof BranchEnd)) throw error;
      // A step before those that are told ended it.
      const ended = (line.near?.[0] ?? start) + 1;
      report.lastStep = ended - 1;
      Object.assign(report, { ending: error.cause === 'crashed' ? 'crashed' : 'undecodable', endingStep: ended, reason: error.message });
      if (line.script) line.cut(ended);
    }
    if (until >= line.last) line.isRun = true;
    return report;
  }

  run({ branch = [], from, until }, tell) {
    const line = this.line(branch, false);
    const report = this.walk(line, {
      from, until,
      onStep: from === undefined ? undefined : ({ entry, next, after, parent, shown }) => {
        const recorded = entry.descendsFrom === undefined ? undefined : this.known(parent, entry.descendsFrom);
        const isEqual = recorded !== undefined && same(after, recorded);
        if (isEqual && !line.script) line.share(entry.number, after);
        const told = {
          step: entry.number, time: entry.time, label: entry.label, action: entry.action, cause: entry.cause,
          set: entry.set, skipped: entry.skipped, error: next.error,
          standing: [entry.values, entry.set || recorded === undefined ? 'new' : isEqual ? 'equal' : 'different'],
          patch: difference(shown, after), descendsFrom: entry.descendsFrom, remarks: [...entry.remarks],
        };
        if (next.place !== undefined) told.remarks.push(`the reducer changes the state that it is given in place, at ${next.place || 'its root'}: it was given a copy`);
        tell(told);
      },
    });
    if (line.script) {
      report.leftOut = line.leftOut;
      report.remarks = [...line.remarks];
    }
    if (this.isIsolating) {
      report.remarks = [...(report.remarks ?? []), 'the reducer changes the state that it is given in place: each step was given a copy'];
    }
    return { answer: 'ran', report };
  }

  state({ branch = [], step }) {
    const line = this.line(branch);
    if (!Number.isInteger(step) || step < line.first || step > line.last) {
      throw new Refusal('noSuchStep', `there is no step ${step}, the steps are ${line.first} to ${line.last}`);
    }
    try {
      return { answer: 'state', state: plain(this.moment(line, step).state, this.cache) };
    } catch (error) {
      if (error instanceof BranchEnd) throw new Refusal('other', `the branch ends before step ${step}: ${error.message}`);
      throw error;
    }
  }

  verify({ options = {} }) {
    const line = this.line([]);
    const { limit = 1, checksDeterminism = true } = options;
    const report = { steps: 0, divergences: [] };
    let moment = line.start;
    const steps = new Set();
    const find = (entry, kind, more) => {
      steps.add(entry.number);
      report.divergences.push({ step: entry.number, label: entry.label, kind, cause: line.session.knowsCauses ? entry.cause : undefined, ...more });
    };
    for (let number = line.first + 1; number <= line.last; number++) {
      const entry = line.entry(number) ?? { number, label: '?', isMissing: true };
      let next;
      try {
        next = this.advance(moment, entry);
      } catch (error) {
        if (!(error instanceof BranchEnd)) throw error;
        find(entry, error.cause === 'crashed' ? 'crash' : 'missing step', { hint: error.message });
        report.partial = true;
        break;
      }
      if (next.place !== undefined) {
        report.remarks ??= [`the reducer changes the state that it is given in place, first at step ${number}, at ${next.place || 'its root'}: it was given a copy`];
      }
      const after = plain(next.state, this.cache);
      if (checksDeterminism && !entry.skipped && !entry.set && !next.error) {
        const again = this.again(moment.state, entry);
        const found = difference(after, again)[0];
        if (found) find(entry, 'nondeterministic', { path: found.path, recorded: at(after, found.path), rerun: at(again, found.path), hint: 'a date, an id or a random number may be read inside the reducer' });
      }
      const recorded = line.known(number);
      if (recorded !== undefined && !same(after, recorded)) {
        for (const { path: place } of difference(recorded, after).slice(0, 20)) {
          find(entry, 'different state', { path: place, recorded: at(recorded, place), rerun: at(after, place) });
        }
        // So that every finding is one of its own step.
        next = { ...next, state: JSON.parse(JSON.stringify(recorded)) };
      } else if (recorded !== undefined) line.share(number, after);
      moment = next;
      report.steps++;
      if (number % 256 === 0) this.control.progress(number - line.first, line.last - line.first);
      if (steps.size >= limit) {
        if (number < line.last) report.partial = true;
        break;
      }
    }
    return { answer: 'verified', report };
  }

  /** The same step once more, on another day. */
  again(state, entry) {
    const Real = Date;
    const now = () => Real.now() + 86_400_123;
    globalThis.Date = class Date extends Real {
      constructor(...parts) {
        super(...(parts.length ? parts : [now()]));
      }
      static now() {
        return now();
      }
    };
    try {
      return plain(this.reduce(state, JSON.parse(JSON.stringify(entry.action))).state);
    } catch (error) {
      if (error instanceof Restart) throw error;
      return stackLine(error);
    } finally {
      globalThis.Date = Real;
    }
  }

  /** What a request of docs/protocol.md is answered; the steps of a run are told one by one. */
  answer(request, tell = () => {}) {
    for (;;) {
      try {
        if (request.ask === 'run') return this.run(request, tell);
        if (request.ask === 'state') return this.state(request);
        if (request.ask === 'verify') return this.verify(request);
        throw new Refusal('unknownRequest', `this host does not know “${request.ask}”`);
      } catch (error) {
        if (!(error instanceof Restart)) throw error;
        // All that was kept may have been changed: once more, with copies.
        this.isIsolating = true;
        this.cache = new WeakMap();
        this.forks.clear();
        const { session } = this.main;
        this.main = new Recording(session);
        this.main.start = { state: this.firstCopy };
        const [outer, last] = [tell, this.toldUpTo];
        tell = (step) => { if (step.step > last) outer(step); };
      }
    }
  }
}

/** What stands at a place; undefined where nothing does. */
function at(value, pointer) {
  return tokens(pointer).reduce((part, key) => (isObject(part) && has(part, key) ? part[key] : undefined), value);
}

// The user's file

function combined(reducers) {
  const keys = Object.keys(reducers);
  return (state = {}, action) => {
    const next = {};
    let isOther = keys.length !== Object.keys(state).length;
    for (const key of keys) {
      next[key] = reducers[key](state[key], action);
      if (next[key] === undefined) throw new Error(`the reducer “${key}” returned undefined`);
      if (next[key] !== state[key]) isOther = true;
    }
    return isOther ? next : state;
  };
}

const stores = new WeakMap();
globalThis[Symbol.for('retcon.stores')] = stores;

/** The reducer in what a file exports; undefined where there is none. */
export function reducerIn(found) {
  if (typeof found === 'function') return found;
  if (!isObject(found)) return undefined;
  if (typeof found.getState === 'function' && typeof found.replaceReducer === 'function') return stores.get(found);
  if (typeof found.reducer === 'function') return found.reducer;
  const members = Object.values(found);
  return members.length > 0 && members.every((member) => typeof member === 'function') ? combined(found) : undefined;
}

// Redux tells nobody which reducer a store has, so it is noted when the store is made. Modules that are
// written for a bundler leave out the ends of names.
const STORE_WORDS = `
const stores = globalThis[Symbol.for('retcon.stores')];
const noted = (make) => make && ((reducer, ...rest) => {
  const store = make(reducer, ...rest);
  const replace = store.replaceReducer;
  const told = { ...store, replaceReducer: (next) => (stores.set(told, next), replace(next)) };
  stores.set(told, reducer);
  return told;
});`;
const HOOKS = `
export async function resolve(name, context, next) {
  if (name === 'redux' && !context.parentURL?.startsWith('data:')) {
    const { url } = await next(name, context);
    const words = 'export * from ' + JSON.stringify(url) + '; import * as real from ' + JSON.stringify(url) + ';'
      + ${JSON.stringify(STORE_WORDS)}
      + 'export const createStore = noted(real.createStore), legacy_createStore = noted(real.legacy_createStore ?? real.createStore);';
    return { url: 'data:text/javascript,' + encodeURIComponent(words), format: 'module', shortCircuit: true };
  }
  try {
    return await next(name, context);
  } catch (error) {
    if (!/^(\\.|file:)/.test(name) || !/MODULE_NOT_FOUND|DIR_IMPORT/.test(error.code)) throw error;
    for (const end of ['.js', '.mjs', '.cjs', '.ts', '.jsx', '.tsx', '/index.js', '/index.mjs', '/index.ts']) {
      try { return await next(name + end, context); } catch {}
    }
    throw error;
  }
}`;

function hookModules() {
  Module.register?.(`data:text/javascript,${encodeURIComponent(HOOKS)}`);
  const load = Module._load;
  let own;
  Module._load = function (name, ...rest) {
    const real = load.call(this, name, ...rest);
    if (name !== 'redux' || !isObject(real)) return real;
    const noted = new Function(`${STORE_WORDS}; return noted`)();
    return own ?? (own = Object.create(real, {
      createStore: { value: noted(real.createStore), enumerable: true },
      legacy_createStore: { value: noted(real.legacy_createStore ?? real.createStore), enumerable: true },
    }));
  };
}

/** The reducer of a file, and the first state where the file has one. */
async function opened({ file, name, stateFile }) {
  const shown = path.relative('.', file) || file;
  if (!fs.existsSync(file)) throw new Refusal('other', `there is no file ${shown}`);
  if (/\.[mc]?tsx?$/.test(file) && !process.features.typescript) {
    throw new Refusal('other', `${shown} is TypeScript, and node ${process.versions.node} does not strip types: use node 22.18 or newer, or name the JavaScript that it is compiled to`);
  }
  hookModules();
  let module;
  try {
    module = await import(pathToFileURL(file).href);
  } catch (error) {
    throw new Refusal('other', `${shown} cannot be loaded: ${stackLine(error)}`);
  }
  if (module.default?.__esModule) module = { ...module.default };
  const names = Object.keys(module).filter((key) => key !== 'module.exports');
  const words = names.length ? `it exports ${names.join(', ')}` : 'it exports nothing';
  let found = name ? (has(module, name) ? module[name] : module.default?.[name]) : module.default;
  if (name && found === undefined) throw new Refusal('other', `${shown} exports no “${name}”: ${words}`);
  if (!name && reducerIn(found) === undefined) {
    const likely = names.filter((key) => typeof module[key] === 'function' && /reducer$/i.test(key));
    if (likely.length === 1) found = module[likely[0]];
  }
  const reducer = reducerIn(found);
  if (!reducer) {
    const isStore = typeof found?.getState === 'function';
    throw new Refusal('other', isStore
      ? `${shown} exports a store that was not made by the package redux, and such a store does not give its reducer away: name the reducer, as ${shown}#rootReducer`
      : `${shown} has no reducer ${name ? `in “${name}”` : 'as its default export'}: ${words}. Name one, as ${shown}#rootReducer`);
  }
  let state = module.preloadedState ?? module.initialState;
  if (stateFile) {
    try {
      state = JSON.parse(fs.readFileSync(stateFile, 'utf8'));
    } catch (error) {
      throw new Refusal('other', `${stateFile} is no state: ${error.message}`);
    }
  }
  return { reducer, state, isGiven: Boolean(stateFile) };
}

// The worker

async function work() {
  quiet();
  const shared = new Int32Array(workerData.shared);
  const say = (id, content, isLast) => parentPort.postMessage({ line: JSON.stringify({ id, ...content }), isLast });
  let id = 0;
  const control = {
    step: (number) => Atomics.store(shared, 0, number),
    isCancelled: () => Atomics.load(shared, 1) === id,
    progress: (done, of) => say(id, { news: 'progress', done, of }),
  };
  const loading = opened(workerData).then(
    (user) => ({ user, engine: new Engine(user.reducer, control) }),
    (failure) => ({ failure }),
  );
  parentPort.on('message', async (request) => {
    id = request.id;
    let content;
    try {
      const { user, engine, failure } = await loading;
      if (failure) throw failure;
      if (request.ask === 'load') content = engine.load(request.path, user);
      else {
        engine.toldUpTo = 0;
        content = engine.answer(request, (step) => {
          engine.toldUpTo = step.step;
          Atomics.store(shared, 2, step.step);
          say(id, { news: 'step', step });
        });
      }
    } catch (error) {
      content = { refusal: error instanceof Refusal ? error.kind : 'other', message: error instanceof Refusal ? error.message : stackLine(error) };
    }
    Atomics.store(shared, 0, 0);
    say(id, content, true);
  });
}

/** Whatever the user's code prints goes to standard error. */
function quiet() {
  const [writeSync, write] = [fs.writeSync, fs.write];
  fs.writeSync = (file, ...rest) => writeSync(file === 1 ? 2 : file, ...rest);
  fs.write = (file, ...rest) => write(file === 1 ? 2 : file, ...rest);
  syncBuiltinESMExports();
  process.on('uncaughtException', (error) => console.error(stackLine(error)));
  process.on('unhandledRejection', (error) => console.error(stackLine(error)));
}

// The talk

function talk([target, ...options]) {
  const stateFile = options[0] === '--state' ? options[1] : undefined;
  if (!target || (options.length && !stateFile)) {
    process.stderr.write('usage: node retcon-host.mjs REDUCER[#NAME] [--state FILE]\n');
    process.exit(2);
  }
  const [, file, name] = fs.existsSync(target) ? [0, target] : /^(.*?)(?:#(.*))?$/s.exec(target);
  const shared = new Int32Array(new SharedArrayBuffer(16));
  const queue = [];
  let busy;
  let loaded; // the request that loaded the session, for a worker that is started again
  let worker = started(); // overlaps with the greeting
  const say = (id, content) => process.stdout.write(`${JSON.stringify({ id, ...content })}\n`);

  function started() {
    shared.fill(0);
    const worker = new Worker(fileURLToPath(import.meta.url), {
      workerData: { file: path.resolve(file), name, stateFile, shared: shared.buffer }, stdout: true, stderr: true,
    });
    worker.stdout.on('data', (data) => process.stderr.write(data));
    worker.stderr.on('data', (data) => process.stderr.write(data));
    worker.on('message', ({ line, isLast }) => {
      if (!busy?.isSilent) process.stdout.write(`${line}\n`);
      if (isLast) end();
    });
    let reason;
    worker.on('error', (error) => (reason = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'the reducer used up all memory' : stackLine(error)));
    worker.on('exit', (code) => died(worker, reason ?? `the reducer ended its process with exit status ${code}`));
    return worker;
  }

  function end() {
    if (busy?.ask === 'load' && !busy.isSilent) loaded = { ...busy, isSilent: true };
    busy = undefined;
    pump();
  }

  function pump() {
    if (busy || !queue.length) return;
    busy = queue.shift();
    Atomics.store(shared, 2, 0);
    worker = worker ?? started();
    worker.postMessage(busy);
  }

  /** The reducer took its worker with it: that ends a branch, and nothing else. */
  function died(dead, reason) {
    if (dead !== worker) return;
    const [step, , told] = shared;
    const request = busy;
    worker = busy = undefined;
    if (loaded && !request?.isSilent) queue.unshift(loaded);
    if (request && !request.isSilent) {
      if (request.ask === 'run' && step > 0) {
        const first = Math.max(request.from ?? step, (request.branch?.at(-1)?.script.leavesAt ?? 0) + 1);
        say(request.id, { answer: 'ran', report: { lastStep: told || Math.min(step, first) - 1, ending: 'crashed', endingStep: step, reason } });
      } else if (request.ask === 'verify' && step > 0) {
        say(request.id, { answer: 'verified', report: { steps: step - 1, partial: true, divergences: [{ step, label: '', kind: 'crash', hint: reason }] } });
      } else say(request.id, { refusal: 'other', message: reason });
    }
    pump();
  }

  function cancel(id) {
    const place = queue.findIndex((request) => request.id === id && !request.isSilent);
    const refusal = { refusal: 'cancelled', message: 'the request was cancelled' };
    if (place >= 0) {
      queue.splice(place, 1);
      say(id, refusal);
    } else if (busy?.id === id && !busy.isSilent) {
      const request = busy;
      Atomics.store(shared, 1, id);
      // A reducer that does not return is not asked twice.
      setTimeout(() => {
        if (busy !== request) return;
        worker.terminate();
        worker = busy = undefined;
        say(id, refusal);
        if (loaded) queue.unshift(loaded);
        pump();
      }, 1000).unref();
    }
  }

  function hear(line) {
    let request;
    try {
      request = JSON.parse(line);
    } catch {
      return say(0, { refusal: 'unknownRequest', message: 'a line that is no JSON' });
    }
    const id = Number.isInteger(request?.id) ? request.id : 0;
    const words = `${path.basename(file)}${name ? `#${name}` : ''}`;
    if (request.ask === 'greet') {
      say(id, { answer: 'greeting', version: VERSION, name: words, stateType: '', actionType: '', seesEffects: false });
    } else if (request.ask === 'whereabouts') {
      say(id, { answer: 'whereabouts', step: shared[0] || undefined });
    } else if (request.ask === 'cancel') cancel(request.request);
    else if (request.ask === 'quit') process.exit(0);
    else if (['load', 'run', 'state', 'verify'].includes(request.ask)) {
      queue.push({ ...request, id });
      pump();
    } else say(id, { refusal: 'unknownRequest', message: `this host does not know “${request.ask}”` });
  }

  let rest = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) if (line.trim()) hear(line);
  });
  process.stdin.on('end', () => process.exit(0));
}

if (!isMainThread && workerData?.shared) await work();
else if (isMainThread && process.argv[1] && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  if (parseInt(process.versions.node, 10) < 18) {
    process.stderr.write(`this host needs node 18 or newer, and this is node ${process.versions.node}\n`);
    process.exit(2);
  }
  talk(process.argv.slice(2));
}
