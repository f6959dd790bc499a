// Runs a test that Retcon wrote: an app with its middleware, what the user did at its times, and
// what the outside answered. Time passes only in here.
import { Instance } from './instance.mjs';
import { mapped } from '../Recorder/values.mjs';
import { Stored } from './taped.mjs';

/** A question as a test writes it: the method, the address and the body of a request. */
const wordsOf = ({ ask, listen, name }) => (
  ask ? ask.join(' ') : [name.split(' ')[0], ...listen].join(' '));

/**
 * The ids of requests in an action of Redux Toolkit: its own, or those of the subscriptions that
 * RTK Query tells as patches.
 */
function requestsIn({ type, meta, payload }) {
  if (typeof meta?.requestId === 'string') return [meta.requestId];
  if (!String(type).endsWith('/subscriptionsUpdated') || !Array.isArray(payload)) return [];
  return payload.flatMap(({ path: [place, id] = [], value }) => {
    if (id !== undefined) return [String(id)];
    const all = place === undefined ? Object.values(value ?? {}) : [value];
    return all.flatMap((each) => Object.keys(each ?? {}));
  });
}

/** The requests that a state keeps: by a member's name, or in the state of RTK Query. */
function* keptIn(state) {
  if (typeof state !== 'object' || state === null) return;
  const isOfQuery = ['queries', 'mutations', 'subscriptions'].every((key) => key in state);
  for (const [key, part] of Object.entries(state)) {
    if (typeof part === 'string') {
      if (!Array.isArray(state) && key.toLowerCase().endsWith('requestid')) yield part;
    } else if (isOfQuery && key === 'subscriptions') {
      for (const each of Object.values(part)) yield* Object.keys(each ?? {});
    } else yield* keptIn(part);
  }
}

/** A value with other texts, also as keys. */
function renamed(value, names) {
  if (typeof value === 'string') return names.get(value) ?? value;
  if (Array.isArray(value)) return value.map((part) => renamed(part, names));
  if (typeof value !== 'object' || value === null) return value;
  return mapped(value, ([key, part]) => [names.get(key) ?? key, renamed(part, names)]);
}

export class ScriptedRun {
  /** `load` gives the app as an instance takes it; `began` is when the recording did. */
  static async made(load, { began = 0, stored = {} } = {}, loading = undefined) {
    const run = new ScriptedRun(), found = loading?.found ?? new Stored();
    for (const [name, items] of Object.entries(stored)) {
      found.note({ id: 0, stored: { [name]: { items, isAll: true } } });
    }
    run.instance = await Instance.made(load, found, loading);
    Object.assign(run, { began: Date.parse(began) || 0, now: 0, due: [], answered: new Map() });
    Object.assign(run, { calls: 0, requests: new Map() });
    run.follow();
    return run;
  }

  get state() {
    const { entry, store } = this.instance;
    return entry.isCalled ? entry.data() : store.getState();
  }

  /** The state as JSON has it. The id of a request is chance: a test has the request's number. */
  get plain() { return renamed(this.json, this.requests); }

  get json() { return JSON.parse(JSON.stringify(this.state ?? null)); }

  /**
   * The answers to a question, one each time it is asked; then the last one again. `after` is how
   * many milliseconds that takes. Of a socket or a stream, the answers are all its events.
   */
  answers(question, ...answers) { this.answered.set(question, answers); }

  /** Dispatches an action so many milliseconds after the start. */
  dispatch(at, action) { return this.input(at, action); }

  /** Calls what makes a thunk by its name, or a function of a store. Returns what `use` takes. */
  call(at, name, ...given) {
    const { isCalled } = this.instance.entry;
    if (!isCalled && !this.instance.creator(name)) {
      throw new Error(`the app has no ${name} to call: export it beside the store`);
    }
    return this.input(at, isCalled ? { type: name, arguments: given }
      : { retcon: { call: name, arguments: given } });
  }

  /** Sends a query or a mutation of RTK Query, with its options. */
  send(at, name, given, options) {
    const isQuery = this.instance.creator(name);
    if (!isQuery) throw new Error(`the app has no ${name}: export its API beside the store`);
    return this.input(at, { retcon: { call: name, arguments: [given], options } });
  }

  /** Uses what a call returned, as its `abort`. */
  use(at, call, name, ...given) {
    return this.input(at, name === 'abort' ? { retcon: { abort: call, reason: given[0] } }
      : { retcon: { use: name, of: call, arguments: given } });
  }

  async input(at, action) {
    await this.until(at);
    const key = `s${++this.calls}`;
    await this.run(key, action);
    return key;
  }

  /** Lets all happen that is due up to then. */
  async until(at) {
    for (;;) {
      const [next] = [...this.due].sort((one, other) => one.at - other.at);
      if (!next || next.at > at) break;
      this.due.splice(this.due.indexOf(next), 1);
      this.now = next.at;
      await this.run(`d${++this.calls}`, next.action);
    }
    this.now = Math.max(this.now, at);
  }

  async run(key, action) {
    const time = (this.began + this.now) / 1000;
    await this.instance.run({ action, given: {}, time, key });
    const error = this.instance.part.segments.find((each) => each.error)?.error;
    this.follow();
    if (error) throw error;
  }

  /** The app's work that has started now comes to its end later. */
  follow() {
    const told = this.instance.part.segments.flatMap(({ action }) => requestsIn(action ?? {}));
    for (const id of [...told, ...keptIn(this.json)]) {
      if (!this.requests.has(id)) this.requests.set(id, `request ${this.requests.size + 1}`);
    }
    for (const { work, cancel } of this.instance.part.segments.flatMap(({ effects }) => effects)) {
      if (!work) this.due = this.due.filter(({ key }) => key !== cancel);
      else if (work.wait !== undefined) this.later(cancel, work.wait, { fire: cancel });
      else this.answer(cancel, work);
    }
  }

  later(key, milliseconds, retcon) {
    this.due.push({ key, at: this.now + milliseconds, action: { retcon } });
  }

  answer(key, work) {
    const answers = this.answered.get(wordsOf(work)) ?? [];
    if (work.listen) {
      for (const { after, ...heard } of answers) this.later(key, after, { hear: key, ...heard });
      return;
    }
    const told = answers[Math.min(work.times, answers.length - 1)];
    if (!told) return;
    const { after = 0, json, kind = json && 'application/json', ...answer } = told;
    const body = json === undefined ? answer.body : JSON.stringify(json);
    this.later(key, after, { answer: key, status: 200, ...answer, kind, body });
  }
}
