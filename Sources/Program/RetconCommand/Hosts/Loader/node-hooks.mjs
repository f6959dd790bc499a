// Hooks for node's own way to load modules. They run in a thread of their own.
import Module from 'node:module';
import { fileURLToPath } from 'node:url';
import { pathToFileURL } from 'node:url';
import { has, read, shown } from './files.mjs';
import { local, missing, packageOf } from './resolution.mjs';
import { isAsset } from './assets.mjs';
import { WRAPPERS, noticed, wrapping } from './stand-ins.mjs';

/** An error that is a sentence already, also when it comes from the thread of the hooks. */
const plainly = (words) => Object.assign(new Error(words), { code: 'ERR_RETCON' });

const asModule = (text) => ({
  url: 'data:text/javascript,' + encodeURIComponent(text), format: 'module', shortCircuit: true,
});

export async function resolve(name, context, next) {
  if (name.startsWith('retcon:')) {
    const [real, from] = JSON.parse(decodeURIComponent(name.slice(7)));
    return next(real, { ...context, parentURL: pathToFileURL(from).href });
  }
  const isFromFile = context.parentURL?.startsWith('file:');
  const from = isFromFile ? fileURLToPath(context.parentURL) : undefined;
  const isOwn = from && !from.includes('/node_modules/');
  if (isOwn && isAsset(name)) return asModule('export default {}');
  if (has(WRAPPERS, name) && from) {
    return asModule(wrapping(name, (await next(name, context)).url));
  }
  try {
    const found = await next(name, context);
    // An app that is made again has its own modules.
    const again = isFromFile && /[?&]retcon=\d+$/.exec(context.parentURL)?.[0];
    const isOurs = again && /^file:/.test(found.url) && !found.url.includes('/node_modules/');
    return isOurs ? { ...found, url: `${found.url}?${again.slice(1)}` } : found;
  } catch (error) {
    const isGone = /MODULE_NOT_FOUND|DIR_IMPORT|NOT_DEFINED/.test(error.code);
    const file = isOwn && isGone && local(name, from);
    if (file) return next(pathToFileURL(file).href, context);
    if (isOwn && !/^\.{0,2}\//.test(name)) throw plainly(missing(packageOf(name), from));
    throw error;
  }
}

export async function load(url, context, next) {
  const isForUs = /^file:.*\.(json|[cm]?tsx?|jsx)$/.test(url) && !url.includes('/node_modules/');
  if (!isForUs) return next(url, context);
  const file = fileURLToPath(url);
  if (/json$/.test(url)) {
    return { source: `export default ${read(file)}`, format: 'module', shortCircuit: true };
  }
  const advice = 'install esbuild or typescript in the project';
  if (/x$/.test(url)) throw plainly(`${shown(file)} holds JSX: ${advice}`);
  if (!process.features.typescript) {
    const reason = `node ${process.versions.node} does not strip types`;
    throw plainly(
      `${shown(file)} is TypeScript, and ${reason}: ${advice}, or use node 22.18 or newer`);
  }
  return next(url, context);
}

export function hookModules() {
  Module.register?.(import.meta.url);
  const real = Module._load;
  Module._load = function (name, ...rest) {
    const module = real.call(this, name, ...rest);
    return noticed(name, module);
  };
}

/** Where node can require an ES module, it asks no hook about the imports inside. import() does. */
export function refuseRequiredModules() {
  const compile = Module.prototype._compile;
  Module.prototype._compile = function (text, file, format) {
    if (format !== 'module') return compile.call(this, text, file, format);
    throw Object.assign(new Error(`${file} is an ES module`), { code: 'ERR_REQUIRE_ESM' });
  };
}
