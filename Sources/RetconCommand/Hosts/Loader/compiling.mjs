// Files of the project into CommonJS, by the esbuild or TypeScript that is there.
import childProcess from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { CODE, Refusal, isFile, read, shown } from './files.mjs';
import { local } from './resolution.mjs';

/**
 * What compiles the project's files: its own esbuild, vite's or tsx's, TypeScript, or esbuild on
 * the path.
 */
export function compiler(from) {
  const require = createRequire(from);
  for (const owner of [undefined, 'vite', 'tsx', 'vitest']) {
    try {
      const base = owner ? createRequire(require.resolve(`${owner}/package.json`)) : require;
      const place = path.dirname(base.resolve('esbuild/package.json'));
      return (files) => byEsbuild(path.join(place, 'bin/esbuild'), files);
    } catch {}
  }
  try {
    const typescript = require('typescript');
    if (typescript.transpileModule) return () => byTypeScript(typescript);
  } catch {}
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const onPath = folders.map((folder) => path.join(folder, 'esbuild')).find(isFile);
  return onPath && ((files) => byEsbuild(onPath, files));
}

const ESBUILD = [
  '--format=cjs', '--platform=node', '--target=node18', '--charset=utf8', '--sourcemap=inline',
  '--sources-content=false', '--log-level=error', '--log-limit=0', '--color=false',
  '--define:import.meta=__meta', '--supported:dynamic-import=false',
  '--loader:.js=jsx', '--loader:.mjs=jsx', '--loader:.cjs=jsx',
];

const ESBUILD_ERROR = /\[ERROR\] (.*)\n\n\s+(.*?):(\d+:\d+):/g;

/** Compiles all files in one run; where one has a mistake, again without it. */
function byEsbuild(program, files) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'retcon-'));
  const [texts, failures] = [new Map(), new Map()];
  const cwd = path.dirname(files[0]);
  const options = [...ESBUILD, `--outdir=${folder}`];
  try {
    createRequire(files[0]).resolve('react/jsx-runtime');
    options.push('--jsx=automatic');
  } catch {}
  try {
    for (let failed = -1; failed < failures.size && failures.size < files.length;) {
      failed = failures.size;
      const entries = files.flatMap((file, number) => (
        failures.has(file) ? [] : `f${number}=${file}`));
      const { stderr, status, error } = childProcess.spawnSync(
        program, [...entries, ...options], { encoding: 'utf8', cwd, maxBuffer: 1 << 28 });
      if (error) throw new Refusal(`${program} does not start: ${error.message}`);
      if (status === 0) break;
      for (const [, words, place, line] of stderr.matchAll(ESBUILD_ERROR)) {
        const file = path.resolve(cwd, place);
        if (failures.has(file)) continue;
        failures.set(file, `SyntaxError: ${words} at ${shown(file)}:${line}`);
      }
      if (failed === failures.size) {
        throw new Refusal(`esbuild says: ${stderr.trim().split('\n')[0]}`);
      }
    }
    for (const [number, file] of files.entries()) {
      if (!failures.has(file)) texts.set(file, read(path.join(folder, `f${number}.js`)));
    }
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
  return (file) => {
    if (failures.has(file)) throw new Refusal(failures.get(file));
    return withSource(file, texts.get(file));
  };
}

/** The map names its source as seen from a folder that is gone. */
function withSource(file, text) {
  const place = /(?<=\n\/\/# sourceMappingURL=data:application\/json;base64,)\S+/;
  return text.replace(place, (map) => {
    const content = JSON.parse(Buffer.from(map, 'base64'));
    content.sources = [pathToFileURL(file).href];
    return Buffer.from(JSON.stringify(content)).toString('base64');
  });
}

function byTypeScript(typescript) {
  const { ModuleKind, ScriptTarget, JsxEmit } = typescript;
  const compilerOptions = {
    module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 ?? ScriptTarget.ES2020,
    jsx: JsxEmit.ReactJSX ?? JsxEmit.React, esModuleInterop: true, allowJs: true,
    inlineSourceMap: true, experimentalDecorators: true,
  };
  return (file) => {
    const text = read(file).replace(/\bimport\.meta\b/g, '__meta');
    const fileName = file.replace(/\.[cm]?js$/, '.jsx');
    const { outputText, diagnostics } = typescript.transpileModule(
      text, { compilerOptions, fileName, reportDiagnostics: true });
    const wrong = diagnostics.find(({ category }) => category === 1);
    if (!wrong) return outputText;
    const words = typescript.flattenDiagnosticMessageText(wrong.messageText, ' ');
    throw new Refusal(`SyntaxError: ${words} at ${shown(file)}`);
  };
}

/** The files of the project that one of them imports, with their imports. */
export function graph(entry) {
  const files = new Set([entry]);
  const imports = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*(['"])([^'"\n]+)\1/g;
  for (const file of files) {
    if (!CODE.test(file)) continue;
    for (const [, , name] of read(file).matchAll(imports)) {
      const other = local(name, file);
      if (other && !other.includes('/node_modules/')) files.add(other);
    }
  }
  return [...files];
}
