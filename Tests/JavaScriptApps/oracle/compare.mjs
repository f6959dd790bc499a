// Compares the steps of a fork with live runs of the same edit.
import { Likeness, untyped } from './session.mjs';

/** An event from outside is a step that leaves the state; the app's own actions are compared. */
const isOwn = (step) => step && step.action?.retcon === undefined;
const KNOWN = ['recorded', 'edited'];
const isKnown = ({ standing }) => !standing || KNOWN.includes(standing[0]);

/**
 * `fork`, `recorded` and each of `worlds` are sessions, and live runs end at `end`. A known step
 * must be as in every world; a doubt is needless if the step is so, too.
 */
export function compared(fork, recorded, worlds, leavesAt, end) {
  const tally = { steps: 0, known: 0, needless: 0, rightful: 0, late: 0, reasons: new Map() };
  const likeness = worlds.map(() => new Likeness());
  const lives = worlds.map(({ steps }) => steps.filter(isOwn));
  const stepAt = (which, step, at, alike) => {
    const other = lives[which][at];
    if (!other) return 'there is no such step';
    return ['action', 'state'].map((part) => {
      const found = alike.difference(untyped(step[part]), untyped(other[part]));
      return found === undefined ? undefined : `${part}${found}`;
    }).find(Boolean);
  };
  // Up to the edit, all runs are the same: else the oracle is at fault.
  const before = recorded.steps.slice(0, leavesAt + 1).filter(isOwn);
  for (const [at, step] of before.entries()) {
    for (const which of worlds.keys()) {
      const words = stepAt(which, step, at, likeness[which]);
      if (words) throw new Error(`before the edit: world ${which}, step ${step.number}: ${words}`);
    }
  }
  let reason = 'no reason is given', at = before.length;
  for (const step of fork.steps.slice(leavesAt + 1).filter(Boolean)) {
    for (const { sentence } of step.assumptions ?? []) reason = sentence;
    if (!isOwn(step) || step.time * 1000 > end) continue;
    tally.steps++;
    const known = isKnown(step), trial = likeness.map((each) => each.copy());
    const words = worlds.map((_, which) => stepAt(which, step, at, trial[which]));
    at++;
    const which = words.findIndex(Boolean);
    for (const [each, alike] of trial.entries()) if (!words[each]) likeness[each] = alike;
    if (known) {
      tally.known++;
      const { time = step.time } = lives[0][at - 1] ?? {};
      if (Math.abs(time - step.time) > 3e-6) tally.late++;
      if (which >= 0) {
        const { number, label } = step;
        return { ...tally, lie: { step: number, label, which, words: words[which] } };
      }
    } else if (which >= 0) tally.rightful++; else {
      tally.needless++;
      const kind = reason.replace(/[`“][^`”]*[`”]/g, '…').replace(/\d+/g, 'N');
      tally.reasons.set(kind, (tally.reasons.get(kind) ?? 0) + 1);
    }
  }
  return { ...tally, lie: missing(fork, lives, leavesAt, at) };
}

/** Without a doubt and without a pending effect, a fork says that nothing more happens. */
function missing(fork, lives, leavesAt, count) {
  const own = fork.steps.slice(leavesAt + 1).filter(Boolean);
  // A request or a timer that is still running has neither its answer nor an end by the app.
  const over = new Set(fork.steps.map((each) => (
    each?.action?.retcon?.answer ?? each?.action?.retcon?.fire)));
  const isPending = [...fork.effects.values()].some(({ started, failed, cancelled }) =>
    started?.cancel && !failed && !cancelled && !over.has(started.cancel));
  if (isPending || !own.every(isKnown)) return undefined;
  const which = lives.findIndex((all) => all.length > count);
  if (which < 0) return undefined;
  const words = 'it happens live, and the fork ends before';
  return { step: fork.last, label: lives[which][count].label, which, words };
}
