// An app that runs whole: its store, made new, and what it waits for.
import { isLast } from '../Recorder/channels.mjs';
import { Task } from '../Recorder/tasks.mjs';
import { chance, idle, responseOf, world } from './virtual.mjs';

const MOST = 10_000; // reductions, requests and timers at one input

const MICROSECOND = 1e-3; // in milliseconds, as steps are timed

const BROKEN = 'the app goes on by itself, with something that is not on tape';

/** Why an input may go otherwise in the app. */
const WORDS = {
  nameless: 'a function of the app was dispatched here, and has no name: '
    + 'name it with recorder.calls',
  lossy: 'the action holds what JSON has no words for, such as a date or a map',
  gone: 'nothing in the app waits for this here',
  again: 'the socket was lost before: nobody knows what comes through the next one',
  tied: 'two timers end at the same moment, and JavaScript promises no order',
};

/**
 * An app, which works at one input, or at those that came in one task. The work of each of them has
 * an object of its own here, `part`.
 */
export class Instance {
  constructor(found) {
    Object.assign(this, {
      time: 0, waiting: new Map(), silent: [], results: new Map(), asked: new Map(), found,
      storages: new Map(), lost: new Map(),
    });
    this.begin('start', {});
  }

  /** Loads the app by a function that gives its store, as the loader noted it. */
  static async made(load, found, made = new Instance(found)) {
    world.active = made;
    try {
      Object.assign(made, await load());
      made.entry.tell = (...told) => made.reduced(...told);
      for (const told of made.entry.log.splice(0)) made.reduced(...told);
      await idle();
    } finally { world.active = undefined; }
    made.always = made.part.doubts;
    return made;
  }

  /** The part of the input that works now. Unknown work is the last one's. */
  get part() { return (!this.isTaking && this.task.worker) || this.task.inputs.at(-1); }

  begin(key, given, task = new Task()) {
    // The app may keep what the file lacks, and use it at any later time.
    if (given.lossy) this.always ??= WORDS.lossy;
    this.task = task;
    task.add({
      key, given, time: this.time, count: 0, chance: chance(key), doubts: this.always,
      segments: [{ effects: [] }], hasEnded: false, // a call for which other code waits
    });
    for (const news of this.found.news(given)) this.stored(news.name).put(news.key, news.value);
  }

  reduced(action, after, error) {
    if (world.active !== this) this.isBroken = true;
    if (this.open) return;
    const { segments } = this.part;
    if (segments.length > MOST) throw new Error(`it sends more than ${MOST} actions at once`);
    segments.push({ action, state: after, error, effects: [] });
  }

  /** Runs inputs of one task until the app is idle. Returns what the last one did, as its part. */
  async run(...all) {
    if (this.isBroken) throw new Error(BROKEN);
    const { others = [] } = all.at(-1);
    const task = new Task();
    world.active = this;
    try {
      for (const input of all) this.take(input, task);
      await idle();
      const part = task.inputs.at(-1);
      part.ownCount = part.segments.length;
      for (const other of others) {
        try { this.perform(other); } catch { /* as in a page */ }
        await idle();
      }
      return part;
    } finally { world.active = undefined; }
  }

  /** The work of an input before anything else can run. */
  take({ action, given, time, key, isBefore }, task) {
    this.time = time * 1000;
    this.isTaking = true;
    this.begin(key, given, task);
    this.silent = this.silent.filter(({ due, work }) => {
      if (due <= this.time) work();
      return due > this.time;
    });
    const { part } = this;
    // The host reports an error of a reducer. Any other goes to the user's code, which is not here.
    const perform = () => {
      try {
        const result = this.perform(action), end = () => { this.part.hasEnded = true; };
        if (given.awaited) result?.then?.(end, end);
      } catch { /* as in a page */ }
    };
    if (isBefore) part.hasMore = this.hasMore(perform); else perform();
    part.syncCount = part.segments.length;
    this.isTaking = false;
    task.mark();
  }

  perform(action) {
    const { retcon } = action ?? {};
    if (this.entry.isCalled && !retcon) return this.called(action);
    if (!retcon || typeof retcon !== 'object') return this.store.dispatch(action);
    if ('dispatch' in retcon) return this.store.dispatch(retcon.dispatch);
    if ('answer' in retcon) return this.answer(retcon);
    if ('fire' in retcon) return this.fire(retcon.fire);
    if ('hear' in retcon) return this.hear(retcon);
    if ('abort' in retcon) {
      const call = this.results.get(retcon.abort);
      return call?.abort ? call.abort(retcon.reason) : this.doubt(WORDS.gone);
    }
    if ('use' in retcon) {
      const call = this.results.get(retcon.of);
      const isThere = call && Object.hasOwn(call, retcon.use);
      return isThere ? call[retcon.use](...retcon.arguments ?? []) : this.doubt(WORDS.gone);
    }
    if (!('call' in retcon)) return this.store.dispatch(action);
    const create = this.creator(retcon.call);
    if (!create) {
      const words = `the app has no ${retcon.call} to call`;
      return this.doubt(retcon.call === null ? WORDS.nameless : words);
    }
    const given = retcon.arguments ?? [];
    const isEndpoint = 'options' in retcon;
    const made = isEndpoint ? create(given[0], retcon.options) : create(...given);
    const result = this.store.dispatch(made);
    // The host does not wait for it.
    result?.catch?.(() => {});
    this.results.set(this.part.key, result);
    return result;
  }

  /** Of a function of zustand, all that it sets until it waits or returns is one step. */
  called(action) {
    const { type, arguments: given = [] } = action, { store } = this.entry;
    this.open = true;
    try {
      if (type === 'setState') return store.setState(...given);
      const all = store.getState(), call = Object.hasOwn(all, type) ? all[type] : undefined;
      if (typeof call !== 'function') return this.doubt(`the store has no function ${type}`);
      return call(...given)?.catch?.(() => {});
    } finally {
      this.open = false;
      this.part.segments.push({ action, state: this.entry.data(), effects: [] });
    }
  }

  /** The maker of a thunk: named by the app, of createAsyncThunk, or an endpoint of RTK Query. */
  creator(name) {
    if (Object.hasOwn(this.calls, name)) return this.calls[name];
    const thunk = this.thunks.find((each) => each.typePrefix === name);
    if (thunk) return thunk;
    for (const { store: api } of this.apis) {
      const { reducerPath, endpoints } = api;
      const isNamed = name?.startsWith(`${reducerPath}/`) || name?.[0] === '/';
      const endpoint = isNamed && endpoints[name.replace(/^.*\//, '')];
      if (endpoint) return endpoint.initiate;
    }
    return undefined;
  }

  answer({ answer: key, status, body, kind, error }) {
    const request = this.waiting.get(key);
    if (!request?.resolve && !request?.take) return this.doubt(WORDS.gone);
    this.waiting.delete(key);
    this.doubtTie();
    if (request.take) return request.take({ status, body, kind, error });
    if (error !== undefined) {
      const [, name, message] = /^(\w+): ([^]*)$/.exec(error) ?? [0, 'TypeError', error];
      const made = name === 'TypeError' ? new TypeError(message)
        : Object.assign(new Error(message), { name });
      return request.reject(made);
    }
    return request.resolve(responseOf({ status, body, kind }, request.asks[1]));
  }

  /** An event of a channel, which stays open until it says that it is over. */
  hear({ hear: key, lost, ...value }) {
    const channel = this.waiting.get(key);
    if (!channel?.hear) return this.doubt(WORDS.gone);
    if (lost !== undefined) this.lost.set(channel.address, this.time + lost * 1000);
    if (channel.isAgain && value.event === 'message') this.doubt(WORDS.again);
    if (isLast(value)) this.waiting.delete(key);
    this.doubtTie();
    return channel.hear(value);
  }

  fire(key) {
    const timer = this.waiting.get(key);
    if (!timer?.work) return this.doubt(WORDS.gone);
    this.waiting.delete(key);
    const { handle, milliseconds, work, repeats } = timer;
    this.doubtTie(milliseconds);
    if (repeats) this.wait(handle, milliseconds, work, true);
    return work();
  }

  doubt(words) { this.part.doubts ??= words; }

  /** Timers that end at once end in the order of their starts only if they are as long. */
  doubtTie(length) {
    const isTied = ({ due, milliseconds }) => (
      milliseconds !== length && Math.abs(due - this.time) < MICROSECOND);
    if ([...this.waiting.values()].some(isTied)) this.doubt(WORDS.tied);
  }

  // Notes a request of the app.

  start(effect, waits) {
    const { part } = this;
    if (++part.count > MOST) throw new Error(`more than ${MOST} requests and timers at once`);
    const key = `${part.key}.${part.count}`;
    this.waiting.set(key, waits);
    part.segments.at(-1).effects.push({ ...effect(key), file: 'javascript', cancel: key });
    return key;
  }

  ask(name, ask, waits) { return this.question(name, { ask }, { ...waits, asks: ask }); }

  listen(name, listen, hear) {
    const [address] = listen, until = this.lost.get(address);
    if (until === undefined) return this.question(name, { listen, name }, { hear, address });
    const work = { again: listen, name, at: this.time, until };
    const waits = { hear, address, isAgain: true };
    return this.start((key) => ({ name, work: { ...work, key } }), waits);
  }

  question(name, asks, waits) {
    const question = JSON.stringify(asks);
    const times = this.asked.get(question) ?? 0;
    this.asked.set(question, times + 1);
    return this.start((key) => ({ name, work: { ...asks, key, times } }), waits);
  }

  stored(name) {
    if (!this.storages.has(name)) this.storages.set(name, this.found.begun(name));
    return this.storages.get(name);
  }

  wait(handle, milliseconds, work, repeats) {
    const name = `timer ${milliseconds} ms`;
    handle.key = this.start((key) => ({ name, work: { wait: milliseconds, key } }),
      { handle, milliseconds, work, repeats, due: this.time + milliseconds });
  }

  later(milliseconds, work) { this.silent.push({ due: this.time + milliseconds, work }); }

  cancel(key) {
    if (!this.waiting.delete(key)) return false;
    this.part.segments.at(-1).effects.push({ cancel: key });
    return true;
  }

  date() { return Math.floor(this.part.time + 1e-3) + (this.drawn('d') ?? 0); }
  elapsed() { return this.time % 1e9; }
  chance() { return this.part.chance(); }
  drawn(kind) { return this.part.given[kind]?.shift(); }

  /** Sets the state, and nothing else. */
  put(value) {
    if (this.entry.put) return this.entry.put(value);
    this.entry.forced = { value };
    world.active = this;
    try { this.entry.base.dispatch({ type: '@@retcon/put' }); } finally {
      world.active = undefined;
    }
  }
}
