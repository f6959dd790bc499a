// Loads a reducer as the bundler of its project would: part of retcon-host.mjs, and of the tests
// that retcon test writes for node. Needs node 18 and no packages.
//
// Files of the project become CommonJS by the esbuild or TypeScript that is there, and are run
// here; node loads packages, as well as all files where neither is there. In Retcon's repository
// this is several modules, in the folder Loader; Retcon writes them as one file.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { browse } from './Loader/browser.mjs';
import { compiler, graph } from './Loader/compiling.mjs';
import { CODE, Refusal, has, isObject, shown } from './Loader/files.mjs';
import { hookModules } from './Loader/node-hooks.mjs';
import { chosen, exported, isStore, otherStore, reducerIn } from './Loader/reducers.mjs';
import { run } from './Loader/running.mjs';
import { ABSENT, reducing, state } from './Loader/stand-ins.mjs';

export { Refusal, reducing };

function namespace(module) {
  if (module?.default?.__esModule && !module.default[ABSENT]) return { ...module.default };
  const isModule = Object.prototype.toString.call(module) === '[object Module]';
  if (module?.__esModule || isModule) return module;
  if (isObject(module) && !Object.keys(module).length) return {};
  return { ...(isObject(module) ? module : {}), default: module };
}

async function imports(file) {
  const compile = compiler(file);
  const own = () => import(pathToFileURL(file).href);
  if (!compile) {
    browse();
    return own();
  }
  const textOf = compile(graph(file).filter((each) => CODE.test(each)));
  browse();
  if (!/\.[cm]js$/.test(file)) return run(file, textOf);
  return own().catch((error) => run(file, textOf).catch(() => { throw error; }));
}

/** What is to be said about what was loaded. */
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

/** Why there is no reducer in what a file exports. */
function refusal(file, module, name, value, words) {
  const other = [value, ...Object.values(module)].map(otherStore).find(Boolean);
  const advice = `as ${shown(file)}#rootReducer`;
  if (other) {
    return `${shown(file)} exports ${other}, and Retcon runs only reducers: `
      + 'open the session without --reducer';
  }
  if (isStore(value) || isStore(module.default)) {
    return `${shown(file)} exports a store that was not made by the package redux, and such a `
      + `store does not give its reducer away: name the reducer, ${advice}`;
  }
  const place = name ? `in “${name}”` : 'as its default export';
  return `${shown(file)} has no reducer ${place}: ${words}. Name one, ${advice}`;
}

/**
 * The reducer of a file, the first state where the file has one, and what is to be said about both.
 */
export async function opened(target, stateFile, says = (error) => error.message) {
  const [, place, name] = fs.existsSync(target) ? [0, target] : /^(.*?)(?:#(.*))?$/s.exec(target);
  const file = path.resolve(place);
  if (!fs.existsSync(file)) throw new Refusal(`there is no file ${shown(file)}`);
  hookModules();
  let module;
  try {
    module = namespace(await imports(file));
  } catch (error) {
    const isSentence = error instanceof Refusal || error.code === 'ERR_RETCON';
    const words = isSentence ? error.message : says(error);
    throw new Refusal(`${shown(file)} cannot be loaded: ${words}`);
  }
  const names = exported(module).map(([key]) => key);
  const words = names.length ? `it exports ${names.join(', ')}` : 'it exports nothing';
  const named = () => (has(module, name) ? module[name] : module.default?.[name]);
  const value = name ? named() : chosen(module, file);
  if (name && value === undefined) {
    throw new Refusal(`${shown(file)} exports no “${name}”: ${words}`);
  }
  const reducer = reducerIn(value);
  if (!reducer) throw new Refusal(refusal(file, module, name, value, words));
  return { reducer, state: firstState(stateFile, module), notes: notes(), files: graph(file) };
}

function firstState(file, module) {
  try {
    const own = () => module.preloadedState ?? module.initialState ?? module.InitialState;
    const first = file ? JSON.parse(fs.readFileSync(file, 'utf8')) : own();
    return first?.[ABSENT] ? undefined : first;
  } catch (error) {
    throw new Refusal(`${file} is no state: ${error.message}`);
  }
}
