// Runs an app live on a clock of its own, with a server and the gestures of a user.
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { channelsOn } from './channels.mjs';
import { clock as makeClock, define, random } from './clock.mjs';
import { SITE, fetchOf } from './server.mjs';

const AFTER = 1500; // milliseconds that a run goes on behind the last gesture
register('./fresh.mjs', import.meta.url);
let runs = 0;

/** A user's gestures at random times, quick ones or with pauses, some in one task. */
export function session(seed, gestures, count) {
  const draw = random(seed), isHurried = seed % 2 === 1;
  const below = (number) => Math.floor(draw() * number);
  const names = Object.keys(gestures);
  let at = 0, exact = 0, task = 0;
  const all = Array.from({ length: count }, (_, id) => {
    const joins = id > 0 && below(8) === 0;
    at += joins ? 0 : isHurried ? 15 + below(140) : 60 + below(800);
    exact = joins ? Math.round(exact * 1000 + 3) / 1000
      : Math.round(at * 1000 + 7 + 13 * id) / 1000;
    task += joins ? 0 : 1;
    return { at: exact, task, ...pick(names, gestures, below) };
  });
  return { seed, gestures: all, end: Math.ceil(at) + AFTER, below };
}

/** One gesture, without a time. */
export function pick(names, gestures, below) {
  const name = names[below(names.length)], [, choices] = gestures[name];
  return { name, given: choices.length ? [choices[below(choices.length)]] : [] };
}

/** Runs gestures, and returns what the recorder wrote and what the server was asked. */
export async function live(file, { seed, gestures, end, isPage }, server) {
  const clock = makeClock(seed), log = [];
  clock.install();
  if (isPage) becomePage();
  globalThis.fetch = fetchOf(server, clock, log);
  enter(clock, seed);
  const app = await import(`${pathToFileURL(file)}?run=${++runs}`);
  const perform = ({ name, given, at }) => {
    clock.pass(at);
    globalThis.event = { isTrusted: true, type: 'click' };
    try {
      app.gestures[name][0](...given); // without waiting for it
    } catch { /* an app's own mistake */ } finally { delete globalThis.event; }
  };
  // Those of one task come at once, and time passes between them.
  for (const gesture of gestures) {
    const group = gesture.task ? gestures.filter(({ task }) => task === gesture.task) : [gesture];
    if (group[0] === gesture) clock.later(gesture.at, () => group.forEach(perform));
  }
  await clock.run(end);
  return { text: app.recorder.text(), log };
}

/** Gives the app the channels of a page. A recorder does not see them. */
function enter(clock, seed) {
  globalThis.fetchOfPage = globalThis.fetch;
  for (const [name, value] of Object.entries(channelsOn(clock, seed))) define(name, value);
  define('location', new URL(SITE));
  define('Request', PageRequest);
}

/** In a page, the address of a request may be without a host. */
class PageRequest extends globalThis.Request {
  constructor(resource, init) {
    super(resource instanceof Request ? resource : new URL(resource, SITE), init);
  }
}

/** A page has a document, and nothing that follows a task through `await`. */
function becomePage() {
  globalThis.document ??= { visibilityState: 'visible', addEventListener() {} };
  process.getBuiltinModule = undefined;
  globalThis.setImmediate = undefined;
}

/** The functions and gestures that an app offers, read without a run. */
export async function offered(file) {
  const clock = makeClock(0);
  clock.install();
  globalThis.fetch = fetchOf(() => ({}), clock, []);
  enter(clock, 0);
  const { gestures, content } = await import(`${pathToFileURL(file)}?run=0`);
  return { gestures, content };
}
