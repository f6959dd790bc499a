#!/usr/bin/env node
// Serves a Redux reducer to Retcon: node retcon-host.mjs REDUCER[#NAME] [OPTION VALUE …]
//
// REDUCER is a file in JavaScript or TypeScript. What it exports, or the export named behind #, is
// a reducer, a store, a slice, or an object of reducers to combine. An export named preloadedState
// or initialState, or the JSON in --state, is the first state of a session that brings none. More
// options: docs/redux.md; requests: docs/hosts.md. Needs node 18 and retcon-load.mjs, no packages.
import fs from 'node:fs';
import path from 'node:path';
import { syncBuiltinESMExports } from 'node:module';
import {
  LIMITS, Refusal, Rules, Stepping, Whole, difference, has, isObject, keysOf, opened, plain, put,
  reducing, revived, rulesIn, worldIn,
} from './retcon-load.mjs';

/** The value with another one at a place; all other parts are the very same. */
function replaced(value, [key, ...rest], news) {
  if (key === undefined) return news;
  const isMap = value instanceof Map;
  const isThere = isObject(value) && (isMap ? value.has(key) : has(value, key));
  if (!isThere) throw new Error(`there is nothing at ${key}`);
  const copy = Array.isArray(value) ? value.slice() : isMap ? new Map(value)
    : Object.create(Object.getPrototypeOf(value), Object.getOwnPropertyDescriptors(value));
  const member = replaced(isMap ? value.get(key) : value[key], rest, news);
  if (isMap) copy.set(key, member);
  else put(copy, key, member);
  return copy;
}

/** JavaScript's words for an error: its name, its message, and its place in the user's code. */
function stackLine(error) {
  if (error instanceof Refusal) return error.message;
  if (!(error instanceof Error)) return `the reducer threw ${JSON.stringify(plain(error))}`;
  const frames = String(error.stack ?? '').split('\n').map((line) => line.trim());
  const isUsers = (line) => !/retcon-(host|load)\.mjs|\(node:|at node:|<anonymous>\)/.test(line);
  const frame = frames.find((line) => /^at /.test(line) && isUsers(line));
  // A syntax error begins with its place.
  const isPlace = (line) => /^(file:|\/).*:\d+$/.test(line);
  const place = error instanceof SyntaxError && frames.find(isPlace);
  return `${error.name}: ${error.message}${place ? ` at ${place}` : frame ? ` ${frame}` : ''}`;
}

/** The same on another day. */
function onDay(day, work) {
  const Real = Date;
  const now = () => Real.now() + day * 86_400_123;
  // A proxy has the real prototype, for instanceof, and may be called without new.
  globalThis.Date = Real.prototype.constructor = new Proxy(Real, {
    construct: (_, parts, target) => (
      Reflect.construct(Real, parts.length ? parts : [now()], target)),
    apply: () => new Real(now()).toString(),
    get: (_, name) => (name === 'now' ? now : Real[name]),
  });
  try { return work(); } finally { globalThis.Date = Real.prototype.constructor = Real; }
}

const NEEDS_COPIES = { needs: 'copies' };

const states = new Map();

function reduce({ reducer, state: first }, { from, as, actions, copies, isTyped }) {
  if (from !== undefined && !states.has(from)) throw new Refusal(`there is no state ${from}`);
  const isFirst = from === undefined;
  let state = isFirst ? first : states.get(from);
  let before = isFirst ? null : plain(state);
  const answer = { patches: [] };
  const stepping = new Stepping(reducer, copies, stackLine);
  let size = 0;
  for (const action of actions) {
    try {
      const { state: next, place, error, isOurs } = stepping.step(
        state, isTyped ? revived(action) : action);
      if (place !== undefined && !copies) return NEEDS_COPIES;
      const needsState = isFirst && first === undefined && !isOurs;
      const hint = needsState ? '. Export initialState beside it, or give --state FILE' : '';
      if (error !== undefined) {
        answer.error = error + hint;
        break;
      }
      if (place !== undefined) (answer.changed ??= [])[answer.patches.length] = place;
      const after = plain(next, undefined, 0, [], state, before);
      const patch = difference(before, after);
      answer.patches.push(patch);
      states.set(as++, next);
      [state, before, size] = [next, after, size + patch.size];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      answer.error = error.message;
      break;
    }
    if (size > LIMITS.answer) break; // the rest is asked for again
  }
  return stepping.hasChanged ? NEEDS_COPIES : answer;
}

/** The output of the user's code goes to standard error. */
function quiet() {
  const [writeSync, write] = [fs.writeSync, fs.write];
  fs.writeSync = (file, ...rest) => writeSync(file === 1 ? 2 : file, ...rest);
  fs.write = (file, ...rest) => write(file === 1 ? 2 : file, ...rest);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  syncBuiltinESMExports();
  process.on('uncaughtException', (error) => console.error(stackLine(error)));
  process.on('unhandledRejection', (error) => console.error(stackLine(error)));
}

const OPTIONS = ['--state', '--setup', '--make', '--mode', '--with', '--whole', '--rules'];
const [target, ...words] = process.argv.slice(2);
const options = {};
for (let at = 0; at < words.length; at += 2) options[words[at].slice(2)] = words[at + 1];
const isWrong = words.some((word, at) => at % 2 === 0 && !OPTIONS.includes(word));
const isOld = parseInt(process.versions.node, 10) < 18;
if (isOld || !target || isWrong || words.length % 2) {
  console.error(isOld
    ? `this host needs node 18 or newer, and this is node ${process.versions.node}`
    : `usage: node retcon-host.mjs REDUCER[#NAME] [${OPTIONS.join('|')} VALUE …]`);
  process.exit(2);
}
const [, file, name] = fs.existsSync(target) ? [0, target] : /^(.*?)(?:#(.*))?$/s.exec(target);
const write = process.stdout.write.bind(process.stdout);
quiet();
const held = options.whole && !options.state ? worldIn(options.whole) : undefined;
const world = options.with === undefined ? held : undefined;
const ofReducer = held && !world
  ? ['The app’s middleware does not run again in forks: --with vite runs only the reducer'] : [];
const rules = options.rules && rulesIn(target, options, stackLine)
  .then((module) => new Rules(module, { plain, stackLine }));
rules?.catch(() => {});
// Overlaps with the greeting.
const loading = rules ? Promise.resolve({}) : opened(target, { ...options, world }, stackLine);
if (!rules) loading.then(reducing, () => {});
const tried = ({ again }) => Whole.tried(options.whole, again, { plain, difference, stackLine });
const app = world ? loading.then(tried, () => ({})) : Promise.resolve({ notes: ofReducer });
const NO_BODY = { failed: 'it has no such effect' };
const requests = {
  greet: async () => {
    const isRun = Boolean((await app).whole);
    return {
      answer: 'greeting', version: [2, 3], name: path.basename(file) + (name ? `#${name}` : ''),
      thin: true, hasState: Boolean(options.state),
      ...(isRun ? { reads: true, effects: true, bodies: true, whole: true } : {}),
    };
  },
  reduce: async (request) => {
    const user = await loading;
    const { whole, notes = [] } = await app;
    user.notes.push(...notes.splice(0));
    const { files, actions } = user;
    const about = request.from === undefined ? { notes: user.notes, files, actions } : {};
    if (whole) return { ...await whole.reduce(states, request), ...about };
    if (request.day) return onDay(request.day, () => reduce(user, request));
    return { ...reduce(user, request), ...about };
  },
  put: async ({ as, state, from, patch = [] }) => {
    await loading;
    const { whole } = await app;
    const node = whole ? states.get(from) ?? await whole.start() : undefined;
    if (from !== undefined && state === undefined) state = node ? node.state : states.get(from);
    for (const { op, path: place, value } of patch) {
      if (op !== 'replace') throw new Refusal(`this host makes no “${op}”`);
      state = replaced(state, keysOf(place), value);
    }
    states.set(as, node ? whole.put(node, state) : state);
  },
  state: async ({ of }) => {
    const known = states.get(of);
    return { state: plain((await app).whole ? known.state : known) };
  },
  rules: async () => ({ exports: (await rules).exports }),
  judge: async (request) => (await rules).judge(request),
  resume: async (request) => (await app).whole?.resumed(request) ?? NO_BODY,
};

async function hear(request) {
  if (request.ask === 'quit') process.exit(0);
  if (request.ask === 'forget') {
    const kept = rules ? (await rules).tracks : states;
    return request.states.forEach((number) => kept.delete(number));
  }
  let content;
  try {
    if (!has(requests, request.ask)) {
      throw new Refusal(`this host does not know “${request.ask}”`);
    }
    content = await requests[request.ask](request);
  } catch (error) {
    content = { error: stackLine(error) };
  }
  write(`${JSON.stringify({ id: request.id, ...content })}\n`);
}

let rest = '';
let turn = Promise.resolve();
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text) => {
  const lines = (rest + text).split('\n');
  rest = lines.pop();
  // One after another, because an app that runs whole is idle only later.
  for (const line of lines.filter((each) => each.trim())) {
    const request = JSON.parse(line);
    request.isTyped = line.includes('"retcon:'); // dates, sets and maps
    turn = turn.then(() => hear(request));
  }
});
process.stdin.on('end', () => process.exit(0));
