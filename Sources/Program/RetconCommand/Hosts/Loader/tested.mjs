// Runs what retcon test --whole wrote for jest or vitest. Import it before the app: it takes the
// place of the clock, of fetch and of all else outside, and lets a recorder be silent.
import { Instance } from './instance.mjs';
import { ScriptedRun } from './scripted.mjs';
import { Stored } from './taped.mjs';
import { install, world } from './virtual.mjs';

const host = globalThis[Symbol.for('retcon.host')] = { calls: {} }, found = new Stored();
install(globalThis.document ? 'page' : 'node');
const loading = world.active = new Instance(found);

const isFunction = ([, value]) => typeof value === 'function';
const isStore = (value) => value?.getState && (value.dispatch ?? value.setState);
const dataOf = (state) => Object.fromEntries(
  Object.entries(state).filter((member) => !isFunction(member)));

/** The store of a module, its only one if no name is given, and what makes thunks in it. */
function appIn(module, name) {
  const all = [module, module.default].flatMap((each) => Object.values(each ?? {}));
  const store = [module, module.default].map((each) => each?.[name]).find(Boolean)
    ?? all.find(isStore);
  const apis = all.filter((each) => each?.reducerPath && each.endpoints);
  return {
    store, calls: host.calls, thunks: all.filter((each) => each?.typePrefix),
    apis: apis.map((each) => ({ store: each })),
    entry: { store, log: [], isCalled: !store.dispatch, data: () => dataOf(store.getState()) },
  };
}

/** Runs an app with its middleware, once for each file of tests. */
export function whole(module, name, options) {
  return ScriptedRun.made(() => appIn(module, name), options, loading);
}
