// The functions by which an app reaches the outside, in versions that tell what it does.
import { leaving } from './tasks.mjs';

const bodies = new WeakMap();

/** Lets requests remember their bodies, which can be read only once. */
export function rememberBodies() {
  const Real = globalThis.Request;
  if (!Real) return;
  globalThis.Request = class Request extends Real {
    constructor(resource, init) {
      super(resource, init);
      bodies.set(this, init?.body ?? bodies.get(resource));
    }

    clone() {
      const made = super.clone();
      bodies.set(made, bodies.get(this));
      return made;
    }
  };
}

/** The question of a request; undefined if its body is not text. */
export function questionOf(resource, { method, body = bodies.get(resource) } = {}) {
  const isRequest = typeof resource === 'object' && resource !== null && 'url' in resource;
  const address = isRequest ? resource.url : String(resource);
  const verb = String(method ?? (isRequest ? resource.method : 'GET')).toUpperCase();
  const words = body instanceof URLSearchParams ? String(body) : body;
  if (words !== undefined && words !== null && typeof words !== 'string') return undefined;
  return [verb, address, ...(words ? [words] : [])];
}

export const nameOf = ([method, address]) => `${method} ${address.replace(/[?#].*/, '')}`;
export const LARGEST = 1 << 20;

/** The frames of an error are others wherever it runs. */
export function withoutFrames(action) {
  const { stack } = action?.error ?? {};
  if (typeof stack !== 'string') return action;
  return { ...action, error: { ...action.error, stack: stack.replace(/\n[^]*/, '') } };
}

export function patchWorld(world) {
  rememberBodies();
  patchFetch(world);
  patchTimers(world);
  patchChance(world);
}

function patchFetch({ apart, effect, cancel, arrives, leave }) {
  const real = globalThis.fetch;
  if (!real) return;
  globalThis.fetch = (resource, init) => {
    const signal = init?.signal ?? (resource instanceof Request ? resource.signal : undefined);
    const asks = questionOf(resource, init);
    const started = asks && !signal?.aborted ? effect(nameOf(asks)) : undefined;
    if (!started) {
      const made = real(resource, init);
      if (!signal?.aborted) made.then(leave, leave);
      return made;
    }
    signal?.addEventListener('abort', () => cancel(started));
    started.resource = resource; // A request without an owner does not hear of its abort.
    const name = nameOf(asks);
    return apart(() => real(resource, init)).then(async (response) => {
      leave();
      const type = response.headers.get('content-type') ?? '';
      const body = /event-stream/.test(type) ? undefined : await response.text();
      if (body === undefined || body.length > LARGEST) {
        cancel(started);
        return body === undefined ? response : rebuilt(response, body);
      }
      const { status } = response, { key } = started;
      return arrives(started, {
        type: `${name} ${status}`, retcon: { answer: key, asks, status, body, kind: type },
      }, { arguments: asks, value: { status, body, kind: type } }, () => rebuilt(response, body));
    }, (error) => {
      if (signal?.aborted) throw error;
      const words = `${error.name}: ${error.message}`;
      return arrives(started, {
        type: `${name} failed`, retcon: { answer: started.key, asks, error: words },
      }, { arguments: asks, value: { error: words } }, () => { throw error; });
    });
  };
}

/** An answer that gives its text at once: in a page, reading a body is a task of its own. */
function atOnce(response, body) {
  const { clone } = response;
  let isRead = false;
  const read = (work) => async () => {
    if (isRead || response.body?.locked) throw new TypeError('the body was read already');
    isRead = true;
    return work(body);
  };
  return Object.defineProperties(response, {
    text: { value: read(String) }, json: { value: read(JSON.parse) },
    clone: { value: () => atOnce(clone.call(response), body) },
  });
}

function rebuilt(response, body) {
  const { status, statusText, headers, url, redirected } = response;
  const isEmpty = [101, 204, 205, 304].includes(status);
  const again = new Response(isEmpty ? null : body, { status, statusText, headers });
  return atOnce(Object.defineProperties(
    again, { url: { value: url }, redirected: { value: redirected } }), body);
}

/** Redux Toolkit tells its subscribers by a timer, which sends nothing. */
export const isSilent = (work) => typeof work !== 'function' || work.name === 'notifyListeners'
  || /cancelAnimationFrame\(/.test(work);

function patchTimers({ effect, cancel, arrives, leave }) {
  const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;
  const running = new Map();
  const begin = (milliseconds) => {
    const started = effect(`timer ${milliseconds} ms`);
    return started && { started, milliseconds };
  };
  const fire = (timer, work) => {
    const { started: { key }, milliseconds } = timer;
    const action = { type: `timer ${milliseconds} ms`, retcon: { fire: key } };
    return arrives(timer.started, action, undefined, work);
  };
  const length = (milliseconds) => Math.max(0, Number(milliseconds) || 0);
  globalThis.setTimeout = Object.assign((work, milliseconds, ...given) => {
    const timer = isSilent(work) ? undefined : begin(length(milliseconds));
    if (!timer) return setTimeout(leaving(leave, work), milliseconds, ...given);
    const handle = setTimeout(() => {
      running.delete(handle);
      fire(timer, () => work(...given));
    }, milliseconds);
    running.set(handle, timer);
    return handle;
  }, setTimeout);
  globalThis.setInterval = (work, milliseconds, ...given) => {
    const timer = isSilent(work) ? undefined : begin(length(milliseconds));
    if (!timer) return setInterval(leaving(leave, work), milliseconds, ...given);
    const handle = setInterval(() => fire(timer, () => {
      // Before its work, which may stop it.
      Object.assign(timer, begin(timer.milliseconds));
      work(...given);
    }), milliseconds);
    running.set(handle, timer);
    return handle;
  };
  const stopping = (stop) => (handle) => {
    const timer = running.get(handle);
    if (running.delete(handle)) cancel(timer.started);
    return stop(handle);
  };
  globalThis.clearTimeout = stopping(clearTimeout);
  globalThis.clearInterval = stopping(clearInterval);
  AbortSignal.timeout = (milliseconds) => {
    const controller = new AbortController();
    globalThis.setTimeout(() => controller.abort(
      new DOMException('The operation was aborted due to timeout', 'TimeoutError')), milliseconds);
    return controller.signal;
  };
}

function patchChance({ draw }) {
  const { random } = Math, Real = Date, { crypto } = globalThis;
  Math.random = () => draw('r', random());
  const now = () => draw('d', Real.now());
  globalThis.Date = Real.prototype.constructor = new Proxy(Real, {
    construct: (_, given, target) => (
      Reflect.construct(Real, given.length ? given : [now()], target)),
    apply: () => new Real(now()).toString(),
    get: (_, name) => (name === 'now' ? now : Real[name]),
  });
  if (crypto?.randomUUID) {
    const { randomUUID } = crypto;
    crypto.randomUUID = () => draw('u', randomUUID.call(crypto));
  }
  if (crypto?.getRandomValues) {
    const { getRandomValues } = crypto;
    crypto.getRandomValues = (list) => {
      getRandomValues.call(crypto, list);
      draw('b', Array.from(list, Number));
      return list;
    };
  }
}
