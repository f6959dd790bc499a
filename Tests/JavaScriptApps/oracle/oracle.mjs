// Compares forks of the apps beside this folder with live runs that have the same edit.
//   node oracle.mjs --retcon PROGRAM --libs DIR [--recorder FILE] [--apps saga,query] [--seed 1]
//     [--sessions 10] [--edits 3] [--gestures 12] [--lies DIR] [--page yes] [--sabotage yes]
//     [--project DIR]
// DIR holds node_modules. Ends with 1 if a known step of a fork is untrue, or a fork fails.
// `--page yes` records as in a browser, without what node knows of tasks. `--sabotage yes` loses
// answers of live runs: an oracle that finds no lie then is blind. `--project DIR --apps goals`
// takes a public project: see projects.mjs.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { hash } from './clock.mjs';
import { offered } from './live.mjs';
import { measure, nothing } from './measure.mjs';
import { Program } from './program.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const options = {
  retcon: path.resolve(here, '../../../.build/release/retcon'), libs: '', recorder: '', lies: '',
  project: '',
  apps: 'thunks,asyncThunk,query,listener,saga,zustand,edges,channels', seed: '1', sessions: '10',
  edits: '3', gestures: '12', page: '', sabotage: '',
};
for (let at = 2; at < process.argv.length; at += 2) {
  const name = process.argv[at].replace(/^--/, '');
  if (!(name in options) || process.argv[at + 1] === undefined) {
    console.error(`${process.argv[at]} is none of --${Object.keys(options).join(' --')}`);
    process.exit(2);
  }
  options[name] = process.argv[at + 1];
}
if (!fs.existsSync(`${options.libs}/node_modules`)) {
  console.error('--libs needs a folder with node_modules');
  process.exit(2);
}
process.on('unhandledRejection', () => {}); // an app's own mistake
for (const name of ['error', 'warn']) console[name] = () => {}; // what libraries tell developers

const of = (part, whole) => (whole ? `${Math.round(100 * part / whole)} %` : '–');
const line = (cells) => `| ${cells.join(' | ')} |`;
const heads = ['app', 'sessions', 'forks', 'steps', 'known', 'lies', 'faults',
  'needless of doubtful', 'needless of steps', 'verify', 'a fork takes'];
console.log([line(heads), line(heads.map(() => '---'))].join('\n'));

const program = new Program(options.retcon, options.libs, options.recorder), notes = [];
let isFaulty = false;
for (const name of options.apps.split(',')) {
  const text = (folder) => fs.readFileSync(`${here}/../${folder}${name}.mjs`, 'utf8');
  const files = options.project ? program.openProject(name, options.project, text('projects/'))
    : program.open(name, text(''));
  const app = { name, files, ...await offered(files.recorded) }, total = nothing();
  const first = Number(options.seed);
  for (let seed = first; seed < first + Number(options.sessions); seed++) {
    await measure(program, app, hash(name, seed) % 1_000_000, options, total);
  }
  isFaulty ||= total.lies.length > 0 || total.faults.length > 0 || total.forks === 0;
  console.log(line([
    name, total.sessions, total.forks, total.steps, total.known, total.lies.length,
    total.faults.length, of(total.needless, total.needless + total.rightful),
    of(total.needless, total.steps),
    [...total.verified].map(([status, count]) => `${count} × ${status}`).join(', '),
    `${(total.seconds / Math.max(1, total.forks)).toFixed(2)} s`,
  ]));
  const reasons = [...total.reasons].sort(([, a], [, b]) => b - a).slice(0, 6);
  if (total.late) notes.push(`${name}: ${total.late} known steps come at another time`);
  notes.push(...total.lies.map((each) => `lie: ${each}`),
    ...total.faults.map((each) => `fault: ${each}`),
    ...reasons.map(([why, count]) => `needless, ${name}, ${count} steps: ${why}`));
}
console.log(['', ...notes].join('\n'));
process.exit(isFaulty ? 1 : 0);
