// Measures forks of one recorded session.
import { performance as wall } from 'node:perf_hooks';
import { compared } from './compare.mjs';
import { edit, sent } from './edits.mjs';
import { live, session } from './live.mjs';
import { again, pure, remembering, willing } from './server.mjs';
import { parsed } from './session.mjs';

export const nothing = () => ({
  sessions: 0, forks: 0, steps: 0, known: 0, needless: 0, rightful: 0, late: 0, seconds: 0,
  lies: [], faults: [], reasons: new Map(), verified: new Map(),
});

const COUNTED = ['steps', 'known', 'needless', 'rightful', 'late'];
const count = (map, key, more) => map.set(key, (map.get(key) ?? 0) + more);

/** Loses the answer to each question that is asked behind a step. */
function sabotage(changed, { time = 0 } = {}) {
  changed.log = changed.log.map((each) => (each.at <= time * 1000 + 0.002 ? each
    : { ...each, answer: { took: each.answer.took, lost: true } }));
}

const folderOf = (name, { lies }) => `${lies}/${name.replaceAll(' ', '-')}`;

/** How the server may take what was never asked, or got several answers: all that is possible. */
const worldsOf = (seed, slowest, content) => [
  ['nth', pure(seed, slowest, content)],
  ['nth', willing(seed + 1, content)],
  ['newest', () => ({})],
];

/** Records a session of an app, forks it some times, and adds what it found to `total`. */
export async function measure(program, app, seed, options, total) {
  const { files, gestures, name, content } = app, isPage = options.page === 'yes';
  const plan = { ...session(seed, gestures, Number(options.gestures)), isPage };
  const slowest = seed % 3 === 0 ? 700 : 250;
  const server = seed % 4 === 3 ? remembering(seed, slowest, content)
    : pure(seed, slowest, content);
  const { text, log } = await live(files.recorded, plan, server);
  program.record(text);
  total.sessions++;
  count(total.verified, program.verify(), 1);
  const actionOf = async (gesture) => {
    const at = 10, alone = { seed, isPage, gestures: [{ ...gesture, at }], end: 12 };
    return sent(parsed((await live(files.recorded, alone, () => ({}))).text), { at })?.action;
  };
  const recorded = parsed(text), worlds = worldsOf(seed, slowest, content);
  for (let number = 0; number < Number(options.edits); number++) {
    const called = `${name} ${seed}-${number}`;
    try {
      let made;
      for (let tries = 0; !made && tries < 9; tries++) {
        made = await edit(plan, recorded, { gestures, content, actionOf, log });
      }
      if (!made) continue;
      const { leavesAt } = made, begin = wall.now();
      const fork = program.fork({ parent: 'main', leavesAt, rest: 'rerun', edits: made.script });
      total.seconds += (wall.now() - begin) / 1000;
      const changed = { ...plan, log, ...made.change(fork) }, texts = [];
      if (options.sabotage) sabotage(changed, recorded.steps[leavesAt]);
      for (const [policy, otherwise] of worlds) {
        const answers = again(changed.log, policy, otherwise);
        texts.push((await live(files.live, changed, answers)).text);
      }
      const tally = compared(fork, recorded, texts.map(parsed), leavesAt, plan.end);
      total.forks++;
      for (const key of COUNTED) total[key] += tally[key];
      for (const [why, steps] of tally.reasons) count(total.reasons, why, steps);
      if (!tally.lie) continue;
      const { step, label, which, words } = tally.lie;
      total.lies.push(`${called}: step ${step} ${label}: ${words} (world ${which})`);
      if (options.lies) {
        program.keep(folderOf(called, options), total.lies.at(-1), texts);
      }
    } catch (error) {
      total.faults.push(`${called}: ${error.message}`);
      if (options.lies) program.keep(folderOf(`fault ${called}`, options), called, []);
    }
  }
}
