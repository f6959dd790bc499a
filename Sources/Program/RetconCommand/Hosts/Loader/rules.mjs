// Runs rules and selectors: functions of the user's own, called for each step.
import vm from 'node:vm';
import { put } from './as-json.mjs';
import { Refusal, isObject } from './files.mjs';
import { exported, revived } from './reducers.mjs';
import { keysOf } from '../Recorder/pointers.mjs';

const LONG = 300; // milliseconds after which the rest is asked for again

const frozen = (value) => {
  if (!isObject(value) || Object.isFrozen(value)) return value;
  Object.values(value).forEach(frozen);
  return Object.freeze(value);
};

/** A frozen copy of a part with another value at a place below it. */
function replacedIn(part, keys, value, at = 0) {
  if (at === keys.length) return value;
  const copy = Array.isArray(part) ? part.slice() : { ...part };
  put(copy, keys[at], replacedIn(part[keys[at]], keys, value, at + 1));
  return Object.freeze(copy);
}

/** A state changed by a patch; unchanged parts are shared. A function cannot change either. */
export function stepped(state, operations) {
  const [first] = operations;
  if (operations.length === 1 && first.op === 'replace') {
    return replacedIn(state, keysOf(first.path), frozen(first.value));
  }
  const root = { state };
  const own = new Set([root]); // copies of this patch, which are not frozen yet
  const opened = (holder, key) => {
    const part = holder[key];
    if (own.has(part)) return part;
    const copy = Array.isArray(part) ? part.slice() : { ...part };
    own.add(copy);
    put(holder, key, copy);
    return copy;
  };
  const place = (pointer) => {
    const keys = ['state', ...keysOf(pointer)];
    const last = keys.pop();
    return [keys.reduce(opened, root), last];
  };
  const take = (pointer) => {
    const [holder, key] = place(pointer);
    const value = holder[key];
    if (Array.isArray(holder)) holder.splice(Number(key), 1); else delete holder[key];
    return value;
  };
  const add = (pointer, value) => {
    const [holder, key] = place(pointer);
    if (!Array.isArray(holder)) put(holder, key, value);
    else if (key === '-') holder.push(value);
    else holder.splice(Number(key), 0, value);
  };
  for (const { op, path, from, value } of operations) {
    if (op === 'remove') take(path);
    else if (op === 'add') add(path, frozen(value));
    else if (op === 'replace') put(...place(path), frozen(value));
    else if (op === 'move') add(path, take(from));
    else if (op === 'copy') add(path, keysOf(from).reduce((part, key) => part[key], root.state));
  }
  own.delete(root);
  for (const copy of own) Object.freeze(copy);
  return root.state;
}

const loop = new vm.Script('globalThis[Symbol.for("retcon.loop")]()');

/** The functions that a module exports, and the steps for which they were called. */
export class Rules {
  constructor(module, { plain, stackLine }) {
    this.functions = new Map(exported(module).filter(([, value]) => typeof value === 'function'));
    Object.assign(this, { plain, stackLine, tracks: new Map() });
  }

  get exports() { return [...this.functions.keys()]; }

  /** Calls functions for steps that follow a track, and keeps where they end as another track. */
  judge({ from, as, names, steps, patience = 5, isTyped }) {
    const base = this.tracks.get(from);
    if (from !== undefined && !base) throw new Refusal(`there is no track ${from}`);
    const missing = names.find((name) => !this.functions.has(name));
    if (missing !== undefined) {
      throw new Refusal(`it exports no function ${missing}: ${this.exports.join(', ') || 'none'}`);
    }
    const track = {
      base, sent: new Map(), state: base?.state, shown: base?.shown,
      isTyped: isTyped || base?.isTyped,
      memory: names.map((_, at) => {
        const memory = base?.memory[at];
        return memory && Object.keys(memory).length ? structuredClone(memory) : {};
      }),
    };
    const functions = names.map((name) => this.functions.get(name));
    const answer = { count: 0, others: [], threw: [] }; // `others` are steps where not all is true
    const start = performance.now();
    let at = 0;
    globalThis[Symbol.for('retcon.loop')] = () => {
      for (const step of steps) {
        at = 0;
        const about = this.seen(track, step), { shown } = track;
        let values;
        for (let place = 0; place < functions.length; place++) {
          at = place;
          const call = functions[place];
          let value = null;
          try {
            if (!step.unknown) value = this.value(call(shown, about, track.memory[place]));
          } catch (error) {
            if (error?.code === 'ERR_ASSERTION') value = error.message;
            else answer.threw.push([answer.count, place, this.stackLine(error)]);
          }
          if (value !== true) (values ??= names.map(() => true))[place] = value;
        }
        if (values) answer.others.push([answer.count, values]);
        answer.count++;
        if (answer.count % 16 === 0 && performance.now() - start > LONG) break;
      }
    };
    try {
      loop.runInThisContext({ timeout: patience * 1000 + LONG });
    } catch (error) {
      if (error?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      return { ...answer, late: at };
    }
    this.tracks.set(as, track);
    return answer;
  }

  /** Goes on to a step. Returns what a function gets of it beside the state, which is `shown`. */
  seen(track, { step, action, state, patch, sender, keeps, unknown }) {
    const previous = track.shown ?? null;
    if (unknown) {
      track.state = undefined;
    } else if (patch === undefined) {
      track.state = frozen(state);
    } else if (patch.length) {
      track.state = stepped(track.state, patch);
    }
    const { isTyped } = track;
    if (track.shown === undefined || !patch || patch.length) {
      track.shown = isTyped ? revived(track.state) : track.state;
    }
    const given = isTyped ? revived(action ?? null) : action ?? null;
    if (keeps) track.sent.set(step, { step, action: given, state: track.shown });
    let holder = sender === undefined ? undefined : track;
    while (holder && !holder.sent.has(sender)) holder = holder.base;
    const sent = holder?.sent.get(sender) ?? null;
    return { previous, action: given, step, sent };
  }

  value(value) {
    if (value === true) return value;
    if (typeof value?.then === 'function') {
      throw new Refusal('it returned a promise, and a rule answers at once');
    }
    return isObject(value) ? this.plain(value, new WeakMap()) : this.plain(value);
  }
}
