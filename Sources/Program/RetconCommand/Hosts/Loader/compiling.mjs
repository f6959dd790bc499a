// Files of the project into CommonJS, by the esbuild or TypeScript that is there.
import childProcess from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { CODE, Refusal, found, isFile, read, shown } from './files.mjs';
import { graph } from './graph.mjs';

// Packages are compiled when the world is closed already. (rmSync would call what is closed.)
const { spawnSync } = childProcess;
const { mkdtempSync, rmdirSync, unlinkSync, writeFileSync } = fs;

/**
 * The compiler of the project's files: its own esbuild, vite's or tsx's, TypeScript, or esbuild on
 * the path.
 */
export function compiler(from) {
  const require = createRequire(from);
  for (const owner of [undefined, 'vite', 'tsx', 'vitest']) {
    try {
      const base = owner ? createRequire(require.resolve(`${owner}/package.json`)) : require;
      const program = path.join(path.dirname(base.resolve('esbuild/package.json')), 'bin/esbuild');
      if (isFile(program)) return (files, more) => byEsbuild(program, files, more);
    } catch {}
  }
  try {
    const typescript = require('typescript');
    if (typescript.transpileModule) return (_, more) => byTypeScript(typescript, more);
  } catch {}
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const onPath = folders.map((folder) => path.join(folder, 'esbuild')).find(isFile);
  return onPath && ((files, more) => byEsbuild(onPath, files, more));
}

const ESBUILD = [
  '--format=cjs', '--platform=node', '--target=node18', '--charset=utf8', '--sourcemap=inline',
  '--sources-content=false', '--log-level=error', '--log-limit=0', '--color=false',
  '--define:import.meta=__meta', '--supported:dynamic-import=false',
  '--loader:.js=jsx', '--loader:.mjs=jsx', '--loader:.cjs=jsx',
];

const SCRIPT = /\.[cm]?jsx?$/;
const FLOW = 'Types of Flow need @babel/core and @babel/preset-flow in the project';
const ESBUILD_ERROR = /\[ERROR\] (.*)\n\n\s+(.*?):(\d+:\d+):/g;

function hasRuntime(file) {
  try { return Boolean(createRequire(file).resolve('react/jsx-runtime')); } catch { return false; }
}

/** The project's own settings, and JSX is always compiled. */
function settings(file) {
  const jsx = hasRuntime(file) ? 'react-jsx' : 'react';
  const own = found(file, 'tsconfig.json', 'jsconfig.json');
  return JSON.stringify({ ...(own && { extends: own }), compilerOptions: { jsx } });
}

/** A file without its types of Flow: by the project's Babel, else as TypeScript, which is near. */
function withoutFlow(file, text) {
  const require = createRequire(file);
  try {
    const { code } = require('@babel/core').transformSync(text, {
      filename: file, configFile: false, babelrc: false, retainLines: true,
      presets: [require.resolve('@babel/preset-flow')],
      parserOpts: { plugins: ['jsx', 'flow'] },
    });
    return [code, '.jsx'];
  } catch { return [text, '.tsx']; }
}

/** Compiles all files in one run; where one has a mistake, again without it. */
function byEsbuild(program, files, more) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'retcon-'));
  const [texts, failures, typed] = [new Map(), new Map(), new Map()];
  const cwd = path.dirname(files[0]);
  const options = [...ESBUILD, `--outdir=${folder}`, `--tsconfig=${folder}/tsconfig.json`];
  const textIn = (file) => `${read(file)}${more.get(file) ?? ''}`;
  const copy = (number, [text, end]) => {
    const place = path.join(folder, `copy${number}${end}`);
    writeFileSync(place, text);
    return place;
  };
  // A file with more text is compiled as a copy.
  const places = files.map((file, number) => (
    more.has(file) ? copy(number, [textIn(file), path.extname(file)]) : file));
  try {
    writeFileSync(path.join(folder, 'tsconfig.json'), settings(files[0]));
    for (let failed = -1; failed < failures.size + typed.size && failures.size < files.length;) {
      failed = failures.size + typed.size;
      const entries = files.flatMap((file, number) => (
        failures.has(file) ? [] : `f${number}=${places[number]}`));
      const { stderr, status, error } = spawnSync(
        program, [...entries, ...options], { encoding: 'utf8', cwd, maxBuffer: 1 << 28 });
      if (error) throw new Refusal(`${program} does not start: ${error.message}`);
      if (status === 0) break;
      for (const [, words, place, line] of stderr.matchAll(ESBUILD_ERROR)) {
        const number = places.indexOf(path.resolve(cwd, place)), file = files[number];
        if (!file || failures.has(file)) continue;
        const told = typed.get(file) ?? `SyntaxError: ${words} at ${shown(file)}:${line}`;
        if (SCRIPT.test(file) && !typed.has(file)) {
          typed.set(file, told);
          places[number] = copy(number, withoutFlow(file, textIn(file)));
        } else {
          const isFlow = read(file).includes('@flow');
          failures.set(file, isFlow ? `${told}. ${FLOW}` : told);
        }
      }
      if (failed === failures.size + typed.size) {
        throw new Refusal(`esbuild says: ${stderr.trim().split('\n')[0]}`);
      }
    }
    for (const [number, file] of files.entries()) {
      if (!failures.has(file)) texts.set(file, read(path.join(folder, `f${number}.js`)));
    }
  } finally {
    for (const name of fs.readdirSync(folder)) unlinkSync(path.join(folder, name));
    rmdirSync(folder);
  }
  return (file) => {
    if (failures.has(file)) throw new Refusal(failures.get(file));
    return finished(file, texts.get(file));
  };
}

/**
 * The map names its source as seen from a folder that is gone. In a package with "type": "module",
 * esbuild imports as node does: all of a module of CommonJS is its default. Browsers differ.
 */
function finished(file, text) {
  const place = /(?<=\n\/\/# sourceMappingURL=data:application\/json;base64,)\S+/;
  return text.replace(/(__toESM\(require\([^()\n]*\)), 1\)/g, '$1)').replace(place, (map) => {
    const content = JSON.parse(Buffer.from(map, 'base64'));
    content.sources = [pathToFileURL(file).href];
    return Buffer.from(JSON.stringify(content)).toString('base64');
  });
}

function byTypeScript(typescript, more) {
  const { ModuleKind, ScriptTarget, JsxEmit } = typescript;
  const compilerOptions = {
    module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 ?? ScriptTarget.ES2020,
    esModuleInterop: true, allowJs: true,
    inlineSourceMap: true, experimentalDecorators: true,
  };
  return (file) => {
    const compiled = (text, fileName) => {
      const jsx = (hasRuntime(file) && JsxEmit.ReactJSX) || JsxEmit.React;
      const { outputText, diagnostics } = typescript.transpileModule(
        text.replace(/\bimport\.meta\b/g, '__meta'),
        { compilerOptions: { ...compilerOptions, jsx }, fileName, reportDiagnostics: true });
      return [outputText, diagnostics.find(({ category }) => category === 1)];
    };
    const text = read(file) + (more.get(file) ?? '');
    const [code, wrong] = compiled(text, file.replace(/\.[cm]?js$/, '.jsx'));
    if (!wrong) return code;
    if (SCRIPT.test(file)) {
      const [plain, end] = withoutFlow(file, text);
      const [other, isWrong] = compiled(plain, file + end);
      if (!isWrong) return other;
    }
    const words = typescript.flattenDiagnosticMessageText(wrong.messageText, ' ');
    throw new Refusal(`SyntaxError: ${words} at ${shown(file)}`);
  };
}

/**
 * The texts of files as CommonJS: those of the project at once, and those of a package when it
 * turns out that node cannot load it. `more` has text to add to a file.
 */
export function sources(compile, entries, more) {
  const code = (files) => files.filter((file) => CODE.test(file));
  const known = new Map();
  const add = (files) => {
    const textOf = compile(files, more);
    for (const file of files) known.set(file, textOf);
  };
  add(code(graph(...entries)));
  return (file) => {
    if (!known.has(file)) add(code(graph(file)).filter((each) => !known.has(each)));
    return known.get(file)(file);
  };
}
