// Runs the project's files; node loads packages.
import Module from 'node:module';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { environment } from './browser.mjs';
import { CODE, Refusal, read, shown } from './files.mjs';
import { local, missing, packageOf } from './resolution.mjs';
import { absent, asset, isAsset, redux, state, wrapped } from './stand-ins.mjs';

/** A package that only import() can load. */
class Later extends Error {
  constructor(name, from) {
    super(`${name} has to be imported`);
    Object.assign(this, { name, from });
  }
}

/** Runs a file, again and again until all packages are there that only import() can load. */
export async function run(entry, textOf) {
  const imported = new Map();
  process.setSourceMapsEnabled?.(true);
  for (;;) {
    try {
      return evaluated(entry, textOf, imported);
    } catch (error) {
      if (!(error instanceof Later)) throw error;
      const place = encodeURIComponent(JSON.stringify([error.name, error.from]));
      imported.set(error.name, await import(`retcon:${place}`));
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
    const names = 'exports, require, module, __filename, __dirname, __meta';
    holder._compile(`module.exports = function (${names}) {${textOf(file)}\n};`, file);
    const meta = { url: pathToFileURL(file).href, env: environment(), glob: () => ({}) };
    holder.exports.call(
      module.exports, module.exports, requirer(file), module, file, path.dirname(file), meta);
    return module.exports;
  };
  const required = (name, from) => {
    const file = local(name, from);
    if (file) {
      const isOwn = CODE.test(file) && !file.includes('/node_modules/');
      if (isOwn || /\.json$/.test(file)) return load(file);
      return isAsset(file) ? asset(file) : createRequire(from)(file);
    }
    if (isAsset(name)) return asset(name);
    if (/^\.{0,2}\//.test(name)) {
      throw new Refusal(`${shown(from)} imports ${name}, and there is no such file`);
    }
    return imported.get(name) ?? external(name, from);
  };
  const requirer = (from) => Object.assign((name) => required(name, from), {
    resolve: (name) => local(name, from) ?? createRequire(from).resolve(name),
    context: () => Object.assign(() => ({}), { keys: () => [] }),
  });
  try {
    return load(entry);
  } catch (error) {
    if (error instanceof Later || !state.stores.length) throw error;
    state.notes.add(`${shown(entry)} ended early, after it had made its store: ${error.message}`);
    return modules.get(entry).exports;
  }
}

const IMPORT_ONLY = [
  'ERR_REQUIRE_ESM', 'ERR_REQUIRE_ASYNC_MODULE', 'ERR_PACKAGE_PATH_NOT_EXPORTED',
];

/** A package, or what stands for it. */
function external(name, from) {
  try {
    return createRequire(from)(name);
  } catch (error) {
    if (IMPORT_ONLY.includes(error.code)) throw new Later(name, from);
    const gone = error.code === 'MODULE_NOT_FOUND'
      && /^Cannot find module '([^']+)'/.exec(error.message)?.[1];
    if (!gone || /^[./]/.test(gone)) throw error;
    const words = missing(packageOf(gone), from);
    if (gone !== name) throw new Refusal(words);
    state.absent.set(packageOf(gone), words);
    return name === 'redux' ? wrapped(redux()) : absent(words);
  }
}
