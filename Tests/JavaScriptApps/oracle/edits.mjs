// Edits of a session: as a script for Retcon, and as the same change of a live run.
import { pick } from './live.mjs';
import { SITE, keyOf, pure } from './server.mjs';

const isAt = (step, time) => Math.abs(step.time * 1000 - time) < 0.002;

/** The dispatch of a gesture: the action, or the call of a function that the app has named. */
export const sent = ({ steps }, { at }) => {
  const found = steps.filter((step) => step?.cause === 'user' && isAt(step, at));
  return found.length === 1 ? found[0] : undefined;
};

/**
 * One random edit: the script, the step before it, and `change`. `change` makes of the fork what a
 * live run with it needs: gestures of the user, or answers of the server. `actionOf` tells the
 * dispatch of a gesture.
 */
export async function edit(session, recorded, app) {
  const { below, gestures } = session;
  if (below(4) === 0) return answerEdit(session, recorded, app);
  const all = gestures.filter((gesture) => sent(recorded, gesture));
  if (!all.length) return undefined;
  const gesture = all[below(all.length)], step = sent(recorded, gesture).number;
  const others = gestures.filter((each) => each !== gesture);
  const made = (script, leavesAt, change) => (
    { script, leavesAt, change: (fork) => ({ gestures: change(fork) }) });
  switch (['skip', 'replace', 'insert'][below(3)]) {
    case 'skip': return made([{ edit: 'skip', step }], step - 1, () => others);
    case 'replace': {
      const given = otherArguments(gesture, app.gestures, below);
      const action = given && await app.actionOf({ ...gesture, given });
      if (!action) return undefined;
      return made([{ edit: 'replace', step, action }], step - 1, () => (
        gestures.map((each) => (each === gesture ? { ...gesture, given } : each))));
    }
    default: {
      const added = pick(Object.keys(app.gestures), app.gestures, below);
      const action = await app.actionOf(added), after = lastAt(step, recorded);
      if (!action) return undefined;
      return made([{ edit: 'insert', after, action }], after, (fork) => (
        [...gestures, { ...added, at: timeOfInserted(fork, recorded, after, action) }]));
    }
  }
}

function timeOfInserted(fork, recorded, after, { type }) {
  return timeOf(recorded.steps[after], fork.steps.find((each) => each && each.number > after
    && each.standing?.[1] === 'new' && each.action.type === type));
}

/** In a live run, it comes just after the step before it, or just before the fork's next one. */
function timeOf(before, step) {
  if (!step) throw new Error('the fork lacks the step that the edit puts there');
  const isAtOnce = Math.abs(step.time - before.time) < 2e-6;
  return step.time * 1000 + (isAtOnce ? 0.0005 : -0.0005);
}

function otherArguments({ name, given }, gestures, below) {
  const others = gestures[name][1].filter((each) => each !== given[0]);
  return others.length ? [others[below(others.length)]] : undefined;
}

/** The last step that happened at once with this one, or in one task with it. */
function lastAt(step, { steps }) {
  let at = step;
  while (steps[at + 1] && steps[at + 1].time - steps[at].time < 4.5e-6) at++;
  return at;
}

/** The server says something else, says it later, fails, or never answers. */
function answerEdit({ seed, below }, recorded, { log, content }) {
  const all = recorded.steps.filter((step) => step?.action?.retcon?.answer);
  if (!all.length) return undefined;
  const chosen = all[below(all.length)], { number: step, time, action } = chosen;
  // One task may ask the same twice.
  const asked = keyIn(action.retcon.asks);
  const place = all.filter((each) => (
    keyIn(each.action.retcon.asks) === asked && isAt(each, time * 1000))).indexOf(chosen);
  const entry = log.filter(({ at, answer, key }) => key === asked
    && Math.abs(at + answer.took - time * 1000) < 0.002)[place];
  if (!entry) return undefined;
  const { took } = entry.answer, { answer, asks } = action.retcon;
  const made = (script, change) => ({
    script, leavesAt: step - 1, change(fork) {
      const edited = { ...entry, edited: change(fork) };
      return { log: log.map((each) => (each === entry ? edited : each)) };
    },
  });
  const replaced = (retcon) => [{ edit: 'replace', step, action: { ...action, retcon } }];
  switch (below(6)) {
    case 0: return made([{ edit: 'skip', step }], () => ({}));
    case 1: {
      const error = 'TypeError: fetch failed';
      return made(replaced({ answer, asks, error }), () => ({ took, lost: true }));
    }
    case 2: case 3: {
      const after = lastAt(step + 1 + below(6), recorded), before = recorded.steps[after];
      if (!before || after <= lastAt(step, recorded)) return undefined;
      return made([{ edit: 'move', step, after }], (fork) => {
        const own = fork.steps.find((each) => each && each.number >= step
          && each.action?.retcon?.answer === answer);
        // If the app cancels the request before, the answer is lost.
        return { ...entry.answer, took: timeOf(before, own ?? before) - entry.at };
      });
    }
    default: {
      const other = pure(seed + 1 + below(99), 100, content)(entry.question);
      if (other.lost) return undefined;
      const { status, body } = other, text = JSON.stringify(body);
      return made(replaced({ ...action.retcon, error: undefined, status, body: text }),
        () => ({ took, status, body }));
    }
  }
}

function keyIn([method, address, body = '']) {
  const { pathname, search } = new URL(address, SITE);
  return keyOf({ method, path: pathname + search, body });
}
