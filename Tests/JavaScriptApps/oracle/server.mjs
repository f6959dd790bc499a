// The server of the apps: it answers a question by its method, address and body.
import { hash } from './clock.mjs';

export const SITE = 'http://shop.test/shop/';
// Milliseconds: a fork that leaves out a part of a task asks the rest earlier by less than that.
const TASK = 0.02;
const WORDS = ['green tea', 'black tea', 'jam', 'cake', 'teapot', 'toast'];

/** The server's answer, from a number that is the same for the same question. */
function shop({ method, path, body }, number) {
  const [, kind, id, more] = path.split(/[/?]/);
  const pick = (count) => WORDS.slice(number % 3, number % 3 + count);
  const sent = body ? JSON.parse(body) : {};
  switch (`${method} ${kind}`) {
    case 'GET search': return pick(1 + number % 4);
    case 'GET price': return { price: 1 + number % 9 };
    case 'POST cart': return { id: number % 1000, total: sent.total };
    case 'GET users': return { id: Number(id), name: WORDS[number % 6], age: number % 90 };
    case 'PUT users': return { ...sent, version: number % 10 };
    case 'GET posts':
      if (!id || id.includes('=')) return pick(2).map((title) => ({ id: number % 50, title }));
      return { id: Number(id), title: WORDS[number % 6], likes: number % 20 };
    case 'POST posts': return more ? { likes: number % 20 } : { id: number % 1000, ...sent };
    default: return {};
  }
}

/** An answer: after which time, and what, or a lost connection. */
function answer(question, number, slowest, content) {
  const took = 20 + number % slowest, dice = (number >>> 9) % 100;
  if (dice < 4) return { took, lost: true };
  if (dice < 14) return { took, status: 500, body: { error: `no ${number % 7}` } };
  return { took, status: 200, body: content(question, number >>> 3) };
}

export const keyOf = ({ method, path, body }) => `${method} ${path} ${body}`;

/** A server that gives one answer to one question. */
export const pure = (seed, slowest, content = shop) => (question) =>
  answer(question, hash(seed, keyOf(question)), slowest, content);

/** A server that answers at once, and never fails. */
export const willing = (seed, content = shop) => (question) => ({
  took: 0.1, status: 200, body: content(question, hash(seed, keyOf(question)) >>> 3),
});

/** A server that remembers what it was sent, and whose prices change. */
export function remembering(seed, slowest, content = shop) {
  let changes = 0;
  return (question, at) => {
    if (question.method !== 'GET') changes++;
    const hour = Math.floor(at / 900);
    return answer(question, hash(seed, keyOf(question), changes, hour), slowest, content);
  };
}

/**
 * A server that repeats its answers of a recording. A question may have got several answers. With
 * `nth` it gets them in the same order. With `newest` it gets the one of the last time; within a
 * task, that does not change. `otherwise` answers new questions. An entry with `edited` gives that,
 * once: the same question gets the recorded answer when it is asked again.
 */
export function again(log, policy, otherwise) {
  const asked = new Map();
  return (question, at) => {
    const key = keyOf(question), all = log.filter((each) => each.key === key);
    const times = asked.get(key) ?? [];
    asked.set(key, [...times, at]);
    const now = all.filter((each) => Math.abs(each.at - at) < TASK);
    const same = now[times.filter((each) => Math.abs(each - at) < TASK).length];
    if (same?.edited) return same.edited;
    const isOne = new Set(all.map((each) => JSON.stringify(each.answer))).size === 1;
    const entry = policy === 'nth' ? all[times.length] ?? (isOne ? all[0] : undefined)
      : same ?? all.findLast((each) => each.at < at + TASK) ?? all[0];
    // An answer that came too late, or to no receiver, is not in the recording.
    const isHeard = entry?.isHeard || (isOne && all.some((each) => each.isHeard));
    return entry && (isHeard || policy === 'nth') ? entry.answer : otherwise(question, at);
  };
}

/** Asks a server as `fetch` does, on a clock. Each question and its answer come into the log. */
export function fetchOf(server, clock, log) {
  return async (input, options = {}) => {
    const isRequest = input instanceof Request;
    const { pathname, search } = new URL(isRequest ? input.url : input, SITE);
    const body = isRequest ? await input.clone().text() : options.body ?? '';
    const method = options.method ?? (isRequest ? input.method : 'GET');
    const signal = options.signal ?? (isRequest ? input.signal : undefined);
    const question = { method: method.toUpperCase(), path: pathname + search, body };
    signal?.throwIfAborted();
    const at = clock.now(), given = server(question, at);
    const entry = { key: keyOf(question), question, at, answer: given, isHeard: false };
    log.push(entry);
    return new Promise((resolve, reject) => {
      const timer = given.took === undefined ? 0 : clock.later(given.took, () => {
        entry.isHeard = true;
        if (given.lost) return reject(new TypeError('fetch failed'));
        const headers = { 'content-type': 'application/json', 'x-pages': `${given.took % 5}` };
        resolve(new Response(JSON.stringify(given.body), { status: given.status, headers }));
      });
      signal?.addEventListener('abort', () => { clock.stop(timer); reject(signal.reason); });
    });
  };
}
