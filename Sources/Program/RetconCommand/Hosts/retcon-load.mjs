// Loads a reducer as the bundler of its project would: part of retcon-host.mjs, and of the tests
// that retcon test writes for node. Needs node 18 and no packages.
//
// Files of the project become CommonJS by the esbuild or TypeScript that is there, and are run
// here; node loads packages, as well as all files where neither is there. In Retcon's repository
// this is several modules, in the folder Loader; Retcon writes them as one file.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pathToFileURL } from 'node:url';
import { LIMITS, difference, plain, put } from './Loader/as-json.mjs';
import { browse } from './Loader/browser.mjs';
import { callers } from './Loader/callers.mjs';
import { closeWorld } from './Loader/closed-world.mjs';
import { compiler, sources } from './Loader/compiling.mjs';
import { readEnvironment } from './Loader/environment.mjs';
import { Refusal, has, isFile, isObject, read, shown } from './Loader/files.mjs';
import { firstInCircle, graph } from './Loader/graph.mjs';
import { hookModules } from './Loader/node-hooks.mjs';
import { byVite, loaded } from './Loader/with-vite.mjs';
import {
  MADE, chosen, created, entryOf, exported, madeBy, preloadedIn, reducerIn, refusal, revived,
} from './Loader/reducers.mjs';
import { withRecordedIDs } from './Loader/rtk-query.mjs';
import { onDisk } from './Loader/resolution.mjs';
import { Rules } from './Loader/rules.mjs';
import { run } from './Loader/running.mjs';
import { pageIn, worldIn } from './Loader/rehearsal.mjs';
import { ABSENT, calledStore, forgetStores, reducing, state } from './Loader/stand-ins.mjs';
import { install } from './Loader/virtual.mjs';
import { Stepping } from './Loader/stepping.mjs';
import { ScriptedRun } from './Loader/scripted.mjs';
import { Whole } from './Loader/whole.mjs';
import { keysOf } from './Recorder/pointers.mjs';
import { runner } from '../../../Forks/TimeTravel/Tests/runner.mjs';

export { LIMITS, Refusal, Rules, Stepping, Whole, difference, has, isObject, keysOf, plain, put };
export { reducing, revived, worldIn };

function namespace(module) {
  if (module?.default?.__esModule && !module.default[ABSENT]) return { ...module.default };
  const isModule = Object.prototype.toString.call(module) === '[object Module]';
  if (module?.__esModule || isModule) return module;
  if (isObject(module) && !Object.keys(module).length) return {};
  return { ...(isObject(module) ? module : {}), default: module };
}

/** Gives a function that runs the files, each time anew. */
async function imports(file, { setup, make, mode, with: tool }, more = []) {
  const files = [setup, file, ...more, more.length && file].filter(Boolean);
  if (tool && tool !== 'vite') throw new Refusal(`--with takes vite, and not ${tool}`);
  if (tool) return async () => namespace(await byVite(files, mode));
  const compile = compiler(file);
  let times = 0;
  const own = async () => {
    const again = times++ ? `?retcon=${times}` : '';
    forgetStores();
    for (const each of [setup, ...more].filter(Boolean)) {
      await import(pathToFileURL(each).href + again);
    }
    return namespace(await import(pathToFileURL(file).href + again));
  };
  const close = () => { makePage(); closeWorld(); };
  if (!compile) {
    close();
    return own;
  }
  const added = make ? [[file, `\nexport const ${MADE} = () => (${make});\n`]] : [];
  const textOf = sources(compile, files, new Map(added));
  close();
  const ours = async () => namespace(...await run(files, textOf, firstInCircle));
  if (make || !/\.[cm]js$/.test(file)) return ours;
  let load = own;
  return () => load().catch((error) => {
    if (load === ours) throw error;
    return ours().then((module) => { load = ours; return module; }, () => { throw error; });
  });
}

/** The page that files find when they run. */
function makePage() {
  browse(state.page);
  if (state.isWhole) install(state.isWhole);
}

/** The words behind --make, where no compiler has put them into the file. */
function called(make, module) {
  const names = exported(module).map(([name]) => name).filter((name) => name !== 'default');
  return new Function(...names, `return (${make});`)(...names.map((name) => module[name]));
}

/** A hint where a page has something that is not here. */
function hint(error, setup) {
  const isMissing = /is not defined|undefined|is not a function|null/.test(error?.message ?? '');
  if (!isMissing) return '';
  const place = setup ? `in ${shown(setup)}, too` : 'in a file, and add --setup FILE';
  return `. If the page defines what is missing, define it ${place}`;
}

/** The notes about the loaded files. */
function notes() {
  const [first, ...others] = state.absent.values();
  const names = [...state.absent.keys()].slice(1);
  const absentees = [];
  if (first) {
    const rest = names.length ? ` (and ${names.join(', ')})` : '';
    const user = others.length ? 'one of them' : 'it';
    absentees.push(`${first}${rest}. A step that uses ${user} ends`);
  }
  if (state.absent.has('redux')) {
    absentees.push('Until redux is installed, Retcon makes the store and combines reducers');
  }
  return [...absentees, ...state.notes];
}

/** The exports of a file with rules. */
export async function rulesIn(place, { setup, mode, with: tool }, says) {
  const file = onDisk(path.resolve(place)) ?? path.resolve(place);
  if (!isFile(file)) throw new Refusal(`there is no file ${shown(file)}`);
  readEnvironment(file, mode);
  hookModules();
  globalThis[Symbol.for('retcon.host')] = { calls: {} };
  try {
    return await (await imports(file, { setup: setup && path.resolve(setup), mode, with: tool }))();
  } catch (error) {
    throw new Refusal(`${shown(file)} cannot be loaded: ${says(error)}`);
  }
}

/**
 * The reducer of a file, the first state where the file has one, and what is to be said about both.
 * Options are what the command line has: state and setup are files, make is JavaScript, mode names
 * .env files, and with is a tool that loads modules.
 */
export async function opened(target, options = {}, says = (error) => error.message) {
  const [, place, name] = fs.existsSync(target) ? [0, target] : /^(.*?)(?:#(.*))?$/s.exec(target);
  const file = onDisk(path.resolve(place)) ?? path.resolve(place);
  const setup = options.setup && path.resolve(options.setup);
  for (const each of [file, setup]) {
    if (each && !isFile(each)) throw new Refusal(`there is no file ${shown(each)}`);
  }
  const { make } = options;
  state.isOfNgRx = /['"]@ngrx\//.test(read(file));
  const variables = readEnvironment(file, options.mode);
  hookModules();
  state.isWhole = options.world;
  state.page = options.whole && pageIn(options.whole);
  globalThis[Symbol.for('retcon.host')] = {
    calls: {}, zustand: state.isWhole ? calledStore : undefined,
  };
  const entries = [setup, file].filter(Boolean);
  const own = graph(...entries);
  let more = options.whole ? callers(options.whole, file, own, state.isWhole) : [];
  let module;
  let value;
  let load;
  const start = async () => {
    load = await imports(file, { ...options, setup }, more);
    return load();
  };
  try {
    module = await start().catch((error) => {
      if (!more.length) throw error;
      more = []; // the reducer may do without what its screens have
      return start();
    });
    if (make) value = madeBy(module[MADE] ?? (() => called(make, module)));
  } catch (error) {
    const isSentence = error instanceof Refusal || error?.code === 'ERR_RETCON';
    const words = isSentence ? error.message : says(error) + hint(error, setup);
    throw new Refusal(`${shown(file)} cannot be loaded: ${words}`);
  }
  const named = (module) => (has(module, name) ? module[name] : module.default?.[name]);
  if (!make) value = name ? named(module) : chosen(module, file);
  if (name && value === undefined) {
    const names = exported(module).map(([key]) => key).join(', ') || 'nothing';
    throw new Refusal(`${shown(file)} exports no “${name}”: it exports ${names}`);
  }
  const reducer = reducerIn(value);
  const files = more.length ? graph(...entries, ...more) : own;
  if (!reducer) throw new Refusal(refusal(file, module, name, value, files));
  return {
    reducer: withRecordedIDs(reducer), notes: notes(),
    files: [...new Set([...files, ...loaded, ...variables])],
    state: firstState(options.state, module) ?? preloadedIn(value),
    actions: created([module, ...[...state.modules.values()].map(({ exports }) => exports)]),
    /** The app made anew: its store, as the loader noted it. */
    async again() {
      makePage();
      const host = globalThis[Symbol.for('retcon.host')];
      host.calls = {};
      const module = await load();
      const made = make ? madeBy(module[MADE] ?? (() => called(make, module)))
        : name ? named(module) : chosen(module, file);
      const entry = entryOf(made)
        ?? state.called.find(({ store }) => store.getState === made?.getState);
      if (!entry?.store) throw new Refusal(`${shown(file)} has no store to run whole`);
      const { apis, thunks } = state;
      const all = { apis: [...apis], thunks: [...thunks], calls: host.calls };
      return { entry, store: entry.store, ...all };
    },
  };
}

function firstState(file, module) {
  try {
    const own = () => module.preloadedState ?? module.initialState ?? module.InitialState
      ?? module.defaultState;
    const first = file ? JSON.parse(fs.readFileSync(file, 'utf8')) : own();
    return first?.[ABSENT] ? undefined : first;
  } catch (error) {
    throw new Refusal(`${file} is no state: ${error.message}`);
  }
}

/** Runs the steps of a test from a state, with the reducer of a file that its path names. */
export async function replay({ url }, target, state, options = {}) {
  const folder = path.dirname(fileURLToPath(url));
  const setup = options.setup && path.join(folder, options.setup);
  const { reducer } = await opened(path.join(folder, target), { ...options, setup });
  const typed = (before, action) => reducer(before, revived(action));
  return runner(typed, state, assert.deepEqual);
}

/** Runs an app with its middleware, for a test. It was recorded in a `place`: node or a page. */
export async function whole({ url }, target, { place = 'node', ...options } = {}) {
  const folder = path.dirname(fileURLToPath(url));
  const setup = options.setup && path.join(folder, options.setup);
  const app = await opened(path.join(folder, target), { ...options, setup, world: place });
  return ScriptedRun.made(app.again, options);
}
