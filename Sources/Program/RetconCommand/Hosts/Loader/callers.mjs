// Where the calls and endpoints of a recording are defined, if the store's file imports none of it:
// endpoints that a screen injects, thunks that only a screen imports.
import fs from 'node:fs';
import path from 'node:path';
import { CODE, read, root } from './files.mjs';

const MOST_FILES = 5_000;
const LONGEST_FILE = 1 << 28;
const OTHERS = /^(node_modules|dist|build|coverage|public|\..*|__.*)$|\.(test|spec|stories|d)\./;
/** A mark in each script that Retcon writes beside tests and stores. They name such calls, too. */
const OWN = "Symbol.for('retcon.host')";
/** With these, even a reducer alone needs what a screen defines. */
const NEEDED_BY_REDUCERS = /\b(injectEndpoints|createApi)\b/;
const MAKERS = /\b(injectEndpoints|createApi|createAsyncThunk|asyncThunk)\b/;

const CALL = /"retcon":\{"call":"((?:[^"\\]|\\.)+)"/g;
/** Of RTK Query's actions, also in a text within JSON. Its reducer needs the endpoint. */
const ENDPOINT = /\\*"endpointName\\*":\s*\\*"(\w+)/g;

/** The names of the calls and endpoints in a recording, each with its last part. */
function callsIn(file) {
  try {
    if (fs.statSync(file).size > LONGEST_FILE) return [];
    const text = fs.readFileSync(file, 'utf8');
    const names = [...text.matchAll(CALL)].map(([, name]) => [name, name.replace(/^.*\//, '')]);
    const endpoints = [...text.matchAll(ENDPOINT)].map(([, name]) => [`/${name}`, name]);
    return [...new Map([...names, ...endpoints].map((each) => [each[0], each])).values()];
  } catch { return []; }
}

/** The files with code in a folder, without tests and packages. */
function* codeIn(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    if (OTHERS.test(entry.name)) continue;
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* codeIn(place);
    else if (CODE.test(entry.name)) yield place;
  }
}

/** Whether a file defines a call: as a member, as a constant, or with its whole name. */
const defines = (text, [whole, last]) => MAKERS.test(text) && (text.includes(whole)
  || new RegExp(`\\b${last.replace(/\W/g, '\\$&')}\\s*[:=](?![=>])`).test(text));

/**
 * The files of a project that may define what a recording calls. `known` are loaded anyway. Their
 * definitions are not searched: another app of the project may have calls with the same names.
 */
export function callers(recording, file, known, runsWhole) {
  const texts = known.map(read);
  if (!runsWhole && !texts.some((text) => NEEDED_BY_REDUCERS.test(text))) return [];
  const names = callsIn(recording)
    .filter((name) => !texts.some((text) => defines(text, name)));
  if (!names.length) return [];
  const found = [];
  let count = 0;
  for (const each of codeIn(root(file))) {
    if (++count > MOST_FILES) break;
    if (known.includes(each)) continue;
    const text = read(each);
    const isNamed = ([whole, last]) => text.includes(whole) || text.includes(last);
    if (!text.includes(OWN) && MAKERS.test(text) && names.some(isNamed)) found.push(each);
  }
  return found;
}
