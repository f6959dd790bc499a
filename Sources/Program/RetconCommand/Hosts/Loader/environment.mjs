// The variables that a bundler gives to an app: from the .env files of the project, and only those
// with a public prefix.
import fs from 'node:fs';
import path from 'node:path';
import { isFile, read, root } from './files.mjs';

const PREFIXES = [
  'VITE_', 'REACT_APP_', 'NEXT_PUBLIC_', 'VUE_APP_', 'EXPO_PUBLIC_', 'NX_PUBLIC_', 'GATSBY_',
  'STORYBOOK_', 'PUBLIC_',
];

/** The variables in the text of a .env file. */
function variables(text) {
  const quoted = /'[^']*'|"(?:\\.|[^"\\])*"|`[^`]*`/.source;
  const name = /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*/.source;
  const line = new RegExp(`${name}(${quoted}|[^#\\r\\n]*)`, 'gm');
  return [...text.matchAll(line)].map(([, name, value]) => {
    const bare = /^(['"`])([^]*)\1$/.exec(value.trim());
    if (!bare) return [name, value.trim()];
    return [name, bare[1] === '"' ? bare[2].replace(/\\n/g, '\n') : bare[2]];
  });
}

/** A value with the variables in it, as `$NAME` or `${NAME:-otherwise}`. */
function expanded(value, all, depth = 0) {
  if (depth > 8) return value;
  const use = /(\\?)\$(?:(\w+)|\{(\w+)(?::?-([^}]*))?\})/g;
  return value.replace(use, (text, isEscaped, bare, braced, other = '') => {
    if (isEscaped) return text.slice(1);
    const name = bare ?? braced;
    return expanded(process.env[name] ?? all.get(name) ?? other, all, depth + 1);
  });
}

/** Reads the .env files of a project; what is set already counts more. */
export function readEnvironment(entry, mode = 'development') {
  const folder = root(entry);
  const config = fs.readdirSync(folder).find((name) => /^vite\.config\.[cm]?[jt]s$/.test(name));
  const settings = config ? read(path.join(folder, config)) : '';
  const place = path.resolve(folder, /\benvDir\s*:\s*['"]([^'"]+)['"]/.exec(settings)?.[1] ?? '.');
  const prefix = /\benvPrefix\s*:\s*(\[[^\]]*\]|'[^']*'|"[^"]*")/.exec(settings)?.[1] ?? '';
  const more = [...prefix.matchAll(/['"]([^'"]+)['"]/g)].map(([, each]) => each);
  const isPublic = (name) => [...PREFIXES, ...more].some((each) => name.startsWith(each));
  // Next and Create React App read .env.local last, and for tests not at all.
  const names = config ? ['.env', '.env.local', `.env.${mode}`]
    : ['.env', `.env.${mode}`, ...(mode === 'test' ? [] : ['.env.local'])];
  const files = [...names, `.env.${mode}.local`].map((name) => path.join(place, name))
    .filter(isFile);
  const all = new Map(files.flatMap((file) => variables(read(file))));
  process.env.NODE_ENV ??= /^(production|test)$/.test(mode) ? mode : 'development';
  for (const [name, value] of all) {
    if (isPublic(name)) process.env[name] ??= expanded(value, all);
  }
  const shown = Object.entries(process.env).filter(([name]) => isPublic(name));
  const isProduct = process.env.NODE_ENV === 'production';
  Object.assign(environment, {
    MODE: mode, DEV: !isProduct, PROD: isProduct, SSR: false, BASE_URL: '/',
    ...Object.fromEntries(shown),
  });
  return files;
}

/** The value of `import.meta.env`. */
export const environment = {};
