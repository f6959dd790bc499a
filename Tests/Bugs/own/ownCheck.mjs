// Proves that each problem is what its key says.
import { pathToFileURL } from 'node:url';
import {
  fileOf, isGreen, keyOf, plantedLine, reportOf, withCopies, writeKey,
} from './ownKeys.mjs';
import { appOf, play } from './ownPlay.mjs';

const STEPS = [1000, 3500], MOST_WRONG = 5, EARLIEST = 0.4;

function frozen(value) {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const each of Object.values(value)) frozen(each);
  return value;
}

async function played(folder, seed) {
  const steps = [];
  await play(folder, seed, (action, state) => {
    steps.push({ action, state, text: JSON.stringify([action, state]) });
  });
  return steps;
}

/** The steps at which the reducer of a folder, given the state before, differs from the session. */
async function differing(folder, steps) {
  const { reducer, first } = await appOf(folder);
  let before = frozen(first);
  const found = [];
  for (const [index, { action, state }] of steps.entries()) {
    const after = reducer(before, action);
    if (JSON.stringify(after) !== JSON.stringify(state)) found.push(index + 1);
    before = frozen(state);
  }
  return found;
}

/** The first step of one play that the other does not have, from 1 on. */
const parting = (one, other) =>
  one.findIndex(({ text }, index) => text !== other[index]?.text) + 1;

/** The steps at which the rule of a key does not hold. */
async function broken(name, steps, first) {
  const { rule } = await import(pathToFileURL(fileOf(name, 'rules.mjs')).href);
  let previous = first;
  const found = [], memory = {};
  for (const [index, { action, state }] of steps.entries()) {
    const step = index + 1, answer = rule(state, { previous, action, step }, memory);
    if (!answer || typeof answer === 'string') found.push(step);
    previous = state;
  }
  return found;
}

async function judged(name, { write }) {
  const key = keyOf(name), faults = [];
  const must = (isTrue, fault) => { if (!isTrue) faults.push(fault); };
  return withCopies(name, async ({ correct, planted }) => {
    must(isGreen(name, correct), 'the hidden test is red on the mended app');
    must(!isGreen(name, planted), 'the hidden test is green on the app with the bug');
    const steps = await played(planted, key.seed), again = await played(planted, key.seed);
    const mended = await played(correct, key.seed);
    must(parting(steps, again) === 0, 'two plays differ');
    must((await differing(planted, steps)).length === 0, 'the app does not replay its session');
    const first = parting(steps, mended), wrong = await differing(correct, steps);
    // A bug in a thunk sends other actions, and each of them is reduced well.
    must(!wrong.length || wrong[0] === first,
      `a replay differs at ${wrong[0]}, a play at ${first}`);
    must(wrong.length <= MOST_WRONG, `${wrong.length} steps are wrong`);
    must(first >= EARLIEST * steps.length, `step ${first} is early`);
    must(steps.length >= STEPS[0] && steps.length <= STEPS[1], `${steps.length} steps`);
    const { first: start } = await appOf(planted);
    const breaks = await broken(name, steps, start);
    must(breaks.length > 0, 'the rule holds in the session');
    must(breaks[0] >= first, `the rule breaks at ${breaks[0]}, before the first wrong step`);
    must((await broken(name, mended, start)).length === 0, 'the rule breaks in the mended app');
    const line = plantedLine(planted, key);
    if (write) writeKey(name, { ...key, line, step: first, steps: steps.length, wrong });
    else {
      must(first === key.step, `the first wrong step is ${first}, the key says ${key.step}`);
      must(line === key.line, `the bug is in line ${line}, the key says ${key.line}`);
    }
    must(key.cause <= first, `the cause ${key.cause} is after the first wrong step`);
    must(!/\.mjs|reducer|undefined/.test(reportOf(name)), 'the report names code');
    return { faults, text: `step ${first} of ${steps.length}, rule ${breaks[0]}` };
  });
}

export async function check(names, options) {
  let isFine = true;
  for (const name of names) {
    const { faults, text } = await judged(name, options)
      .catch((error) => ({ faults: [error.stack], text: 'not checked' }));
    console.log(`${faults.length ? 'not ok' : 'ok    '} ${name}: ${text}`);
    for (const fault of faults) console.log(`         ${fault}`);
    isFine = isFine && !faults.length;
  }
  return isFine;
}
