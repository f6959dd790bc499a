// Loads a reducer as the bundler of its project would: part of retcon-host.mjs, and of the tests that
// retcon test writes for node. Needs node 18 and no packages.
//
// Files of the project become CommonJS by the esbuild or TypeScript that is there, and are run here; node
// loads packages, as well as all files where neither is there.
import childProcess from 'node:child_process';
import dns from 'node:dns';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Module, { createRequire, isBuiltin, syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import dgram from 'node:dgram';
import workers from 'node:worker_threads';
import { fileURLToPath, pathToFileURL } from 'node:url';

export class Refusal extends Error {}

const CODE = /\.[cm]?[jt]sx?$/;
const ENDS = ['', '.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'];
const isObject = (value) => typeof value === 'object' && value !== null;
const has = (object, key) => Object.prototype.hasOwnProperty.call(object, key);
const read = (file) => fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
const isFile = (file) => { try { return fs.statSync(file).isFile(); } catch { return false; } };
const shown = (file) => (/^(\.\.|$)/.test(path.relative('.', file)) ? file : path.relative('.', file));
const upwards = (file) => {
  const folder = path.dirname(file);
  return folder === file ? [] : [folder, ...upwards(folder)];
};
const found = (from, ...names) => upwards(from).flatMap((folder) => names.map((name) => path.join(folder, name))).find(isFile);

// MARK: Where an import leads

/** JSON with comments, as in tsconfig.json. */
function parsed(text) {
  const bare = text.replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[^]*?\*\//g, '$1');
  return JSON.parse(bare.replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, '$1'));
}

/** The aliases of a tsconfig.json or jsconfig.json: what they begin with and end with, and the places. */
function aliases(file, seen = []) {
  if (!file || seen.includes(file) || !isFile(file)) return undefined;
  let config;
  try { config = parsed(read(file)); } catch { return undefined; }
  const folder = path.dirname(file);
  const { baseUrl, paths } = config.compilerOptions ?? {};
  if (baseUrl || paths) {
    const base = path.resolve(folder, baseUrl ?? '.');
    const list = Object.entries(paths ?? {}).map(([pattern, places]) => {
      const [start, end] = pattern.split('*');
      return [start, end, places.map((place) => path.resolve(base, place))];
    });
    return baseUrl ? [...list, ['', '', [path.join(base, '*')]]] : list;
  }
  const others = [config.extends ?? [], (config.references ?? []).map((other) => other.path)].flat();
  for (const other of others) {
    const place = path.resolve(folder, other);
    const list = [place, `${place}.json`, path.join(place, 'tsconfig.json'), path.join(folder, 'node_modules', other)]
      .map((each) => aliases(each, [...seen, file])).find(Boolean);
    if (list) return list;
  }
}

function onDisk(base) {
  // TypeScript imports x.ts by the name that it will have: x.js.
  const stem = base.replace(/\.([cm]?)jsx?$/, '.$1ts');
  const names = [...ENDS.map((end) => base + end), stem, `${stem}x`, ...ENDS.map((end) => path.join(base, `index${end}`))];
  const file = names.find(isFile);
  if (file || !isFile(path.join(base, 'package.json'))) return file;
  const { module, main } = parsed(read(path.join(base, 'package.json')));
  return [module, main].filter(Boolean).map((name) => onDisk(path.join(base, name)))[0];
}

const configs = new Map();

/** The file of the project that an import means; undefined if it means a package. */
function local(name, from) {
  const clean = /^[.\/]/.test(name) ? name.replace(/\?.*$/, '') : name.replace(/[?#].*$/, '') || name;
  if (/^\.{0,2}\//.test(clean) || /^\.{1,2}$/.test(clean)) {
    return onDisk(path.resolve(path.dirname(from), clean)) ?? (clean[0] === '/' ? onDisk(path.join(root(from), clean)) : undefined);
  }
  const config = found(from, 'tsconfig.json', 'jsconfig.json');
  if (!configs.has(config)) configs.set(config, aliases(config) ?? []);
  const usual = [['@/', '', [path.join(root(from), 'src/*')]], ['~/', '', [path.join(root(from), 'src/*')]]];
  for (const [start, end, places] of [...configs.get(config), ...usual]) {
    if (!(end === undefined ? clean === start : clean.startsWith(start) && clean.endsWith(end))) continue;
    const middle = clean.slice(start.length, clean.length - (end?.length ?? 0));
    const file = places.map((place) => onDisk(place.replace('*', () => middle))).find(Boolean);
    if (file) return file;
  }
  if (isBuiltin(clean)) return undefined;
  // A package of the same repository is source as well.
  const link = upwards(from).map((folder) => path.join(folder, 'node_modules', packageOf(clean))).find((each) => fs.existsSync(each));
  if (!link || fs.realpathSync(link).includes('/node_modules/')) return clean[0] === '#' ? inner(clean, from) : undefined;
  try { return fs.realpathSync(createRequire(from).resolve(clean)); } catch { return onDisk(link + clean.slice(packageOf(clean).length)); }
}

/** A place of the project that its package.json names with a `#`. */
function inner(name, from) {
  try { return createRequire(from).resolve(name); } catch { return undefined; }
}

const packageOf = (name) => name.split('/').slice(0, name[0] === '@' ? 2 : 1).join('/');
const root = (from) => path.dirname(found(from, 'package.json') ?? from);

/** One sentence on a package that is not there. */
function missing(name, from) {
  const file = found(from, 'package.json');
  const isListed = file && new RegExp(`"${name}"\\s*:`).test(read(file));
  const tool = { 'yarn.lock': 'yarn', 'pnpm-lock.yaml': 'pnpm', 'bun.lockb': 'bun', 'bun.lock': 'bun' }[path.basename(found(from, 'yarn.lock', 'pnpm-lock.yaml', 'bun.lockb', 'bun.lock') ?? '')] ?? 'npm';
  return `the package ${name} is not installed: run ${tool} ${isListed ? 'install' : `${tool === 'npm' ? 'install' : 'add'} ${name}`} in ${file ? shown(path.dirname(file)) : 'its project'}`;
}

// MARK: Files into CommonJS

/** What turns the project's files into CommonJS: its own esbuild, vite's or tsx's, TypeScript, or esbuild on the path. */
function compiler(from) {
  const require = createRequire(from);
  for (const owner of [undefined, 'vite', 'tsx', 'vitest']) {
    try {
      const base = owner ? createRequire(require.resolve(`${owner}/package.json`)) : require;
      const place = path.dirname(base.resolve('esbuild/package.json'));
      return (files) => byEsbuild(path.join(place, 'bin/esbuild'), files);
    } catch {}
  }
  try {
    const typescript = require('typescript');
    if (typescript.transpileModule) return (files) => byTypeScript(typescript, files);
  } catch {}
  const onPath = (process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, 'esbuild')).find(isFile);
  return onPath && ((files) => byEsbuild(onPath, files));
}

function byEsbuild(program, files) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'retcon-'));
  const [texts, failures] = [new Map(), new Map()];
  const resolves = (name) => { try { return createRequire(files[0]).resolve(name); } catch { return undefined; } };
  try {
    for (let failed = -1; failed < failures.size && failures.size < files.length;) {
      failed = failures.size;
      const rest = files.filter((file) => !failures.has(file));
      const { stderr, status, error } = childProcess.spawnSync(program, [
        ...rest.map((file) => `f${files.indexOf(file)}=${file}`), `--outdir=${folder}`, '--format=cjs', '--platform=node', '--target=node18',
        '--charset=utf8', '--sourcemap=inline', '--sources-content=false', '--log-level=error', '--log-limit=0', '--color=false',
        '--define:import.meta=__meta', '--supported:dynamic-import=false', ...(resolves('react/jsx-runtime') ? ['--jsx=automatic'] : []),
        ...['js', 'mjs', 'cjs'].map((end) => `--loader:.${end}=jsx`),
      ], { encoding: 'utf8', cwd: path.dirname(files[0]), maxBuffer: 1 << 28 });
      if (error) throw new Refusal(`${program} does not start: ${error.message}`);
      if (status === 0) break;
      for (const [, words, place, line] of stderr.matchAll(/\[ERROR\] (.*)\n\n\s+(.*?):(\d+:\d+):/g)) {
        const file = path.resolve(path.dirname(files[0]), place);
        if (!failures.has(file)) failures.set(file, `SyntaxError: ${words} at ${shown(file)}:${line}`);
      }
      if (failed === failures.size) throw new Refusal(`esbuild says: ${stderr.trim().split('\n')[0]}`);
    }
    for (const file of files) if (!failures.has(file)) texts.set(file, read(path.join(folder, `f${files.indexOf(file)}.js`)));
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
  return (file) => {
    if (failures.has(file)) throw new Refusal(failures.get(file));
    // The map names its source as seen from the folder that is gone.
    return texts.get(file).replace(/(?<=\n\/\/# sourceMappingURL=data:application\/json;base64,)\S+/, (map) => {
      const told = { ...JSON.parse(Buffer.from(map, 'base64')), sources: [pathToFileURL(file).href] };
      return Buffer.from(JSON.stringify(told)).toString('base64');
    });
  };
}

function byTypeScript(typescript) {
  const { ModuleKind, ScriptTarget, JsxEmit } = typescript;
  const compilerOptions = {
    module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 ?? ScriptTarget.ES2020, jsx: JsxEmit.ReactJSX ?? JsxEmit.React,
    esModuleInterop: true, allowJs: true, inlineSourceMap: true, experimentalDecorators: true,
  };
  return (file) => {
    const fileName = file.replace(/\.[cm]?js$/, '.jsx');
    const { outputText, diagnostics } = typescript.transpileModule(read(file).replace(/\bimport\.meta\b/g, '__meta'), { compilerOptions, fileName, reportDiagnostics: true });
    const wrong = diagnostics.find(({ category }) => category === 1);
    if (wrong) throw new Refusal(`SyntaxError: ${typescript.flattenDiagnosticMessageText(wrong.messageText, ' ')} at ${shown(file)}`);
    return outputText;
  };
}

/** The files of the project that one of them imports, with their imports. */
function graph(entry) {
  const files = new Set([entry]);
  for (const file of files) {
    if (!CODE.test(file)) continue;
    for (const [, , name] of read(file).matchAll(/(?:\bfrom|\bimport|\brequire)\s*\(?\s*(['"])([^'"\n]+)\1/g)) {
      const other = local(name, file);
      if (other && !other.includes('/node_modules/')) files.add(other);
    }
  }
  return [...files];
}

// MARK: Running them

const state = { isReducing: false, notes: new Set(), stores: [], absent: new Map() };

export const reducing = () => { state.isReducing = true; };

/** A package that only import() can load. */
class Later extends Error {
  constructor(name, from) { super(`${name} has to be imported`); Object.assign(this, { name, from }); }
}

const ABSENT = Symbol('retcon.absent');

/** What stands for all of a package that is not there: a step ends that uses it. */
function absent(words, isInner) {
  const unless = (value) => {
    if (state.isReducing) throw new Error(words);
    return value;
  };
  const again = () => unless(absent(words));
  return new Proxy(function () {}, {
    get: (target, key) => key === ABSENT ? words : key === '__esModule' ? true : key === 'prototype' ? target.prototype
      : key === Symbol.toPrimitive ? () => unless(words) : typeof key === 'symbol' || key === 'then' ? undefined : absent(words),
    apply: again, construct: again,
    // Compilers make an object of a module that has its prototype.
    getPrototypeOf: () => isInner ? Function.prototype : absent(words, true),
  });
}

const compose = (...calls) => calls.filter((call) => typeof call === 'function').reduce((outer, inner) => (...given) => outer(inner(...given)), (value) => value);

/** As much of Redux as making a store takes, where it is not installed. */
function redux() {
  const createStore = (reducer, first) => {
    let current = typeof first === 'function' ? undefined : first;
    const store = {
      getState: () => current, subscribe: () => () => {}, replaceReducer: (next) => { reducer = next; },
      dispatch: (action) => { if (isObject(action)) current = reducer(current, action); return action; },
    };
    store.dispatch({ type: '@@INIT' });
    return store;
  };
  return {
    createStore, legacy_createStore: createStore, combineReducers: combined, compose,
    applyMiddleware: () => (make) => make, bindActionCreators: (actions) => actions, __esModule: true,
  };
}

const isAsset = (name) => /\.[a-z0-9]+$/i.test(name) && /\.(css|s[ac]ss|less|styl|svg|png|jpe?g|gif|webp|avif|ico|bmp|woff2?|ttf|otf|eot|mp[34]|wav|ogg|webm|pdf|txt|md|mdx|html|csv|gql|graphql|vue|svelte|wasm|ya?ml)$/i.test(name.replace(/[?#].*$/, ''));

function asset(name) {
  state.notes.add(`${path.basename(name)} is no code: an empty stand-in is used`);
  return { __esModule: true, default: /\.(css|s[ac]ss|less|styl)$/.test(name) ? {} : path.basename(name) };
}

async function run(entry, files, textOf) {
  const imported = new Map();
  process.setSourceMapsEnabled?.(true);
  for (;;) {
    try {
      return evaluated(entry, textOf, imported);
    } catch (error) {
      if (!(error instanceof Later)) throw error;
      imported.set(error.name, await import(`retcon:${encodeURIComponent(JSON.stringify([error.name, error.from]))}`));
    }
  }
}

function evaluated(entry, textOf, imported) {
  const modules = new Map();
  const load = (file) => {
    if (modules.has(file)) return modules.get(file).exports;
    const module = { exports: {}, id: file, filename: file, children: [], paths: [] };
    modules.set(file, module);
    if (/\.json$/.test(file)) return (module.exports = JSON.parse(read(file)));
    const holder = new Module(file);
    holder.filename = file;
    holder._compile(`module.exports = function (exports, require, module, __filename, __dirname, __meta) {${textOf(file)}\n};`, file);
    const meta = { url: pathToFileURL(file).href, env: environment(), glob: () => ({}) };
    holder.exports.call(module.exports, module.exports, requirer(file), module, file, path.dirname(file), meta);
    return module.exports;
  };
  const requirer = (from) => Object.assign((name) => {
    const file = local(name, from);
    if (file) return /\.json$/.test(file) || (CODE.test(file) && !file.includes('/node_modules/')) ? load(file) : isAsset(file) ? asset(file) : createRequire(from)(file);
    if (isAsset(name)) return asset(name);
    if (/^\.{0,2}\//.test(name)) throw new Refusal(`${shown(from)} imports ${name}, and there is no such file`);
    return imported.get(name) ?? external(name, from);
  }, { resolve: (name) => local(name, from) ?? createRequire(from).resolve(name), context: () => Object.assign(() => ({}), { keys: () => [] }) });
  try {
    return load(entry);
  } catch (error) {
    if (error instanceof Later || !state.stores.length) throw error;
    state.notes.add(`${shown(entry)} ended early, after it had made its store: ${error.message}`);
    return modules.get(entry).exports;
  }
}

function external(name, from) {
  try {
    return createRequire(from)(name);
  } catch (error) {
    if (['ERR_REQUIRE_ESM', 'ERR_REQUIRE_ASYNC_MODULE', 'ERR_PACKAGE_PATH_NOT_EXPORTED'].includes(error.code)) throw new Later(name, from);
    const gone = error.code === 'MODULE_NOT_FOUND' && /^Cannot find module '([^']+)'/.exec(error.message)?.[1];
    if (!gone || /^[./]/.test(gone)) throw error;
    const words = missing(packageOf(gone), from);
    if (gone !== name) throw new Refusal(words);
    state.absent.set(packageOf(gone), words);
    return name === 'redux' ? wrapped(redux()) : absent(words);
  }
}

// MARK: node's own way, with hooks

/** Redux tells nobody which reducer a store has, so it is noted when the store is made. */
const noted = (make) => make && ((reducer, ...rest) => {
  const entry = { reducer };
  state.stores.push(entry);
  const store = make(reducer, ...rest);
  return (entry.store = { ...store, replaceReducer: (next) => { entry.reducer = next; store.replaceReducer(next); } });
});
globalThis[Symbol.for('retcon.noted')] = noted;

const wrappers = new WeakMap();

function wrapped(real) {
  if (!isObject(real)) return real;
  if (!wrappers.has(real)) {
    const all = Object.getOwnPropertyDescriptors(real);
    for (const name of ['createStore', 'legacy_createStore']) all[name] = { value: noted(real[name] ?? real.createStore), enumerable: true };
    wrappers.set(real, Object.defineProperties({}, all));
  }
  return wrappers.get(real);
}

/** An error that is a sentence already, also when it comes from the thread of the hooks. */
const plainly = (words) => Object.assign(new Error(words), { code: 'ERR_RETCON' });

export async function resolve(name, context, next) {
  if (name.startsWith('retcon:')) {
    const [real, from] = JSON.parse(decodeURIComponent(name.slice(7)));
    return next(real, { ...context, parentURL: pathToFileURL(from).href });
  }
  const from = context.parentURL?.startsWith('file:') ? fileURLToPath(context.parentURL) : undefined;
  const isOwn = from && !from.includes('/node_modules/');
  if (isOwn && isAsset(name)) return { url: `data:text/javascript,export default {}`, format: 'module', shortCircuit: true };
  if (name === 'redux' && from) {
    const { url } = await next(name, context);
    const words = `export * from ${JSON.stringify(url)}; import * as real from ${JSON.stringify(url)};
      const noted = globalThis[Symbol.for('retcon.noted')];
      export const createStore = noted(real.createStore), legacy_createStore = noted(real.legacy_createStore ?? real.createStore);`;
    return { url: 'data:text/javascript,' + encodeURIComponent(words), format: 'module', shortCircuit: true };
  }
  try {
    return await next(name, context);
  } catch (error) {
    const file = isOwn && /MODULE_NOT_FOUND|DIR_IMPORT|NOT_DEFINED/.test(error.code) && local(name, from);
    if (file) return next(pathToFileURL(file).href, context);
    if (isOwn && !/^\.{0,2}\//.test(name)) throw plainly(missing(packageOf(name), from));
    throw error;
  }
}

export async function load(url, context, next) {
  if (!/^file:.*\.(json|[cm]?tsx?|jsx)$/.test(url) || url.includes('/node_modules/')) return next(url, context);
  const file = fileURLToPath(url);
  if (/json$/.test(url)) return { source: `export default ${read(file)}`, format: 'module', shortCircuit: true };
  if (/x$/.test(url)) throw plainly(`${shown(file)} holds JSX: install esbuild or typescript in the project`);
  if (!process.features.typescript) {
    throw plainly(`${shown(file)} is TypeScript, and node ${process.versions.node} does not strip types: install esbuild or typescript in the project, or use node 22.18 or newer`);
  }
  return next(url, context);
}

function hookModules() {
  Module.register?.(import.meta.url);
  const real = Module._load;
  Module._load = function (name, ...rest) {
    const module = real.call(this, name, ...rest);
    return name === 'redux' ? wrapped(module) : module;
  };
}

// MARK: A browser that has nothing

const environment = () => ({ MODE: 'development', DEV: true, PROD: false, SSR: false, BASE_URL: '/', ...process.env });

const refuse = (what) => () => { throw new Error(`${what} is refused: a reducer is run without network and files to write`); };

/** Enough of a browser for a module that sets up a store. */
function browse() {
  const nothing = () => {};
  const storage = () => {
    const items = new Map();
    return {
      getItem: (key) => items.get(String(key)) ?? null, setItem: (key, value) => { items.set(String(key), String(value)); },
      removeItem: (key) => { items.delete(String(key)); }, clear: () => items.clear(), key: (index) => [...items.keys()][index] ?? null,
      get length() { return items.size; },
    };
  };
  const element = () => ({
    style: {}, dataset: {}, children: [], childNodes: [], classList: { add: nothing, remove: nothing, toggle: nothing, contains: () => false },
    appendChild: (child) => child, append: nothing, removeChild: (child) => child, setAttribute: nothing, getAttribute: () => null,
    addEventListener: nothing, removeEventListener: nothing, querySelector: () => null, querySelectorAll: () => [], remove: nothing, nodeType: 1,
  });
  const document = {
    ...element(), nodeType: 9, cookie: '', readyState: 'complete', hidden: false, visibilityState: 'visible', body: element(), head: element(),
    documentElement: element(), createElement: element, createElementNS: element, createTextNode: element, createDocumentFragment: element,
    getElementById: element, getElementsByTagName: () => [], getElementsByClassName: () => [],
  };
  class Observer { observe() {} unobserve() {} disconnect() {} }
  const extension = () => (make) => make;
  const world = {
    window: globalThis, self: globalThis, document, localStorage: storage(), sessionStorage: storage(),
    location: { href: 'http://localhost/', origin: 'http://localhost', protocol: 'http:', host: 'localhost', hostname: 'localhost', port: '', pathname: '/', search: '', hash: '', reload: nothing, assign: nothing, replace: nothing },
    history: { length: 1, state: null, pushState: nothing, replaceState: nothing, back: nothing, forward: nothing, go: nothing },
    navigator: { userAgent: 'node', language: 'en', languages: ['en'], onLine: false, platform: '' }, screen: { width: 0, height: 0 },
    addEventListener: nothing, removeEventListener: nothing, dispatchEvent: () => true, alert: nothing, confirm: () => false, prompt: () => null,
    matchMedia: () => ({ matches: false, addListener: nothing, removeListener: nothing, addEventListener: nothing, removeEventListener: nothing }),
    requestAnimationFrame: () => 0, cancelAnimationFrame: nothing, getComputedStyle: () => ({}), innerWidth: 0, innerHeight: 0, devicePixelRatio: 1,
    MutationObserver: Observer, IntersectionObserver: Observer, ResizeObserver: Observer, HTMLElement: class {}, Element: class {}, Node: class {}, Image: class {},
    fetch: async () => refuse('fetch')(), __REDUX_DEVTOOLS_EXTENSION__: extension,
    __REDUX_DEVTOOLS_EXTENSION_COMPOSE__: (...calls) => calls.some((call) => typeof call === 'function') ? compose(...calls) : compose,
  };
  for (const name of ['XMLHttpRequest', 'WebSocket', 'EventSource', 'Worker', 'SharedWorker']) world[name] = class { constructor() { refuse(name)(); } };
  for (const [name, value] of Object.entries(world)) Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  // Whole pages are rendered by packages that may be too much for this world; what they throw later is theirs.
  closeWorld();
}

/** Loaded code reaches no network, starts no program and changes no file, unless it means harm. */
function closeWorld() {
  net.Socket.prototype.connect = refuse('the network');
  net.Server.prototype.listen = refuse('the network');
  for (const name of ['send', 'bind', 'connect']) dgram.Socket.prototype[name] = refuse('the network');
  for (const name of Object.keys(dns)) if (/^(lookup|resolve|reverse)/.test(name)) dns[name] = refuse('the network');
  for (const name of Object.keys(childProcess)) if (/^(spawn|exec|fork)/.test(name)) childProcess[name] = refuse('starting a program');
  workers.Worker = class { constructor() { refuse('starting a worker')(); } };
  for (const all of [fs, fs.promises]) {
    for (const name of Object.keys(all)) {
      if (/^(writeFile|appendFile|truncate|ftruncate|mkdir|mkdtemp|rm|rmdir|unlink|rename|copyFile|cp|link|symlink|l?ch(mod|own)|l?utimes|createWriteStream)(Sync)?$/.test(name)) all[name] = refuse('writing a file');
    }
    for (const name of ['open', 'openSync'].filter((each) => all[each])) {
      const real = all[name];
      all[name] = (file, flags, ...rest) => (flags === undefined || typeof flags === 'function' || (typeof flags === 'number' ? !(flags & 0o3103) : /^(r|rs|sr)$/.test(flags)) ? real(file, flags, ...rest) : refuse('writing a file')());
    }
  }
  syncBuiltinESMExports();
}

// MARK: Finding the reducer

export function combined(reducers) {
  const isThere = (key) => !reducers[key][ABSENT] || (state.notes.add(`${key} is left out of the state: ${reducers[key][ABSENT]}`), false);
  const keys = Object.keys(reducers).filter((key) => typeof reducers[key] === 'function' && isThere(key));
  return (before = {}, action) => {
    const next = Object.fromEntries(keys.map((key) => [key, reducers[key](before[key], action)]));
    const gone = keys.find((key) => next[key] === undefined);
    if (gone !== undefined) throw new Error(`the reducer “${gone}” returned undefined`);
    return keys.length === Object.keys(before).length && keys.every((key) => next[key] === before[key]) ? before : next;
  };
}

const isStore = (value) => (isObject(value) || typeof value === 'function') && typeof value.getState === 'function';

/** What holds a state and no reducer. */
const otherStore = (value) => (value?.[ABSENT] ? undefined : typeof value?.transition === 'function' ? 'a machine of XState' : value?.$id ? 'a store of Pinia'
  : typeof value?.commit === 'function' ? 'a store of Vuex' : undefined);

/** A store of zustand: an action is the name of a function in its state, with what it is given. */
function acting(store) {
  const all = store.getInitialState?.() ?? store.getState();
  const data = (state) => (isObject(state) ? Object.fromEntries(Object.entries(state).filter(([, value]) => typeof value !== 'function')) : state);
  const calls = Object.fromEntries(Object.entries(all).filter(([, value]) => typeof value === 'function'));
  return (state = data(all), action) => {
    store.setState({ ...state, ...calls }, true);
    if (typeof store.dispatch === 'function') store.dispatch(action);
    else if (action.type === 'setState') store.setState(...(action.arguments ?? []));
    else if (has(calls, action.type)) calls[action.type](...(action.arguments ?? ('payload' in action ? [action.payload] : [])));
    return data(store.getState());
  };
}

/** The reducer in what a file exports; undefined where there is none. */
function reducerIn(value) {
  if (value?.[ABSENT]) throw new Refusal(value[ABSENT]);
  const entry = state.stores.find(({ store }) => store === value || (isStore(value) && store.getState === value.getState));
  if (entry) return (current, action) => entry.reducer(current, action);
  if (isStore(value) && typeof value.setState === 'function') return acting(value);
  if (typeof value === 'function') return value;
  if (!isObject(value) || isStore(value)) return undefined;
  if (typeof value.reducer === 'function') return value.reducer;
  const members = Object.values(value);
  return members.length > 0 && members.every((member) => typeof member === 'function') ? combined(value) : undefined;
}

/** The names of the parameters, as a function's text has them. */
function parameters(call) {
  const text = call.toString();
  const names = [''];
  let depth = 0;
  for (const letter of text.slice(text.indexOf('('))) {
    if (/[)\]}]/.test(letter) && --depth === 0) break;
    if (depth === 1 && letter === ',') names.push('');
    else if (depth > 0) names.push(names.pop() + letter);
    if (/[([{]/.test(letter)) depth++;
  }
  return names.map((name) => name.trim());
}

/** What a reader of its text would take for a reducer: it is given a state and an action. */
const looksLikeReducer = (name, value) => typeof value === 'function' && !/^(use|select|create|fetch)[A-Z]/.test(name)
  && (/reducer$/i.test(name) || (parameters(value).length === 2 && /^(_?act\w*|a|event|msg|message|\{\s*(type|payload)\b)/.test(parameters(value)[1])));
const makesStore = (name, value) => typeof value === 'function' && /^(configure|create|make|setup|init|get)\w*store$/i.test(name);

/** The most store-like of what is exported: if there is one of a kind, whatever its name. */
function chosen(module, file) {
  const all = Object.entries(module).filter(([name]) => name !== 'module.exports' && name !== '__esModule');
  const gone = all.find(([, value]) => value?.[ABSENT]);
  const first = module.default;
  // All of a module of CommonJS is its default export, too: its only reducer counts as one of an ES module does.
  const isCommon = isObject(first) && !isStore(first) && all.length > 1 && all.every(([name, value]) => name === 'default' || first[name] === value);
  const named = isCommon ? Object.entries(first).filter(([name, value]) => looksLikeReducer(name, value)) : [];
  const holdsStore = named.length === 1 && Object.values(first).some((value) => isStore(value) || value?.reducer);
  if (named.length === 1 && !holdsStore && /reducer$/i.test(named[0][0])) return named[0][1];
  const isMaker = !first?.[ABSENT] && makesStore(first?.name, first);
  if (first !== undefined && !first?.[ABSENT] && !isMaker && !(isStore(first) && !reducerIn(first))) {
    const reducer = typeof first === 'function' && !isStore(first) && !looksLikeReducer(first.name, first) && all.length > 1 ? undefined : reducerIn(first);
    if (reducer) return first;
  }
  const kinds = [
    ([, value]) => isStore(value),
    ([name, value]) => typeof value === 'function' && /^(root|app|main)?_?reducers?$/i.test(name),
    ([, value]) => isObject(value) && !isStore(value) && typeof value.reducer === 'function',
    ([name, value]) => looksLikeReducer(name, value) && !isStore(value),
  ];
  for (const kind of kinds) {
    const list = all.filter((each) => !each[1]?.[ABSENT] && kind(each));
    const values = new Set(list.map(([, value]) => value));
    if (values.size === 1) return list[0][1];
    if (values.size > 1) throw new Refusal(`${shown(file)} exports several: name one of ${list.map(([name]) => `${shown(file)}#${name}`).join(', ')}`);
  }
  const makers = all.filter(([name, value]) => makesStore(name, value) || (name === 'default' && isMaker));
  if (!state.stores.length && makers.length) {
    try { makers[0][1](); } catch (error) {
      if (!state.stores.length) throw error;
      state.notes.add(`${makers[0][0]}() ended early, after it had its reducer: ${error.message}`);
    }
  }
  if (state.stores.length === 1) return state.stores[0];
  if (typeof first === 'function' && !first[ABSENT] && !isMaker) return first;
  const words = first?.[ABSENT] ?? gone?.[1][ABSENT] ?? [/^(redux|@reduxjs\/toolkit|zustand)$/, /redux|store/].flatMap((kind) => [...state.absent].filter(([name]) => kind.test(name)))[0]?.[1];
  if (words) throw new Refusal(words);
  return undefined;
}

function namespace(module) {
  if (module?.default?.__esModule && !module.default[ABSENT]) return { ...module.default };
  if (module?.__esModule || Object.prototype.toString.call(module) === '[object Module]') return module;
  if (isObject(module) && !Object.keys(module).length) return {};
  return { ...(isObject(module) ? module : {}), default: module };
}

async function imports(file) {
  const compile = compiler(file);
  const own = () => import(pathToFileURL(file).href);
  const bundled = () => {
    const files = graph(file);
    const textOf = compile(files.filter((each) => CODE.test(each)));
    browse();
    return run(file, files, textOf);
  };
  if (!compile) return browse(), own();
  if (!/\.[cm]js$/.test(file)) return bundled();
  const files = graph(file);
  const textOf = compile(files.filter((each) => CODE.test(each)));
  browse();
  return own().catch((error) => run(file, files, textOf).catch(() => { throw error; }));
}

/** What is to be said about what was loaded. */
function notes() {
  const [first, ...others] = state.absent.values();
  const names = [...state.absent.keys()].slice(1);
  const absentees = first ? [`${first}${names.length ? ` (and ${names.join(', ')})` : ''}. A step that uses ${others.length ? 'one of them' : 'it'} ends`] : [];
  if (state.absent.has('redux')) absentees.push('Until redux is installed, Retcon makes the store and combines reducers');
  return [...absentees, ...state.notes];
}

/** The reducer of a file, the first state where the file has one, and what is to be said about both. */
export async function opened(target, stateFile, says = (error) => error.message) {
  const [, place, name] = fs.existsSync(target) ? [0, target] : /^(.*?)(?:#(.*))?$/s.exec(target);
  const file = path.resolve(place);
  if (!fs.existsSync(file)) throw new Refusal(`there is no file ${shown(file)}`);
  hookModules();
  let module;
  try {
    module = namespace(await imports(file));
  } catch (error) {
    throw new Refusal(`${shown(file)} cannot be loaded: ${error instanceof Refusal || error.code === 'ERR_RETCON' ? error.message : says(error)}`);
  }
  const names = Object.keys(module).filter((key) => key !== 'module.exports' && key !== '__esModule');
  const words = names.length ? `it exports ${names.join(', ')}` : 'it exports nothing';
  const value = name ? (has(module, name) ? module[name] : module.default?.[name]) : chosen(module, file);
  if (name && value === undefined) throw new Refusal(`${shown(file)} exports no “${name}”: ${words}`);
  const reducer = reducerIn(value);
  if (!reducer) {
    const other = [value, ...Object.values(module)].map(otherStore).find(Boolean);
    if (other) throw new Refusal(`${shown(file)} exports ${other}, and Retcon runs only reducers: open the session without --reducer`);
    throw new Refusal(isStore(value) || isStore(module.default)
      ? `${shown(file)} exports a store that was not made by the package redux, and such a store does not give its reducer away: name the reducer, as ${shown(file)}#rootReducer`
      : `${shown(file)} has no reducer ${name ? `in “${name}”` : 'as its default export'}: ${words}. Name one, as ${shown(file)}#rootReducer`);
  }
  try {
    const first = stateFile ? JSON.parse(fs.readFileSync(stateFile, 'utf8')) : module.preloadedState ?? module.initialState ?? module.InitialState;
    return { reducer, state: first?.[ABSENT] ? undefined : first, notes: notes(), files: graph(file) };
  } catch (error) {
    throw new Refusal(`${stateFile} is no state: ${error.message}`);
  }
}
