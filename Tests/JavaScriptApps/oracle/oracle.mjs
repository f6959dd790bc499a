// Compares forks of the apps beside this folder with live runs that have the same edit.
//   node oracle.mjs --retcon PROGRAM --libs DIR [--recorder FILE] [--apps saga,query] [--seed 1]
//     [--sessions 10] [--edits 3] [--gestures 12] [--lies DIR] [--claim none]
// DIR holds node_modules. Ends with 1 if a known step of a fork is untrue. `--claim none` lets the
// recordings say that the apps have no middleware: an oracle that finds no lie then is blind.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { performance as wallClock } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { hash } from './clock.mjs';
import { compared } from './compare.mjs';
import { edit, sent } from './edits.mjs';
import { live, offered, session } from './live.mjs';
import { again, pure, remembering } from './server.mjs';
import { parsed } from './session.mjs';

const here = path.dirname(fileURLToPath(import.meta.url)), root = path.resolve(here, '../../..');
const APPS = ['thunks', 'asyncThunk', 'query', 'listener', 'saga', 'zustand'];
const options = {
  retcon: `${root}/.build/release/retcon`, libs: undefined, apps: APPS.join(), seed: '1',
  recorder: undefined, lies: undefined,
  sessions: '10', edits: '3', gestures: '12', claim: '',
};
for (let at = 2; at < process.argv.length; at += 2) {
  const name = process.argv[at].replace(/^--/, '');
  if (!(name in options) || process.argv[at + 1] === undefined) {
    console.error(`${process.argv[at]} is none of --${Object.keys(options).join(' --')}`);
    process.exit(2);
  }
  options[name] = process.argv[at + 1];
}
if (!options.libs || !fs.existsSync(`${options.libs}/node_modules`)) {
  console.error('--libs needs a folder with node_modules');
  process.exit(2);
}
process.on('unhandledRejection', () => {}); // an app's own mistake
for (const name of ['error', 'warn']) console[name] = () => {}; // what libraries tell developers

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'retcon-oracle-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
fs.symlinkSync(path.resolve(options.libs, 'node_modules'), `${folder}/node_modules`);
// The truth does not depend on what keeps the world.
fs.mkdirSync(`${folder}/live`);

/** What the program prints, and its exit status. */
function retcon(...words) {
  try {
    const stdio = ['ignore', 'pipe', 'pipe'];
    const environment = { ...process.env, XDG_CONFIG_HOME: folder };
    const out = execFileSync(options.retcon, words, { cwd: folder, stdio, env: environment });
    return { status: 0, out: String(out) };
  } catch (error) {
    return { status: error.status, out: String(error.stdout), problem: String(error.stderr) };
  }
}

retcon('recorder', '--write');
if (options.recorder) fs.copyFileSync(options.recorder, `${folder}/retcon-recorder.mjs`);
fs.copyFileSync(`${folder}/retcon-recorder.mjs`, `${folder}/live/retcon-recorder.mjs`);

/** Forks the recording. The fork is a session with a sign for each step. */
function forked(app, script) {
  const [recorded, edits, out] = ['recorded.retcon', 'script.json', 'fork.retcon'];
  fs.writeFileSync(`${folder}/${edits}`, JSON.stringify(script));
  fs.rmSync(`${folder}/${out}`, { force: true });
  const target = ['--reducer', `${app}.mjs#store`, '-o', out];
  const done = retcon('fork', recorded, '--script', edits, ...target);
  if (!fs.existsSync(`${folder}/${out}`)) throw new Error(`no fork: ${done.problem || done.out}`);
  const text = fs.readFileSync(`${folder}/${out}`, 'utf8');
  return { text, words: `${done.out}${done.problem ?? ''}`, ...parsed(text) };
}

/** Keeps a lie as a folder that shows it again. */
function keep(app, name, words, texts) {
  if (!options.lies) return;
  const place = `${options.lies}/${app}-${name}`;
  fs.mkdirSync(place, { recursive: true });
  for (const each of [`${app}.mjs`, 'retcon-recorder.mjs', 'recorded.retcon', 'script.json']) {
    fs.copyFileSync(`${folder}/${each}`, `${place}/${each}`);
  }
  for (const [file, text] of Object.entries(texts)) fs.writeFileSync(`${place}/${file}`, text);
  fs.writeFileSync(`${place}/README`, `${words}
ln -s DIR/node_modules . && retcon fork recorded.retcon --script script.json \\
  --reducer ${app}.mjs#store -o fork.retcon
`);
}

/** Compares the forks of one recorded session. */
async function measure(app, file, gestures, seed, total) {
  const plan = session(seed, gestures, Number(options.gestures));
  const slowest = seed % 3 === 0 ? 700 : 250;
  const server = seed % 4 === 3 ? remembering(seed, slowest) : pure(seed, slowest);
  const { text, log } = await live(file, plan, server);
  const recorded = parsed(text);
  const claim = options.claim && `"middleware":"${options.claim}",`;
  fs.writeFileSync(`${folder}/recorded.retcon`, text.replace('"session"', `${claim}"session"`));
  total.sessions++;
  const verified = retcon('verify', 'recorded.retcon', '--reducer', `${app}.mjs#store`);
  total.verified[verified.status] = (total.verified[verified.status] ?? 0) + 1;
  const actionOf = async (gesture) => {
    const at = 10, alone = { seed, gestures: [{ ...gesture, at }], end: 12 };
    return sent(parsed((await live(file, alone, () => ({}))).text), { at })?.action;
  };
  const worlds = [['nth', pure(seed, slowest)], ['newest', () => ({})]];
  for (let number = 0; number < Number(options.edits); number++) {
    let made;
    for (let tries = 0; !made && tries < 9; tries++) {
      made = await edit(plan, recorded, { gestures, actionOf, log });
    }
    if (!made) continue;
    const script = {
      parent: 'main', leavesAt: made.leavesAt, rest: 'rerun', edits: made.script,
    };
    const begin = wallClock.now(), fork = forked(app, script);
    total.seconds += (wallClock.now() - begin) / 1000;
    const changed = made.change(fork), runs = [];
    for (const [policy, otherwise] of worlds) {
      const server = again(made.log ?? log, policy, otherwise);
      runs.push((await live(`${folder}/live/${app}.mjs`, changed, server)).text);
    }
    const tally = compared(fork, recorded, runs.map(parsed), made.leavesAt);
    total.forks++;
    for (const key of ['steps', 'known', 'needless', 'rightful']) total[key] += tally[key];
    const name = `${seed}-${number}`;
    for (const [reason, count] of tally.reasons) {
      const entry = total.reasons.get(reason) ?? { count: 0, name };
      total.reasons.set(reason, { ...entry, count: entry.count + count });
    }
    if (tally.lie) {
      const { step, label, which, words } = tally.lie;
      const sentence = `${app} ${name}: step ${step} ${label}: ${words} (world ${which})`;
      total.lies.push(sentence);
      keep(app, name, sentence, {
        'fork.retcon': fork.text, 'live-0.retcon': runs[0], 'live-1.retcon': runs[1],
      });
    }
  }
}

const of = (part, whole) => (whole ? `${Math.round(100 * part / whole)} %` : '–');
const rows = [], lies = [], reasons = [];
for (const app of options.apps.split(',')) {
  const file = `${folder}/${app}.mjs`;
  const source = fs.readFileSync(`${here}/../${app}.mjs`, 'utf8');
  fs.writeFileSync(file, source);
  fs.writeFileSync(`${folder}/live/${app}.mjs`, source.replace('world: true', 'world: false'));
  const gestures = await offered(file);
  const total = {
    sessions: 0, forks: 0, steps: 0, known: 0, needless: 0, rightful: 0, seconds: 0,
    lies: [], reasons: new Map(), verified: {},
  };
  const first = Number(options.seed);
  for (let seed = first; seed < first + Number(options.sessions); seed++) {
    await measure(app, file, gestures, hash(app, seed) % 1_000_000, total);
  }
  const doubtful = total.needless + total.rightful;
  rows.push([
    app, total.sessions, total.forks, total.steps, total.known, total.lies.length,
    of(total.needless, doubtful), of(total.needless, total.steps),
    Object.entries(total.verified).map(([status, count]) => `${status}: ${count}`).join(', '),
    `${(total.seconds / Math.max(1, total.forks)).toFixed(2)} s`,
  ].map(String));
  lies.push(...total.lies);
  const all = [...total.reasons].sort(([, a], [, b]) => b.count - a.count).slice(0, 6);
  reasons.push(...all.map(([why, { count, name }]) => `${app} ${count} × ${why} (${name})`));
}

const heads = ['app', 'sessions', 'forks', 'steps', 'known', 'lies', 'needless of doubtful',
  'needless of steps', 'verify', 'a fork takes'];
const line = (cells) => `| ${cells.join(' | ')} |`;
console.log([line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n'));
if (reasons.length) console.log(`\nNeedless doubt:\n${reasons.join('\n')}`);
if (lies.length) console.log(`\nLies:\n${lies.join('\n')}`);
process.exit(lies.length ? 1 : 0);
