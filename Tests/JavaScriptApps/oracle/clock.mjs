// A clock of its own for live runs: dates, timers and random numbers follow it.

const real = { Date, setImmediate };
const BEGAN = Date.UTC(2026, 2, 2, 9);

/** Pseudo-random numbers from 0 to 1, the same for the same seed (mulberry32). */
export function random(seed) {
  let word = seed | 0;
  return () => {
    word = (word + 0x6D2B79F5) | 0;
    let mixed = Math.imul(word ^ (word >>> 15), 1 | word);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The same number for the same words. */
export function hash(...words) {
  let result = 2166136261;
  for (const sign of JSON.stringify(words)) {
    result = Math.imul(result ^ sign.codePointAt(0), 16777619);
  }
  return result >>> 0;
}

export const define = (name, value) =>
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

/** Lets all that is due without a timer happen: promises, and bodies of answers. */
async function settle() {
  for (let turn = 0; turn < 8; turn++) await new Promise((go) => { real.setImmediate(go); });
}

/** A clock at time 0, in milliseconds, that is the only one while the work runs. */
export function clock(seed) {
  let now = 0, number = 0;
  const due = new Map();
  const later = (delay, work, every) => {
    due.set(++number, { at: now + Math.max(0, Number(delay) || 0), work, every });
    return number;
  };
  const first = () => {
    let found;
    for (const [id, { at }] of due) if (!found || at < found.at) found = { id, at };
    return found;
  };
  const timer = (work, delay, ...given) => later(delay, () => work(...given));
  const interval = (work, delay, ...given) =>
    later(delay, () => work(...given), Math.max(1, Number(delay) || 0));
  const stop = (id) => { due.delete(id); };
  const moment = () => BEGAN + Math.floor(now);
  class LiveDate extends real.Date {
    constructor(...given) { super(...(given.length ? given : [moment()])); }
    static now() { return moment(); }
  }
  return {
    later, stop, now: () => now,
    install() {
      define('Date', LiveDate);
      define('performance', { now: () => now, timeOrigin: BEGAN });
      define('setTimeout', timer); define('clearTimeout', stop);
      define('setInterval', interval); define('clearInterval', stop);
      const draw = random(seed), byte = () => Math.floor(draw() * 256);
      Math.random = draw;
      crypto.getRandomValues = (list) => list.map(byte);
      crypto.randomUUID = () => `00000000-0000-4000-8000-${String(draw()).slice(2, 14).padEnd(12)}`;
      AbortSignal.timeout = (delay) => {
        const control = new AbortController();
        later(delay, () => control.abort(new DOMException('timed out', 'TimeoutError')));
        return control.signal;
      };
    },
    settle,
    /** Lets time pass while something runs. */
    pass(time) { now = Math.max(now, time); },
    /** Runs what is due up to a time. */
    async run(end) {
      await settle();
      for (let next = first(); next && next.at <= end; next = first()) {
        const { work, every } = due.get(next.id);
        now = Math.max(now, next.at);
        if (every) due.set(next.id, { at: now + every, work, every }); else due.delete(next.id);
        work();
        await settle();
      }
      now = end;
    },
  };
}
