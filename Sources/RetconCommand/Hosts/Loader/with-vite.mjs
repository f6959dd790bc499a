// Loads modules with the project's own vite: its plugins, virtual modules and configuration. All of
// this runs with the user's rights, and only if the user asks for it.
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { browse } from './browser.mjs';
import { closeWorld } from './closed-world.mjs';
import { Refusal, has, root } from './files.mjs';
import { WRAPPERS, wrapping } from './stand-ins.mjs';

const SIGN = '\0retcon:';

/** A plugin that notes the stores that are made. */
const plugin = {
  name: 'retcon',
  enforce: 'pre',
  resolveId: (name, importer) => (
    has(WRAPPERS, name) && !importer?.startsWith(SIGN) ? SIGN + name : undefined),
  load(place) {
    const name = place.startsWith(SIGN) ? place.slice(SIGN.length) : undefined;
    return name && wrapping(name, name);
  },
};

/** What the last of these files exports. */
export async function byVite(files, mode) {
  const folder = root(files.at(-1));
  let place;
  try {
    place = path.dirname(createRequire(files.at(-1)).resolve('vite/package.json'));
  } catch {
    throw new Refusal(`--with vite needs vite in ${folder}`);
  }
  const { createServer } = await import(pathToFileURL(path.join(place, 'dist/node/index.js')).href);
  const server = await createServer({
    root: folder, mode, appType: 'custom', logLevel: 'error', clearScreen: false, plugins: [plugin],
    server: { middlewareMode: true, hmr: false, watch: null },
    optimizeDeps: { noDiscovery: true, include: [] },
    ssr: { noExternal: ['redux', 'zustand', /^@reduxjs\//] },
  });
  browse();
  let module;
  for (const file of files) module = await server.ssrLoadModule(file);
  closeWorld();
  return module;
}
