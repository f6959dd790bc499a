// Proves that each problem is what its key says.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { linesOf } from './benchLines.mjs';
import {
  appFolder, copyApp, hiddenTest, placeOf, plantBug, problem, temporary, writeKey,
} from './benchProblems.mjs';
import { load, play } from './benchRecord.mjs';

const LINES = 3000, RUN = 0.8, STEPS = [1000, 3500];

/** Whether the hidden test of a problem passes on the app in this folder. */
export function isGreen(name, folder) {
  const { status } = spawnSync(process.execPath, ['--test', hiddenTest(name)], {
    env: { ...process.env, APP: pathToFileURL(folder).href, NODE_TEST_CONTEXT: undefined },
    timeout: 120_000,
  });
  return status === 0;
}

/** The places at which two states differ, as keys joined by "/", at most some. */
function differences(one, other, place = '', found = []) {
  if (Object.is(one, other) || found.length >= 50) return found;
  const areBoth = [one, other].every((each) => typeof each === 'object' && each !== null);
  if (!areBoth || Array.isArray(one) !== Array.isArray(other)) return [...found, place];
  let all = found;
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    all = differences(one[key], other[key], place ? `${place}/${key}` : key, all);
  }
  return all;
}

const asPointer = (place) => place.replace(/^[/.]/, '').replace(/\[(\d+)\]/g, '/$1')
  .replaceAll('.', '/');

const isWithin = (one, other) => `${one}/`.startsWith(`${other}/`)
  || `${other}/`.startsWith(`${one}/`);

function frozen(value) {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const each of Object.values(value)) frozen(each);
  return value;
}

/** The session of the planted app, and the first step at which the correct app differs. */
async function measured(planted, correct, seed) {
  const { reducer, initialState } = await load(correct, 'src/store.mjs');
  let state = frozen(reducer(initialState, { type: '@@init' }));
  let steps = 0, first, places = [];
  await play(planted, seed, (action, after) => {
    steps++;
    if (first !== undefined) return;
    state = frozen(reducer(state, action));
    places = differences(after, state);
    if (places.length) first = steps;
  });
  return { steps, first, places };
}

/** Whether two plays of one seed send the same actions. */
async function isRepeatable(folders, seed) {
  const texts = [];
  for (const folder of folders) {
    let text = '';
    await play(folder, seed, (action) => { text += `${JSON.stringify(action)}\n`; });
    texts.push(text);
  }
  return new Set(texts).size === 1;
}

function copies(app, place) {
  const folder = (name) => {
    copyApp(app, `${place}/${name}`);
    return `${place}/${name}`;
  };
  return { planted: folder('planted'), again: folder('again'), correct: folder('correct') };
}

/** The faults of a problem, and the measured values. */
async function judged(name, { write }) {
  const { app, key, report } = problem(name), faults = [], place = temporary();
  const must = (isTrue, fault) => { if (!isTrue) faults.push(fault); };
  try {
    const { planted, again, correct } = copies(app, place);
    plantBug(planted, key);
    plantBug(again, key);
    must(isGreen(name, correct), 'the hidden test is red on the correct app');
    must(!isGreen(name, planted), 'the hidden test is green on the planted app');
    must(placeOf(key).isInside, `line ${key.line} is not in what the plant replaces`);
    must(await isRepeatable([planted, again], key.seed), 'two plays differ');
    const { steps, first, places } = await measured(planted, correct, key.seed);
    must(steps >= STEPS[0] && steps <= STEPS[1], `${steps} steps`);
    if (write && first !== undefined) {
      const is = places.some((each) => isWithin(each, asPointer(key.place ?? '')));
      Object.assign(key, { step: first, place: is && key.place ? key.place : places[0] });
      writeKey(name, key);
    }
    must(first === key.step, `the first wrong step is ${first}, the key says ${key.step}`);
    must(places.some((each) => isWithin(each, asPointer(key.place ?? ''))),
      `wrong are ${places.slice(0, 5).join(', ')}; the key says ${key.place}`);
    must(!report.includes(path.basename(key.file, '.mjs')) || !/\.mjs/.test(report),
      'the report names a file');
    return { faults, text: `step ${first} of ${steps}` };
  } finally {
    fs.rmSync(place, { recursive: true, force: true });
  }
}

async function judgedApp(app, seed) {
  const { lines, run, long } = await linesOf(appFolder(app), seed), faults = [];
  if (lines < LINES) faults.push(`${lines} lines, ${LINES} are needed`);
  if (run < RUN) faults.push(`the users run ${Math.round(100 * run)} % of the lines`);
  faults.push(...long.map((file) => `${file} has over 400 lines`));
  return { faults, text: `${lines} lines, ${Math.round(100 * run)} % run by its users` };
}

function told(title, { faults, text }) {
  console.log(`${faults.length ? 'not ok' : 'ok    '} ${title}: ${text}`);
  for (const fault of faults) console.log(`         ${fault}`);
  return !faults.length;
}

const attempt = async (work) => {
  try { return await work(); } catch (error) {
    return { faults: [error.message], text: 'not checked' };
  }
};

export async function check(names, options) {
  const seeds = new Map();
  let isFine = true;
  for (const name of names) {
    isFine = told(name, await attempt(() => {
      const { app, key } = problem(name);
      if (!seeds.has(app)) seeds.set(app, key.seed);
      return judged(name, options);
    })) && isFine;
  }
  for (const [app, seed] of seeds) {
    isFine = told(`app ${app}`, await attempt(() => judgedApp(app, seed))) && isFine;
  }
  return isFine;
}
