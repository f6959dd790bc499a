// The cost of recording in node: node cost.mjs --libs DIR --recorder FILE. DIR holds node_modules
// with Redux Toolkit. A dispatch goes through its usual middleware to a slice.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

process.env.NODE_ENV = 'production';
const at = (name) => path.resolve(process.argv[process.argv.indexOf(name) + 1]);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'retcon-cost-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
fs.symlinkSync(path.join(at('--libs'), 'node_modules'), `${folder}/node_modules`);
fs.copyFileSync(at('--recorder'), `${folder}/retcon-recorder.mjs`);
fs.writeFileSync(`${folder}/load.mjs`, `export * from '@reduxjs/toolkit';
export * from './retcon-recorder.mjs';\n`);
const { configureStore, createSlice, record } = await import(pathToFileURL(`${folder}/load.mjs`));

const ROUNDS = 40, COUNT = 2_000;
const { reducer, actions: { tapped } } = createSlice({
  name: 'rows',
  initialState: {
    count: 0,
    list: Array.from({ length: 500 }, (_, id) => ({ id, name: `item ${id}`, isOpen: false,
      tags: ['one', 'two', 'three', 'four'], price: id * 1.5, text: 'x'.repeat(20) })),
  },
  reducers: {
    tapped(state, { payload }) {
      state.count++;
      state.list[payload].isOpen = !state.list[payload].isOpen;
    },
  },
});
const storeWith = (recorder) => configureStore({
  reducer, devTools: false,
  enhancers: (given) => (recorder ? given().prepend(recorder.enhancer) : given()),
});

/** Microseconds of the processor for a dispatch: other programs do not count. */
function round(store) {
  const began = process.cpuUsage();
  for (let number = 0; number < COUNT; number++) store.dispatch(tapped(number % 500));
  const { user, system } = process.cpuUsage(began);
  return (user + system) / COUNT;
}

const median = (times) => times.sort((one, other) => one - other)[times.length >> 1];
const plain = [], recorded = [];
const stores = [storeWith(), storeWith(record({ name: 'cost', limit: 1000 }))];
for (const store of stores) for (let warm = 0; warm < 5; warm++) round(store);
// In turns, so that a busy machine slows both.
for (let number = 0; number < ROUNDS; number++) {
  plain.push(round(stores[0]));
  recorded.push(round(stores[1]));
}
const [before, after] = [median(plain), median(recorded)];
console.log(`a dispatch in node: ${before.toFixed(2)} µs, recorded ${after.toFixed(2)} µs: `
  + `${(100 * (after - before) / before).toFixed(1)} % more`);
process.exit(after - before > before / 20 ? 1 : 0);
