// Where an import leads.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { isBuiltin } from 'node:module';
import { found, isFile, isPackaged, parsed, read, root, shown, upwards } from './files.mjs';

const ENDS = [
  '', '.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json',
  ...['.web', '.native'].flatMap((kind) => ['.ts', '.tsx', '.js', '.jsx'].map((end) => kind + end)),
];

/**
 * The aliases of a tsconfig.json or jsconfig.json: what they begin with and end with, and the
 * places.
 */
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
  const references = (config.references ?? []).map((other) => other.path);
  for (const other of [config.extends ?? [], references].flat()) {
    const place = path.resolve(folder, other);
    const inPackage = path.join(folder, 'node_modules', other);
    const list = [place, `${place}.json`, path.join(place, 'tsconfig.json'), inPackage]
      .map((each) => aliases(each, [...seen, file])).find(Boolean);
    if (list) return list;
  }
}

/** The file for a path without its extension, or for a folder. */
export function onDisk(base) {
  // TypeScript imports x.ts by the name that it will have: x.js.
  const stem = base.replace(/\.([cm]?)jsx?$/, '.$1ts');
  const index = ENDS.map((end) => path.join(base, `index${end}`));
  const file = [...ENDS.map((end) => base + end), stem, `${stem}x`, ...index].find(isFile);
  if (file || !isFile(path.join(base, 'package.json'))) return file;
  const { module, main } = parsed(read(path.join(base, 'package.json')));
  return [module, main].filter(Boolean).map((name) => onDisk(path.join(base, name)))[0];
}

const configs = new Map();

/** Where the project's configuration says that a name leads, and where it usually does. */
function placesOf(name, from) {
  const config = found(from, 'tsconfig.json', 'jsconfig.json');
  if (!configs.has(config)) configs.set(config, aliases(config) ?? []);
  const source = [path.join(root(from), 'src/*')];
  const usual = [['@/', '', source], ['~/', '', source]];
  return [...configs.get(config), ...usual].flatMap(([start, end, places]) => {
    const fits = end === undefined ? name === start : name.startsWith(start) && name.endsWith(end);
    if (!fits) return [];
    const middle = name.slice(start.length, name.length - (end?.length ?? 0));
    return places.map((place) => [start, place.replace('*', () => middle)]);
  });
}

/** The names that the project's configuration changes. */
const aliased = (name, from) => (
  placesOf(name, from).map(([, place]) => onDisk(place)).find(Boolean));

/** The file of the project that an import means; undefined if it means a package. */
export function local(name, from) {
  const isPath = /^[.\/]/.test(name);
  const clean = isPath ? name.replace(/\?.*$/, '') : name.replace(/[?#].*$/, '') || name;
  if (/^\.{0,2}\//.test(clean) || /^\.{1,2}$/.test(clean)) {
    const file = onDisk(path.resolve(path.dirname(from), clean));
    return file ?? (clean[0] === '/' ? onDisk(path.join(root(from), clean)) : undefined);
  }
  const inPackage = from.includes('/node_modules/');
  const file = inPackage ? undefined : aliased(clean, from);
  if (file || inPackage || isBuiltin(clean)) return file;
  const inFolder = (folder) => onDisk(path.join(root(from), folder, clean));
  // A package of the same repository is source as well.
  const link = upwards(from).map((folder) => path.join(folder, 'node_modules', packageOf(clean)))
    .find((each) => fs.existsSync(each));
  if (clean[0] === '#') return inner(clean, from);
  // Bundlers can be told that a folder of the source holds packages.
  if (!link) return ['src', 'app', '.'].map(inFolder).find(Boolean);
  if (fs.realpathSync(link).includes('/node_modules/')) return undefined;
  try {
    return fs.realpathSync(createRequire(from).resolve(clean));
  } catch {
    // It may not be built.
    const [folder, rest] = [fs.realpathSync(link), clean.slice(packageOf(clean).length)];
    return onDisk(folder + rest) ?? onDisk(path.join(folder, 'src', rest));
  }
}

/** A place of the project that its package.json names with a `#`. */
function inner(name, from) {
  try { return createRequire(from).resolve(name); } catch { return undefined; }
}

export const packageOf = (name) => name.split('/').slice(0, name[0] === '@' ? 2 : 1).join('/');

const managers = {
  'yarn.lock': 'yarn', 'pnpm-lock.yaml': 'pnpm', 'bun.lockb': 'bun', 'bun.lock': 'bun',
};

/** The conditions that bundlers choose in a package's exports. */
const CONDITIONS = ['module', 'import', 'browser', 'development', 'require', 'node', 'default'];

function choice(value, star) {
  if (typeof value === 'string') return value.replaceAll('*', () => star);
  if (Array.isArray(value)) return value.map((each) => choice(each, star)).find(Boolean);
  const names = Object.keys(value ?? {}).filter((name) => CONDITIONS.includes(name));
  return names.map((name) => choice(value[name], star)).find(Boolean);
}

/** The file of a package that an import means to a bundler, where node does not find or load it. */
export function packaged(name, from) {
  const link = upwards(from).map((each) => path.join(each, 'node_modules', packageOf(name)))
    .find((each) => isFile(path.join(each, 'package.json')));
  if (!link) return undefined;
  // pnpm has the packages that it imports beside the real folder.
  const folder = fs.realpathSync(link);
  const rest = `.${name.slice(packageOf(name).length)}`;
  const content = parsed(read(path.join(folder, 'package.json')));
  const { exports } = content;
  const isList = Object.keys(Object(exports)).some((key) => key[0] === '.');
  const all = isList ? exports : exports ? { '.': exports } : {};
  for (const [key, value] of Object.entries(all)) {
    const [start, end] = key.split('*');
    const fits = end === undefined ? key === rest : rest.startsWith(start) && rest.endsWith(end);
    const place = fits && choice(value, rest.slice(start.length, rest.length - (end ?? '').length));
    if (place) return onDisk(path.join(folder, place));
  }
  const { module, main } = rest === '.' ? content : {};
  const own = [module, main].map((each) => each && onDisk(path.join(folder, each))).find(Boolean);
  return own ?? onDisk(path.join(folder, rest));
}

/** One sentence on a package that is not there. */
export function missing(name, from, wanted = name) {
  const file = found(from.replace(/\/node_modules\/.*/, '/x'), 'package.json');
  const isListed = file && new RegExp(`"${name}"\\s*:`).test(read(file));
  const tool = managers[path.basename(found(from, ...Object.keys(managers)) ?? '')] ?? 'npm';
  const command = isListed ? 'install' : `${tool === 'npm' ? 'install' : 'add'} ${name}`;
  const project = file ? shown(path.dirname(file)) : 'its project';
  const lines = read(from).split('\n');
  const line = 1 + lines.findIndex((each) => /['"]/.test(each) && each.includes(wanted));
  const user = `${shown(from)}:${line || 1} imports ${wanted}`;
  const [, place] = placesOf(wanted, from)
    .find(([start, file]) => start && !isPackaged(file)) ?? [];
  if (place) {
    return `${user}, which means ${shown(place)}, and there is no such file: is it generated?`;
  }
  if (/^[\w-]+:|^~/.test(wanted)) {
    return `${user}, which a plugin of the bundler makes: add --with vite if it is one of vite`;
  }
  return `the package ${name} is not installed: run ${tool} ${command} in ${project} (${user})`;
}
