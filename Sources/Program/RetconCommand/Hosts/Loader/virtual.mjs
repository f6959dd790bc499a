// The outside of an app that runs whole: a clock that stands still while it works, requests and
// timers that wait for the tape, and chance that comes again.
import { isSilent, nameOf, questionOf, rememberBodies } from '../Recorder/outside.mjs';
import { UNKEPT, channels } from './taped.mjs';

const { setImmediate, Date: RealDate, performance } = globalThis;
const { random } = Math;
export const world = { /** The instance that works now. */ active: undefined };

/** Until all that an app can do at once is done. */
export async function idle() {
  for (let round = 0; round < 3; round++) await new Promise((done) => { setImmediate(done); });
}

const here = (what) => {
  if (world.active) return world.active;
  throw new Error(`${what} is refused: no step runs that asks for it`);
};

/** Numbers that look like chance, and are the same for the same text. */
export function chance(text) {
  let seed = 2166136261;
  for (let at = 0; at < text.length; at++) seed = Math.imul(seed ^ text.charCodeAt(at), 16777619);
  return () => {
    seed = (seed + 0x6D2B79F5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const aborted = (signal) => (
  signal.reason ?? new DOMException('This operation was aborted', 'AbortError'));

/** The headers of an answer, of which only its kind was recorded. */
const guarded = (headers) => new Proxy(headers, {
  get(_, name) {
    const call = headers[name];
    if (typeof call !== 'function') return call;
    return (...given) => {
      const isKind = /^(get|has)$/.test(name) && /^content-type$/i.test(given[0]);
      if (!isKind) world.active?.doubt(UNKEPT);
      return call.apply(headers, given);
    };
  },
});

/** An answer of the tape, as a response. */
export function responseOf({ status, body, kind }, address) {
  const isEmpty = [101, 204, 205, 304].includes(status);
  const headers = kind ? { 'content-type': kind } : {};
  const made = (response) => Object.defineProperties(response, {
    url: { value: address }, headers: { value: guarded(response.headers) },
    clone: { value: () => made(Response.prototype.clone.call(response)) },
  });
  return made(new Response(isEmpty ? null : body ?? '', { status, headers }));
}

async function fetch(resource, init) {
  const instance = here('fetch');
  const signal = init?.signal ?? resource?.signal;
  if (signal?.aborted) throw aborted(signal);
  const asks = questionOf(resource, init);
  if (!asks) return new Promise(() => instance.doubt('its request has a body that is no text'));
  return new Promise((resolve, reject) => {
    const key = instance.ask(nameOf(asks), asks, { resolve, reject, resource });
    signal?.addEventListener('abort', () => {
      if (world.active?.cancel(key)) reject(aborted(signal));
    });
  });
}

/** The result of `setTimeout`. */
class Handle {
  constructor(key) { this.key = key; }
  ref() { return this; }
  unref() { return this; }
  hasRef() { return true; }
}

const length = (milliseconds) => Math.max(0, Number(milliseconds) || 0);

function wait(work, milliseconds, given, repeats) {
  const handle = new Handle(), instance = world.active;
  if (!instance) return handle;
  if (isSilent(work)) instance.later(length(milliseconds), work);
  else instance.wait(handle, length(milliseconds), () => work(...given), repeats);
  return handle;
}

const stop = (handle) => { if (handle instanceof Handle) world.active?.cancel(handle.key); };
const now = () => (world.active ? world.active.date() : RealDate.now());

function drawBytes(list) {
  const known = world.active?.drawn('b');
  for (let at = 0; at < list.length; at++) {
    list[at] = known?.[at] ?? Math.floor(drawNumber() * 256);
  }
  return list;
}

const drawNumber = () => (
  world.active ? world.active.drawn('r') ?? world.active.chance() : random());

function drawID() {
  const known = world.active?.drawn('u');
  if (known !== undefined) return known;
  const digits = Array.from({ length: 32 }, () => Math.floor(drawNumber() * 16).toString(16));
  return digits.join('').replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

/** In a page, the address of a request may be without a host. */
const pageRequest = (RealRequest) => class Request extends RealRequest {
  constructor(resource, init) {
    const isRequest = resource instanceof RealRequest;
    super(isRequest ? resource : new URL(resource, globalThis.location?.href), init);
  }
};

/** After the page was made, which refuses all of it. */
export function install(place) {
  const requestAnimationFrame = (work) => {
    world.active?.later(16, () => work(now()));
    return 0;
  };
  const all = {
    ...channels(() => world.active), fetch,
    setTimeout: Object.assign((work, time, ...given) => wait(work, time, given), {}),
    setInterval: (work, time, ...given) => wait(work, time, given, true),
    clearTimeout: stop, clearInterval: stop,
    navigator: place === 'page' ? { ...globalThis.navigator, onLine: true } : undefined,
    requestAnimationFrame: place === 'page' ? requestAnimationFrame : undefined,
    Date: new Proxy(RealDate, {
      construct: (_, given, target) => (
        Reflect.construct(RealDate, given.length ? given : [now()], target)),
      apply: () => new RealDate(now()).toString(),
      get: (_, name) => (name === 'now' ? now : RealDate[name]),
    }),
  };
  for (const [name, value] of Object.entries(all)) {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  }
  RealDate.prototype.constructor = all.Date;
  // Only here: node loads its whole client of the web when one of its classes is named.
  if (globalThis.Request) globalThis.Request = pageRequest(globalThis.Request);
  rememberBodies();
  Math.random = drawNumber;
  const crypto = { randomUUID: drawID, getRandomValues: drawBytes };
  globalThis.crypto ??= {}; // jest has none
  for (const [name, value] of Object.entries(crypto)) {
    Object.defineProperty(globalThis.crypto, name, { value, writable: true, configurable: true });
  }
  Object.defineProperty(performance, 'now', {
    value: () => world.active?.elapsed() ?? 0, writable: true, configurable: true,
  });
  AbortSignal.timeout = (milliseconds) => {
    const controller = new AbortController();
    globalThis.setTimeout(() => controller.abort(
      new DOMException('The operation was aborted due to timeout', 'TimeoutError')), milliseconds);
    return controller.signal;
  };
}
