// Compares the steps of a fork with live runs of the same edit.
import { Likeness } from './session.mjs';

const KNOWN = ['recorded', 'edited'];
const isKnown = ({ standing }) => !standing || KNOWN.includes(standing[0]);

/**
 * `fork`, `recorded` and each of `worlds` are sessions. A known step must be as in every world; a
 * doubt is needless if the step is so, too.
 */
export function compared(fork, recorded, worlds, leavesAt) {
  const tally = { steps: 0, known: 0, needless: 0, rightful: 0, reasons: new Map() };
  const likeness = worlds.map(() => new Likeness());
  const stepAt = (which, step, alike) => {
    const other = worlds[which].steps[step.number];
    if (!other) return 'there is no such step';
    return ['action', 'state'].map((part) => {
      const found = alike.difference(step[part], other[part]);
      return found === undefined ? undefined : `${part}${found}`;
    }).find(Boolean);
  };
  // Up to the edit, all runs are the same: else the oracle is at fault.
  for (const step of recorded.steps.slice(0, leavesAt + 1).filter(Boolean)) {
    for (const which of worlds.keys()) {
      const words = stepAt(which, step, likeness[which]);
      if (words) throw new Error(`before the edit: world ${which}, step ${step.number}: ${words}`);
    }
  }
  let reason = 'no reason is given';
  for (const step of fork.steps.slice(leavesAt + 1).filter(Boolean)) {
    tally.steps++;
    const known = isKnown(step), trial = likeness.map((each) => each.copy());
    const words = worlds.map((_, which) => stepAt(which, step, trial[which]));
    const which = words.findIndex(Boolean);
    for (const [at, each] of trial.entries()) if (!words[at]) likeness[at] = each;
    for (const { sentence } of step.assumptions ?? []) reason = sentence;
    if (known) {
      tally.known++;
      if (which >= 0) {
        return { ...tally, lie: { step: step.number, label: step.label, which, words: words[which] } };
      }
    } else if (which >= 0) tally.rightful++; else {
      tally.needless++;
      const kind = reason.replace(/\d+/g, 'N').replace(/[`“][^`”]*[`”]/g, '…');
      tally.reasons.set(kind, (tally.reasons.get(kind) ?? 0) + 1);
    }
  }
  return { ...tally, lie: missing(fork, worlds, leavesAt) };
}

/** Without a doubt and without a pending effect, a fork says that nothing more happens. */
function missing(fork, worlds, leavesAt) {
  const own = fork.steps.slice(leavesAt + 1).filter(Boolean);
  const isPending = [...fork.effects.values()].some(
    ({ finished, failed, cancelled }) => !finished && !failed && !cancelled);
  if (isPending || fork.isInDoubt || !own.every(isKnown)) return undefined;
  const which = worlds.findIndex(({ last }) => last > fork.last);
  if (which < 0) return undefined;
  const { label } = worlds[which].steps[fork.last + 1];
  return { step: fork.last + 1, label, which, words: 'it happens live, and the fork ends before' };
}
