// Edits of what the user did: as a script for Retcon, and as the same change of a live run.
import { pick } from './live.mjs';

const isAt = (step, time) => Math.abs(step.time * 1000 - time) < 0.002;

/** The step of each gesture that dispatched an action: its number in the recording. */
function stepsOf({ gestures }, { steps }) {
  return new Map(gestures.map((gesture) => {
    const found = steps.filter((step) => step?.cause === 'user' && isAt(step, gesture.at));
    return [gesture, found.length === 1 ? found[0].number : undefined];
  }).filter(([, number]) => number));
}

/**
 * One random edit: the script, the step before it, and `change`, which makes a session live with
 * it. `actionOf` says which action a gesture dispatches, if it dispatches one.
 */
export async function edit(session, recorded, { gestures, actionOf }) {
  const { below } = session, places = stepsOf(session, recorded);
  const all = [...places.keys()];
  if (!all.length) return undefined;
  const gesture = all[below(all.length)], step = places.get(gesture);
  const others = session.gestures.filter((each) => each !== gesture);
  const made = (script, leavesAt, change) => ({ script, leavesAt, change });
  const kind = ['skip', 'replace', 'insert'][below(3)];
  if (kind === 'skip') {
    return made([{ edit: 'skip', step }], step - 1, () => ({ ...session, gestures: others }));
  }
  if (kind === 'replace') {
    const given = otherArguments(gesture, gestures, below);
    const action = given && await actionOf({ ...gesture, given });
    if (!action) return undefined;
    return made([{ edit: 'replace', step, action }], step - 1, () => (
      { ...session, gestures: [...others, { ...gesture, given }] }));
  }
  const added = pick(Object.keys(gestures), gestures, below);
  const action = await actionOf(added), after = lastAt(step, recorded);
  if (!action) return undefined;
  return made([{ edit: 'insert', after, action }], after, (fork) => {
    const own = fork.steps.find((each) => each && each.number > after
      && each.standing?.[1] === 'new' && each.action.type === action.type);
    if (!own) throw new Error('the fork has no inserted step');
    const { time } = recorded.steps[after];
    const at = own.time * 1000 + (Math.abs(own.time - time) < 2e-6 ? 0.0005 : -0.0005);
    return { ...session, gestures: [...session.gestures, { ...added, at }] };
  });
}

function otherArguments({ name, given }, gestures, below) {
  const others = gestures[name][1].filter((each) => each !== given[0]);
  return others.length ? [others[below(others.length)]] : undefined;
}

/** The last step that happened at once with this one. */
function lastAt(step, { steps }) {
  let at = step;
  while (steps[at + 1] && isAt(steps[at + 1], steps[at].time * 1000)) at++;
  return at;
}
