// Plays an app as its users do, and writes the session.
//   node benchRecord.mjs FOLDER NAME SEED FILE      (.retcon, or .jsonl)
// The clock and the random numbers are those of the seed: the same session each time.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
export function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000;
  };
}

export const load = (folder, file) => import(pathToFileURL(path.resolve(folder, file)).href);

/** Runs what the users do, and calls `seen` after each action. */
export async function play(folder, seed, seen, enhancer = (make) => make) {
  const { reducer, initialState } = await load(folder, 'src/store.mjs');
  const { simulate } = await load(folder, 'simulate.mjs');
  const make = (reduce, first) => {
    let state = reduce(first, { type: '@@init' });
    return { getState: () => state, dispatch(action) {
      state = reduce(state, action);
      seen(action, state);
      return action;
    } };
  };
  const store = enhancer(make)(reducer, initialState);
  const first = store.getState();
  simulate({ dispatch: store.dispatch, getState: store.getState }, randomOf(seed));
  return first;
}

/** Replaces the clock: an action comes some seconds after the one before. */
function clockOf(seed) {
  const random = randomOf(seed + 1), began = Date.UTC(2026, 10, 30, 8);
  let now = 0;
  performance.now = () => now;
  Math.random = random;
  globalThis.Date = class extends Date {
    constructor(...given) { super(...(given.length ? given : [began + now])); }
    static now() { return began + now; }
  };
  return ({ meta }) => { now += meta?.from ? 20 + 200 * random() : 300 + 3000 * random(); };
}

async function asSession(folder, name, seed) {
  const pass = clockOf(seed);
  const { record } = await import('../../Sources/Program/RetconCommand/Hosts/retcon-recorder.mjs');
  const from = ({ meta }) => meta?.from ?? 'user';
  const recorder = record({ name, limit: 20_000, middleware: false, from });
  await play(folder, seed, pass, recorder.enhancer);
  return [recorder.text()];
}

async function asLines(folder, seed) {
  const lines = [];
  const add = (line) => lines.push(`${JSON.stringify({ step: lines.length, ...line })}\n`);
  add({});
  const state = await play(folder, seed, (action, after) => add({ action, state: after }));
  lines[0] = `${JSON.stringify({ step: 0, state })}\n`;
  return lines;
}

async function main(folder, name, seed, file) {
  const lines = file.endsWith('.jsonl') ? await asLines(folder, seed)
    : await asSession(folder, name, seed);
  fs.writeFileSync(file, '');
  for (const line of lines) fs.appendFileSync(file, line);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, name, seed, file] = process.argv.slice(2);
  await main(folder, name, Number(seed), file);
}
