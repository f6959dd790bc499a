// Files, objects and sentences: what all modules of the loader need.
import fs from 'node:fs';
import path from 'node:path';

/** An error that is a sentence for the user, and no fault of the loader. */
export class Refusal extends Error {}

export const isObject = (value) => typeof value === 'object' && value !== null;
export const has = (object, key) => Object.prototype.hasOwnProperty.call(object, key);

export const isPackaged = (file) => file.includes('/node_modules/');

export const CODE = /\.[cm]?[jt]sx?$/;
export const read = (file) => fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, '');

export function isFile(file) {
  try { return fs.statSync(file).isFile(); } catch { return false; }
}

/** A path as the user would type it. */
export function shown(file) {
  const relative = path.relative('.', file);
  return /^(\.\.|$)/.test(relative) ? file : relative;
}

/** The folders above a file, the nearest first. */
export function upwards(file) {
  const folder = path.dirname(file);
  return folder === file ? [] : [folder, ...upwards(folder)];
}

/** The nearest file of one of these names. */
export function found(from, ...names) {
  const places = upwards(from).flatMap((folder) => names.map((name) => path.join(folder, name)));
  return places.find(isFile);
}

/** The folder of the project that a file is in. */
export const root = (from) => path.dirname(found(from, 'package.json') ?? from);

/** JSON with comments, as in tsconfig.json. */
export function parsed(text) {
  const bare = text.replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[^]*?\*\//g, '$1');
  return JSON.parse(bare.replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, '$1'));
}
