// Runs the project's files; node loads packages, as far as it can.
import Module from 'node:module';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { asset, glob, isAsset, queried } from './assets.mjs';
import { environment } from './environment.mjs';
import { CODE, Refusal, isObject, read, shown } from './files.mjs';
import { refuseRequiredModules } from './node-hooks.mjs';
import { local, missing, packageOf, packaged } from './resolution.mjs';
import { absent, forgetStores, noticed, redux, state } from './stand-ins.mjs';

/** node forgets the source map of a module without a reference. */
const holders = [];

/** A package that only import() can load. */
class Later extends Error {
  constructor(name, from) {
    super(`${name} has to be imported`);
    Object.assign(this, { name, from });
  }
}

/** Replaces a package that node cannot load: its files are compiled and run like the app's. */
const OURS = Symbol('retcon.ours');

/** An ES module, as a file that was compiled to CommonJS expects it. */
const asCommon = (module) => ('default' in module ? { __esModule: true, ...module } : module);

/** Which file was being run when an error was thrown. */
const failed = new WeakMap();

/**
 * Runs files one after another, and again until all packages are there that only import() can load.
 * Returns what the last one exports, in a list: it may be no promise and have a function `then`.
 */
export async function run(files, textOf, firstInCircle) {
  const imported = new Map();
  let isRetried = false;
  process.setSourceMapsEnabled?.(true);
  refuseRequiredModules();
  for (;;) {
    const circles = new Map();
    try {
      forgetStores();
      return [evaluated(files, textOf, imported, circles)];
    } catch (error) {
      if (error instanceof Later) {
        const place = encodeURIComponent(JSON.stringify([error.name, error.from]));
        const module = await import(`retcon:${place}`).catch((reason) => (
          packaged(error.name, error.from) ? OURS : Promise.reject(reason)));
        imported.set(error.name, module === OURS ? OURS : asCommon(noticed(error.name, module)));
        continue;
      }
      if (error instanceof Refusal || !isObject(error)) throw error;
      const file = failed.get(error);
      const circle = isOfCircle(error) ? circles.get(file) : undefined;
      const isOfPage = /is not defined$/.test(error.message);
      const own = state.wanting.get(file), words = own ?? [...state.absent.values()][0];
      if (!circle && (!words || isOfPage)) throw error;
      if (!circle) {
        throw new Refusal(own ? `${own}. Without it: ${error.message}`
          : `${error.message} in ${shown(file)}. Perhaps it needs what is missing: ${words}`);
      }
      const [first, told] = firstInCircle(circle);
      if (!first || isRetried) throw new Refusal(`${circular(circle, error)}${told}`);
      isRetried = true;
      files = [first, ...files];
    }
  }
}

const isOfCircle = (error) => error instanceof ReferenceError || /undefined/.test(error.message);

function circular(circle, error) {
  const ring = [...circle, circle[0]].map(shown).join(' → ');
  return `these files import each other in a circle: ${ring}. `
    + `${shown(circle.at(-1))} needs ${shown(circle[0])} before that has run: ${error.message}`;
}

function evaluated(files, textOf, imported, circles) {
  const modules = (state.modules = new Map());
  const load = (file) => {
    const { running } = state;
    if (modules.has(file)) {
      if (running.includes(file)) circles.set(running.at(-1), running.slice(running.indexOf(file)));
      return modules.get(file).exports;
    }
    const module = { exports: {}, id: file, filename: file, children: [], paths: [] };
    modules.set(file, module);
    if (/\.json$/.test(file)) return (module.exports = JSON.parse(read(file)));
    const holder = new Module(file);
    holder.filename = file;
    const names = 'exports, require, module, __filename, __dirname, __meta';
    holders.push(holder);
    holder._compile(`module.exports = function (${names}) {${textOf(file)}\n};`, file);
    const require = requirer(file);
    const folder = path.dirname(file);
    const meta = {
      url: pathToFileURL(file).href, filename: file, dirname: folder, env: environment,
      glob: (patterns, options) => glob(patterns, options, file, require),
    };
    meta.globEager = (patterns) => meta.glob(patterns, { eager: true });
    running.push(file);
    try {
      holder.exports.call(module.exports, module.exports, require, module, file, folder, meta);
    } catch (error) {
      if (isObject(error) && !failed.has(error)) failed.set(error, file);
      throw error;
    } finally {
      running.pop();
    }
    return module.exports;
  };
  const required = (name, from) => {
    const file = local(name, from);
    if (file) {
      const query = /\?.*$/.exec(name)?.[0];
      const asked = query && queried(file, query);
      if (asked) return asked;
      if (isAsset(file)) return asset(file);
      const inPackage = file.includes('/node_modules/') && !from.includes('/node_modules/');
      const isRun = /\.json$/.test(file) || (CODE.test(file) && !inPackage);
      return isRun ? load(file) : createRequire(from)(file);
    }
    if (isAsset(name)) return asset(name);
    if (/^\.{0,2}\//.test(name)) {
      throw new Refusal(`${shown(from)} imports ${name}, and there is no such file`);
    }
    const known = imported.get(name);
    if (known === OURS) return noticed(name, load(packaged(name, from)));
    return known ?? external(name, from);
  };
  const requirer = (from) => Object.assign((name) => required(name, from), {
    resolve: (name) => local(name, from) ?? createRequire(from).resolve(name),
    context: () => Object.assign(() => ({}), { keys: () => [] }),
  });
  try {
    return files.map(load).at(-1);
  } catch (error) {
    if (error instanceof Later || !state.stores.length) throw error;
    const entry = files.at(-1);
    state.notes.add(`${shown(entry)} ended early, after it had made its store: ${error.message}`);
    return modules.get(entry)?.exports ?? {};
  }
}

/** The error codes of node for a package that has to be imported, or be compiled first. */
const IMPORT_ONLY = [
  'ERR_REQUIRE_ESM', 'ERR_REQUIRE_ASYNC_MODULE', 'ERR_PACKAGE_PATH_NOT_EXPORTED',
  'ERR_MODULE_NOT_FOUND', 'ERR_UNSUPPORTED_DIR_IMPORT',
];

/** A package, or its replacement. */
function external(name, from) {
  try {
    return createRequire(from)(name);
  } catch (error) {
    const isModule = error instanceof SyntaxError && /\b(import|export)\b/.test(error.message);
    if (isModule || IMPORT_ONLY.includes(error.code)) throw new Later(name, from);
    const gone = error.code === 'MODULE_NOT_FOUND'
      && /^Cannot find module '([^']+)'/.exec(error.message)?.[1];
    if (!gone) throw error;
    if (packaged(name, from)) throw new Later(name, from);
    if (/^[./]/.test(gone)) throw error;
    const words = missing(packageOf(gone), from, name);
    if (gone !== name) throw new Refusal(words);
    state.absent.set(packageOf(gone), words);
    if (!state.wanting.has(from)) state.wanting.set(from, words);
    return name === 'redux' ? noticed('redux', redux()) : absent(words);
  }
}
