// Where an import leads.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { isBuiltin } from 'node:module';
import { found, isFile, parsed, read, root, shown, upwards } from './files.mjs';

const ENDS = ['', '.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'];

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

/** The file that a path without its extension means, or that a folder stands for. */
function onDisk(base) {
  // TypeScript imports x.ts by the name that it will have: x.js.
  const stem = base.replace(/\.([cm]?)jsx?$/, '.$1ts');
  const index = ENDS.map((end) => path.join(base, `index${end}`));
  const file = [...ENDS.map((end) => base + end), stem, `${stem}x`, ...index].find(isFile);
  if (file || !isFile(path.join(base, 'package.json'))) return file;
  const { module, main } = parsed(read(path.join(base, 'package.json')));
  return [module, main].filter(Boolean).map((name) => onDisk(path.join(base, name)))[0];
}

const configs = new Map();

/** What the project's configuration calls otherwise. */
function aliased(name, from) {
  const config = found(from, 'tsconfig.json', 'jsconfig.json');
  if (!configs.has(config)) configs.set(config, aliases(config) ?? []);
  const source = [path.join(root(from), 'src/*')];
  const usual = [['@/', '', source], ['~/', '', source]];
  for (const [start, end, places] of [...configs.get(config), ...usual]) {
    const fits = end === undefined ? name === start : name.startsWith(start) && name.endsWith(end);
    if (!fits) continue;
    const middle = name.slice(start.length, name.length - (end?.length ?? 0));
    const file = places.map((place) => onDisk(place.replace('*', () => middle))).find(Boolean);
    if (file) return file;
  }
}

/** The file of the project that an import means; undefined if it means a package. */
export function local(name, from) {
  const isPath = /^[.\/]/.test(name);
  const clean = isPath ? name.replace(/\?.*$/, '') : name.replace(/[?#].*$/, '') || name;
  if (/^\.{0,2}\//.test(clean) || /^\.{1,2}$/.test(clean)) {
    const file = onDisk(path.resolve(path.dirname(from), clean));
    return file ?? (clean[0] === '/' ? onDisk(path.join(root(from), clean)) : undefined);
  }
  const file = aliased(clean, from);
  if (file || isBuiltin(clean)) return file;
  // A package of the same repository is source as well.
  const link = upwards(from).map((folder) => path.join(folder, 'node_modules', packageOf(clean)))
    .find((each) => fs.existsSync(each));
  if (!link || fs.realpathSync(link).includes('/node_modules/')) {
    return clean[0] === '#' ? inner(clean, from) : undefined;
  }
  try {
    return fs.realpathSync(createRequire(from).resolve(clean));
  } catch {
    return onDisk(link + clean.slice(packageOf(clean).length));
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

/** One sentence on a package that is not there. */
export function missing(name, from) {
  const file = found(from, 'package.json');
  const isListed = file && new RegExp(`"${name}"\\s*:`).test(read(file));
  const tool = managers[path.basename(found(from, ...Object.keys(managers)) ?? '')] ?? 'npm';
  const command = isListed ? 'install' : `${tool === 'npm' ? 'install' : 'add'} ${name}`;
  const project = file ? shown(path.dirname(file)) : 'its project';
  return `the package ${name} is not installed: run ${tool} ${command} in ${project}`;
}
