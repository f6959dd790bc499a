// Plays one of the small apps as its users do, and records the session.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { randomOf } from '../benchRecord.mjs';

const RealDate = Date, BEGIN = Date.UTC(2026, 10, 30, 8);

/** The clock of a session. Only the people of the app let it pass. */
class Clock {
  now = 0;
  #timers = [];

  /** A promise that resolves when this many milliseconds have passed. */
  sleep(milliseconds) {
    return new Promise((resolve) => {
      this.#timers.push({ at: this.now + Math.max(1, milliseconds), resolve });
    });
  }

  async pass(milliseconds) {
    const end = this.now + milliseconds;
    for (;;) {
      this.#timers.sort((one, other) => one.at - other.at);
      if (!this.#timers.length || this.#timers[0].at > end) break;
      const { at, resolve } = this.#timers.shift();
      this.now = at;
      resolve();
      await settled();
    }
    this.now = end;
  }
}

/** Lets everything run that waits for a promise. */
const settled = () => new Promise((resolve) => { setImmediate(resolve); });

/** The tools of the simulated people. One seed decides all that they do. */
function toolsOf(seed, clock) {
  const random = randomOf(seed);
  let ids = 0;
  const int = (most) => Math.floor(random() * most);
  return {
    clock, random, int,
    pick: (list) => list[int(list.length)],
    chance: (part) => random() < part,
    newId: (kind) => `${kind}${(ids += 1)}`,
  };
}

/** Replaces the clock and the random numbers of the process by those of the session. */
function replaceWorld(seed, clock) {
  performance.now = () => clock.now;
  Math.random = randomOf(seed + 1);
  globalThis.Date = class extends RealDate {
    constructor(...given) { super(...(given.length ? given : [BEGIN + clock.now])); }
    static now() { return BEGIN + clock.now; }
  };
}

const load = (folder, file) => import(pathToFileURL(path.resolve(folder, file)).href);

/** Runs an action of a folder's app; and gives the app's first state. */
export async function appOf(folder) {
  const { reducer, initialState } = await load(folder, 'src/store.mjs');
  return { reducer, first: reducer(initialState, { type: '@@init' }) };
}

/** Plays a session and calls `seen` after each action. A function that is dispatched is a thunk. */
export async function play(folder, seed, seen, enhancerOf = () => (make) => make) {
  const clock = new Clock(), tools = toolsOf(seed, clock);
  replaceWorld(seed, clock);
  const { reducer, initialState } = await load(folder, 'src/store.mjs');
  const { simulate, apiOf } = await load(folder, 'simulate.mjs');
  const api = apiOf?.(tools);
  const make = (reduce, first) => {
    let state = reduce(first, { type: '@@init' });
    const getState = () => state;
    const dispatch = (action) => {
      if (typeof action === 'function') return action(dispatch, getState, api);
      state = reduce(state, action);
      seen(action, state);
      return action;
    };
    return { getState, dispatch };
  };
  const store = (await enhancerOf(Boolean(api)))(make)(reducer, initialState);
  await simulate(store, { ...tools, api });
}

/** The text of the session that Retcon opens. */
export async function recorded(folder, name, seed) {
  const from = ({ meta }) => meta?.from ?? 'user';
  let recorder;
  await play(folder, seed, () => {}, async (middleware) => {
    // The recorder keeps the clock that it finds when it is loaded.
    const hosts = '../../../Sources/Program/RetconCommand/Hosts';
    const { record } = await import(`${hosts}/retcon-recorder.mjs`);
    recorder = record({ name, limit: 20_000, middleware, from });
    return recorder.enhancer;
  });
  return recorder.text();
}
