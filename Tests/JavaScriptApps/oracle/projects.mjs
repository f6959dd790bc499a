// Public projects that the oracle knows: where their store is, and how it gets the recorder. The
// code of a project is never kept here. Give its folder: PROJECT=DIR.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const TOOLKIT = [['configureStore({', 'configureStore({\n'
  + '  enhancers: (given) => given().prepend(recorder.enhancer),']];

/** By the name of a file in `projects`: a folder, a store, and what is replaced in its file. */
export const PROJECTS = {
  goals: { of: 'bradtraversy/mern-tutorial', store: 'src/app/store.js', edits: TOOLKIT },
  shop: { of: 'bradtraversy/proshop-v2', store: 'src/store.js', edits: TOOLKIT },
  cart: {
    of: 'burakorkmez/mern-ecommerce', store: 'src/stores/useCartStore.js', name: 'useCartStore',
    edits: [['create((', 'create(recorder.zustand(('], [/\}\)\);\s*$/, '})));\n']],
  },
};

/**
 * Lays a project down in a folder, with the recorder in its store and with `app`, the text of its
 * gestures. Returns what to load in a run, with and without the world, and where the store is.
 */
export function laidDown({ of, store, name, edits }, source, folder, app) {
  const place = path.join(folder, 'project'), at = (file) => path.join(place, file);
  for (const each of ['src', 'package.json']) {
    fs.cpSync(path.join(source, 'frontend', each), at(each), { recursive: true });
  }
  const up = path.relative(path.dirname(at(store)), at('retcon.mjs'));
  const before = fs.readFileSync(at(store), 'utf8');
  const text = edits.reduce((all, edit) => all.replace(...edit), before);
  const line = `import { recorder } from '${up.replace(/^(?!\.)/, './')}';`;
  fs.writeFileSync(at(store), `${line}\n${text}`);
  fs.writeFileSync(`${folder}/app.mjs`, app);
  const bundled = (world, file) => {
    fs.writeFileSync(at('retcon.mjs'), `import { record } from '../retcon-recorder.mjs';
export const recorder = record({ name: '${of}', limit: 100_000, world: ${world} });\n`);
    execFileSync('esbuild', [`${folder}/app.mjs`, '--bundle', '--format=esm', '--platform=browser',
      '--loader:.js=jsx', '--define:process.env.NODE_ENV="development"', '--log-level=error',
      `--outfile=${folder}/${file}`]);
    return `${folder}/${file}`;
  };
  const live = bundled(false, 'live.mjs'), recorded = bundled(true, 'recorded.mjs');
  return { recorded, live, reducer: `project/${store}${name ? `#${name}` : ''}` };
}
