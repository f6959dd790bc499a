// Which files import which.
import path from 'node:path';
import { globbed } from './assets.mjs';
import { CODE, isFile, isPackaged, read, root, shown } from './files.mjs';
import { local, onDisk } from './resolution.mjs';

const IMPORT = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*(['"])([^'"\n]+)\1/g;
const TEXT = /'[^'\n]*'|"[^"\n]*"|`[^`]*`/g;
const GLOB = new RegExp(
  `\\bimport\\.meta\\.glob(?:Eager)?(?:<[^(]*>)?\\(\\s*(${TEXT.source}|\\[[^\\]]*\\])`, 'g');

/** The files that a file imports: of the project, or of the package that it is in. */
function imported(file) {
  if (!CODE.test(file)) return [];
  const text = read(file);
  const names = [...text.matchAll(IMPORT)].map(([, , name]) => name);
  const patterns = [...text.matchAll(GLOB)]
    .map(([, list]) => (list.match(TEXT) ?? []).map((each) => each.slice(1, -1)));
  const inPackage = isPackaged(file);
  return [
    ...names.filter((name) => !inPackage || name[0] === '.').map((name) => local(name, file)),
    ...patterns.flatMap((list) => [...globbed(list, file).values()]),
  ].filter((other) => other && (inPackage || !isPackaged(other)));
}

/** Files, with all that they import. */
export function graph(...entries) {
  const files = new Set(entries);
  for (const file of files) for (const other of imported(file)) files.add(other);
  return [...files];
}

const APPS = [
  'src/main', 'src/index', 'src/App', 'pages/_app', 'src/pages/_app', 'app/layout',
  'src/app/layout', 'index',
];

/** The file that a browser runs first. */
function appEntry(from) {
  const page = path.join(root(from), 'index.html');
  const script = isFile(page) && /<script[^>]*\ssrc=["']([^"']+)/.exec(read(page))?.[1];
  const named = script && onDisk(path.join(root(from), script));
  return named || APPS.map((name) => onDisk(path.join(root(from), name))).find(Boolean);
}

/** The file of the app that imports a file, as far as its own entry leads there. */
export function importer(file) {
  const entry = appEntry(file);
  return entry && graph(entry).find((each) => imported(each).includes(file));
}

/** Of a circle, the file that the app runs into first, and a sentence about it. */
export function firstInCircle(circle) {
  const entry = appEntry(circle[0]);
  const seen = new Set();
  const reached = (file) => {
    if (circle.includes(file)) return file;
    if (seen.has(file)) return undefined;
    seen.add(file);
    for (const other of imported(file)) {
      const first = reached(other);
      if (first) return first;
    }
  };
  const first = entry && reached(entry);
  if (!first) return [undefined, ''];
  return [first, `. The app's own entry, ${shown(entry)}, loads ${shown(first)} first`];
}
