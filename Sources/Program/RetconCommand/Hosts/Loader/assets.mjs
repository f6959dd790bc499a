// Imports that are not code: files with a query, many files by a pattern, styles and images.
import fs from 'node:fs';
import path from 'node:path';
import { read, root } from './files.mjs';
import { state } from './stand-ins.mjs';

const STYLES = ['css', 'scss', 'sass', 'less', 'styl'];
const ASSETS = [
  ...STYLES, 'svg', 'png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'ico', 'bmp', 'woff', 'woff2',
  'ttf', 'otf', 'eot', 'mp3', 'mp4', 'wav', 'ogg', 'webm', 'pdf', 'txt', 'md', 'mdx', 'html',
  'csv', 'gql', 'graphql', 'vue', 'svelte', 'wasm', 'yaml', 'yml',
];
const extension = (name) => path.extname(name.replace(/[?#].*$/, '')).slice(1).toLowerCase();

export const isAsset = (name) => ASSETS.includes(extension(name));

const asDefault = (value) => ({ __esModule: true, default: value });

export function asset(name) {
  state.notes.add(`${path.basename(name)} is no code: an empty stand-in is used`);
  return asDefault(STYLES.includes(extension(name)) ? {} : path.basename(name));
}

/** A worker that never answers. */
class SilentWorker extends EventTarget {
  postMessage() {}
  terminate() {}
}

/** The module that a bundler makes of a file with a query; undefined if the query means nothing to
   it. */
export function queried(file, query) {
  const words = query.slice(1).split('&').map((word) => word.replace(/=.*$/, ''));
  const isOneOf = (...names) => names.some((name) => words.includes(name));
  if (isOneOf('raw')) return asDefault(read(file));
  if (isOneOf('worker', 'sharedworker')) return asDefault(SilentWorker);
  if (isOneOf('url')) return asDefault(`/${path.relative(root(file), file)}`);
  if (!isOneOf('inline')) return undefined;
  if (STYLES.includes(extension(file))) return asDefault(read(file));
  const types = { svg: 'image/svg+xml', jpg: 'image/jpeg' };
  const type = types[extension(file)] ?? `image/${extension(file)}`;
  return asDefault(`data:${type};base64,${fs.readFileSync(file).toString('base64')}`);
}

function* filesIn(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (!entry.isDirectory()) yield place;
    else if (entry.name !== 'node_modules' && entry.name[0] !== '.') yield* filesIn(place);
  }
}

const SIGNS = {
  '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]', '{': '(?:', '}': ')', ',': '|',
};

/** A pattern of files, as a regular expression for whole paths. */
function expression(pattern) {
  let depth = 0;
  const text = pattern.replace(/\*\*\/|\*\*|[*?{},.+^$()|[\]\\]/g, (sign) => {
    if (sign === ',' && !depth) return sign;
    depth += sign === '{' ? 1 : sign === '}' ? -1 : 0;
    return SIGNS[sign] ?? `\\${sign}`;
  });
  return new RegExp(`^${text}$`);
}

/** The files that import.meta.glob means, by the keys that it gives them. */
export function globbed(patterns, from) {
  const here = path.dirname(from);
  const whole = (pattern) => {
    if (pattern[0] === '/') return path.join(root(from), pattern);
    if (pattern[0] === '.') return path.join(here, pattern);
    return path.join(root(from), 'src', pattern.replace(/^[@~]\//, ''));
  };
  const list = [patterns].flat();
  const refused = list.filter((each) => each[0] === '!')
    .map((each) => expression(whole(each.slice(1))));
  const result = new Map();
  for (const pattern of list.filter((each) => each[0] !== '!')) {
    const all = whole(pattern);
    const folder = all.replace(/[^/]*[*?{[].*$/, '');
    const fits = expression(all);
    if (!fs.existsSync(folder)) continue;
    for (const file of [...filesIn(folder)].sort()) {
      if (!fits.test(file) || file === from || refused.some((each) => each.test(file))) continue;
      const near = path.relative(here, file);
      const key = near[0] === '.' ? near : `./${near}`;
      result.set(pattern[0] === '.' ? key : `/${path.relative(root(from), file)}`, file);
    }
  }
  return result;
}

/** import.meta.glob, with a function that imports a file. */
export function glob(patterns, options, from, required) {
  const { eager, query = options?.as ? `?${options.as}` : '', import: name } = options ?? {};
  const words = typeof query === 'string' ? query : `?${new URLSearchParams(query)}`;
  const part = (file) => {
    const module = required(file + (words && !words.startsWith('?') ? `?${words}` : words));
    const wanted = name ?? (options?.as ? 'default' : '*');
    return wanted === '*' ? module : module[wanted];
  };
  const entries = [...globbed(patterns, from)];
  return Object.fromEntries(entries.map(([key, file]) => (
    [key, eager ? part(file) : async () => part(file)])));
}
