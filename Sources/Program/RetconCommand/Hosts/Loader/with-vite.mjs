// Loads modules with the project's own vite: its plugins, virtual modules and configuration. All of
// this runs with the user's rights, and only if the user asks for it.
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { browse } from './browser.mjs';
import { closeWorld } from './closed-world.mjs';
import { Refusal, has, isFile, isPackaged, root } from './files.mjs';
import { WRAPPERS, wrapping } from './stand-ins.mjs';

const SIGN = '\0retcon:';

/** The files of the project that vite has read. */
export const loaded = new Set();

/** A plugin that notes the stores that are made. */
const plugin = {
  name: 'retcon',
  enforce: 'pre',
  resolveId: (name, importer) => (
    has(WRAPPERS, name) && !importer?.startsWith(SIGN) ? SIGN + name : undefined),
  load(place) {
    const file = place.replace(/[?#].*/s, '');
    if (!isPackaged(file) && isFile(file)) loaded.add(file);
    const name = place.startsWith(SIGN) ? place.slice(SIGN.length) : undefined;
    return name && wrapping(name, name);
  },
  // From 5 on, vite writes true here, whatever is defined.
  transform: (code) => (code.includes('import.meta.env')
    ? { code: code.replace(/\bimport\.meta\.env\??\.SSR\b/g, 'false'), map: null } : undefined),
};

/** The exports of the last of these files. */
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
    define: { 'import.meta.env.SSR': 'false' },
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true, include: [] },
    ssr: { noExternal: ['redux', 'zustand', /^@reduxjs\//] },
  });
  // Before 5.3, vite listens and watches all the same, and node would not end.
  await Promise.allSettled([server.ws?.close(), server.watcher?.close()]);
  for (const file of server.config?.configFileDependencies ?? []) loaded.add(file);
  process.setSourceMapsEnabled?.(true);
  browse();
  let module;
  for (const file of files) module = await server.ssrLoadModule(file);
  closeWorld();
  return module;
}
