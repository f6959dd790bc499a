// Records a store for Retcon. One file without packages, yours to change.
//   const recorder = record({ name: 'shop', file: 'shop.retcon' })
// Redux takes recorder.enhancer, zustand recorder.zustand, XState recorder.inspect: docs/redux.md,
// docs/other-stores.md. Anything else: recorder.start(state) once, recorder.step(action, state)
// inside its reducer. Do not change states in place: they are compared later. `redact` names secret
// keys. `to: 'ws://localhost:7382'` sends each step to `retcon listen`. Without it and without
// `file` (node 20.16) the last `limit` steps are kept for recorder.text(), .download() and
// onError: (text, error) => ….
// It writes who sent an action only with a proof. `from: (action) => 'venue'` names a source, and
// so does recorder.from('venue')(() => dispatch(…)). `middleware: false` says that the app itself
// sends nothing. In a page, events of the browser prove the user. `world: true` keeps what the
// outside answers, so that a fork runs thunks, listeners and sagas again.
import { kindOf, naming, readsOf, worldOf } from './Recorder/inputs.mjs';
import { escapedKey, shifted } from './Recorder/pointers.mjs';
import { holds, isPlain, mapped, partsSet, redactor, typed } from './Recorder/values.mjs';

/** Those of the page, whatever `world` puts in their place. */
const { setTimeout, Date, WebSocket } = globalThis;

/** @param {any} [options] */
export function record({
  name = 'app', to, file, limit = 1000, redact = [], from, middleware = true, onError, write,
  world = false,
} = {}) {
  const host = globalThis[Symbol.for('retcon.host')];
  if (host) return silent(host);
  const hide = redactor(redact), output = outputTo(to, file, write);
  const session = sessionOf({ name, limit, redact, middleware, world }, hide, output);
  const senders = sendersIn(session, hide, { from, middleware, onError });
  const its = { ...senders, onError, UNKNOWN, OUTSIDE };
  const redux = world ? worldOf(session, hide, its) : { ...senders, begin: session.start };
  const { text, flush, start } = session, { step, within } = senders;
  const fail = (event) => onError(text(), event.error ?? event.reason);
  const kinds = onError ? ['error', 'unhandledrejection'] : [];
  for (const kind of kinds) globalThis.addEventListener?.(kind, fail);
  return {
    text, flush, step, start, from: (source) => (work) => within(source, work),
    enhancer: forRedux(session, redux), calls: naming,
    zustand: world ? redux.zustand : forZustand(session, senders),
    inspect({ type, actorRef, rootId, event, snapshot: { value, context, status } = {} }) {
      if (type !== '@xstate.snapshot' || actorRef.sessionId !== rootId) return;
      const state = { value, context, status };
      if (session.hasStarted()) step(event, state); else start(state);
    },
    download() {
      const link = document.createElement('a'), href = URL.createObjectURL(new Blob([text()]));
      Object.assign(link, { href, download: `${name}.retcon` }).click();
    },
  };
}

/** In a host of Retcon, which runs the app again, nothing is recorded. */
function silent({ calls, zustand }) {
  const nothing = () => {};
  return {
    text: () => '', flush: nothing, step: nothing, start: nothing, inspect: nothing,
    download: nothing, from: () => (work) => work(), enhancer: (make) => make,
    zustand: zustand ?? ((make) => make),
    calls(creators) { Object.assign(calls, creators); return creators; },
  };
}

const forRedux = ({ hasStarted }, { begin, dispatched, note }) => (make) => (reducer, ...rest) => {
  const inside = (reduce) => (before, action) => {
    let state;
    try { state = reduce(before, action); } catch (error) {
      if (hasStarted()) note(action, before, error);
      throw error;
    }
    if (hasStarted()) note(action, state); else begin(state);
    return state;
  };
  const store = make(inside(reducer), ...rest);
  const dispatch = (action) => dispatched(store.dispatch, action);
  return { ...store, dispatch, replaceReducer: (next) => store.replaceReducer(inside(next)) };
};

const forZustand = ({ restart }, senders) => (make) => (set, get, api) => {
  const { apart, asked, anyone, note, sending, user } = senders;
  let depth = 0, hasWaited = false;
  const watched = (call, tell) => (...given) => {
    const before = get(), cause = hasWaited ? user() ?? UNKNOWN : anyone();
    let result;
    try { depth++; return (result = apart(() => call(...given))); } finally {
      // After an `await` it may call any other by itself.
      if (typeof result?.then === 'function') hasWaited = true;
      if (!--depth) tell(given, cause, before, get());
    }
  };
  const member = ([type, part]) => [type, typeof part !== 'function' ? part
    : watched(part, (given, cause, _, after) => {
      const action = { type, arguments: given };
      sending(asked(action, cause), () => note(action, after), action);
    })];
  const setter = (isOwn) => watched(set, (given, sender, before, after) => {
    const isFunction = typeof given[0] === 'function';
    const parts = isFunction ? partsSet(given, before, after) : given;
    const action = { type: 'setState', arguments: { toJSON: () => parts.map(typed) } };
    const cause = isFunction ? UNKNOWN
      : asked({ ...action, arguments: parts }, isOwn ? UNKNOWN : sender);
    sending(cause, () => note(action, after), action);
  });
  api.setState = setter(false);
  // Its functions set more after an `await`, and do not say which one it was.
  return restart(mapped(make(setter(true), get, api), member));
};

// The sender of an action: one of these, a source with a name, or an effect.
const USER = { told: 'user' }, UNKNOWN = { told: 'unknown' }, OUTSIDE = { told: 'outside' };
const KNOWN = new Map([USER, UNKNOWN, OUTSIDE].map((cause) => [cause.told, cause]));
const GESTURES = new RegExp('^(key(down|up|press)|(mouse|pointer)(down|up|move)|touch|drag|drop|'
  + '(dbl|aux)?click|contextmenu|wheel|(before)?input|change|submit|cut|copy|paste|composition)');

function sendersIn({ add, count, tell, text }, hide, { from, middleware, onError }) {
  // The frame on the stack, and the source that recorder.from names. In node it survives `await`.
  let frame, source, effects = 0;
  const requests = new Map(), isEnd = /\/(fulfilled|rejected)$/;
  const Storage = globalThis.process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage;
  const names = Storage && new Storage(), sourceHere = () => (names ? names.getStore() : source);
  const within = (name, work) => {
    if (names) return names.run(name, work);
    const outer = source;
    try { source = name; return work(); } finally { source = outer; }
  };
  // The app's own work then is not the source's.
  const apart = (work) => (sourceHere() === undefined ? work() : within(undefined, work));
  const sender = (name) => KNOWN.get(name) ?? { told: { outside: hide.text(String(name)) } };
  const asked = (action, otherwise) => {
    let name = sourceHere();
    try { name = from?.(action) ?? name; } catch { /* the app goes on */ }
    return name === undefined ? otherwise : sender(name);
  };
  // An event of the browser proves the user. Else only the app knows that none of its code sends.
  const user = ({ event } = globalThis) =>
    (event?.isTrusted && GESTURES.test(event.type) ? USER : undefined);
  const anyone = () => user() ?? (middleware ? UNKNOWN : OUTSIDE);
  // The frame on the stack is the sender of actions meanwhile. Only the app knows other senders.
  const enclosing = (each = frame) => {
    while (each && each.step === undefined && !each.call) each = each.outer;
    return each;
  };
  const effect = (title, from, more) => ({ id: ++effects, title, from, ...more });
  const causeHere = (action, otherwise) => {
    const outer = enclosing();
    if (!outer) return asked(action, otherwise);
    return outer.call ?? effect('nested dispatch', outer.step, { isShort: true });
  };
  const called = (name) => name && hide.text(String(name).replace(/\/pending$/, ''));
  // Without a step that started it, code outside the store called it.
  const open = (effect) => (effect.start ??= tell(effect, 'started', {
    from: effect.from ?? effect.at ?? count(), ordinal: 1, name: called(effect.title),
    file: 'javascript', outside: effect.from === undefined || undefined,
  }));
  const end = (effect, error) => {
    effect.isOver = true;
    if (error === undefined) tell(effect, 'finished');
    else tell(effect, 'failed', { message: hide.text(String(error)) });
  };
  const current = (effect) => (effect.isOver ? { ...effect.late, id: ++effects } : effect);
  /** The effect that sent the first action of a request whose last action this is. */
  const asking = (action) => {
    const effect = requests.get(action?.meta?.requestId);
    return effect && isEnd.test(String(action.type)) && requests.delete(action.meta.requestId)
      ? current(effect) : undefined;
  };
  const note = (action, state, error) => {
    const isSent = frame && frame.step === undefined && frame.action === action; // or middleware's
    const cause = isSent ? frame.cause : asking(action) ?? causeHere(action, UNKNOWN);
    if (cause.id !== undefined) open(cause).name ||= called(action?.type);
    if (cause.late && action?.meta?.requestId) requests.set(action.meta.requestId, cause);
    const number = add(action, state, error ? { ...cause, error } : cause);
    if (isSent) frame.step = number;
    if (cause.isShort) end(cause);
    if (error) onError?.(text(), error);
  };
  const framed = (work, action, cause, call) => {
    const outer = frame;
    frame = { action, cause, call, step: undefined, outer };
    try { return apart(work); } finally { frame = outer; }
  };
  const sending = (cause, dispatch, action) => framed(() => dispatch(action), action, cause);
  // A thunk is an effect that its call starts. It ends with the last of the thunks that it calls.
  const thunk = (call, effect) => (dispatch, ...rest) => {
    const own = (action) => {
      if (typeof action === 'function') return dispatch(thunk(action, effect));
      return sending(current(effect), dispatch, action);
    };
    const over = (error) => { if (!--effect.calls && !effect.isOver) end(effect, error); };
    open(effect);
    effect.calls = (effect.calls ?? 0) + 1;
    // Actions after its end belong to an effect of their own, with the same call as its origin.
    effect.late ??= { title: call.name, from: effect.from, at: effect.start.from, isShort: true };
    // RTK Query finds its running requests by the function with which they were sent.
    const sent = kindOf(call) === 'endpoint' ? dispatch : own;
    const run = () => framed(() => call(sent, ...rest), undefined, undefined, effect);
    let result;
    try { result = run(); } catch (error) { over(error); throw error; }
    if (typeof result?.then === 'function') result.then(() => over(), over); else over();
    return result;
  };
  const dispatched = (dispatch, action) => {
    if (typeof action !== 'function') return sending(causeHere(action, anyone()), dispatch, action);
    const outer = enclosing();
    return dispatch(thunk(action, outer?.call ?? effect(action.name, outer?.step)));
  };
  const step = (action, state, name) => sending(
    name ? sender(name) : asked(action, user() ?? UNKNOWN), () => note(action, state), action);
  return { anyone, apart, asked, dispatched, note, sending, step, user, within };
}

function sessionOf({ name, limit, redact, middleware, world }, hide, output) {
  const clock = performance, zero = clock.now(), began = new Date(), EVENT = {};
  // Steps with the states after them, and lines about effects: a ring spares the collector. `base`,
  // `first` and `running` are the state, the steps and the effects before those that it holds.
  const ring = Array(3 * limit).fill(null), times = new Float64Array(limit), running = new Map();
  let head = 0, size = 0, number = 0, base, first = 0, written, isSoon = false;
  const seconds = (time = clock.now()) => Math.round((time - zero) * 1e3) / 1e6;
  const id = `${Math.random()}${Math.random()}`;
  const header = () => JSON.stringify({
    retcon: '1.1', session: id, app: { name }, can: 'replay',
    world: world ? (globalThis.document ? 'page' : 'node') : undefined,
    page: world ? pageHere(hide) : undefined,
    started: began.toISOString(), states: 'every', snapshots: 'copied',
    middleware: middleware ? undefined : 'none',
    redacted: redact.length ? redact.map((key) => `key ${key} (asked for)`) : undefined,
    first: first || undefined, effects: running.size ? [...running.values()] : undefined,
    state: hide.value(base) ?? null,
  });
  const ending = () => JSON.stringify({ end: number, time: seconds() });
  const line = (at, place) => {
    const [given, state, cause] = ring.slice(3 * place, 3 * place + 3);
    if (cause === EVENT) return [given].flat().map((each) => JSON.stringify(each)).join('\n');
    const action = cause.input ? typed(given) : given; // a fork runs it again
    const told = {
      time: seconds(times[place]), label: hide.text(String(action?.type ?? '(no type)')),
      action: hide.value(action) ?? null,
      cause: cause.id === undefined ? cause.told : { effect: cause.id },
      reads: readsOf(cause, began / 1000 + seconds(times[place]), action),
      error: cause.error && hide.text(String(cause.error)), patch: changes(hide, at.state, state),
    };
    const text = JSON.stringify({ step: ++at.step, ...told });
    at.state = state;
    if ((at.rest -= text.length) > 0) return text;
    // Keyframes are at most a quarter of what is written.
    const whole = { step: at.step, keyframe: true, ...told, state: hide.value(state) ?? null };
    const keyframe = JSON.stringify(whole);
    at.rest = 4 * keyframe.length;
    return keyframe;
  };
  const begin = () => ({ state: base, step: first, rest: 4096 }); // before the first line
  const lines = (at) => Array.from(
    { length: size }, (_, index) => line(at, (head + index) % limit))
    .filter(Boolean).map((each) => `${each}\n`).join('');
  const text = () => `${header()}\n${lines(begin())}${ending()}\n`;
  const flush = () => {
    isSoon = false;
    if (!written) { output.put(`${header()}\n`); written = begin(); }
    if (size) output.put(lines(written));
    while (size) letGo();
  };
  const letGo = () => {
    if (Array.isArray(ring[3 * head])) ring[3 * head].isGone = true;
    head = (head + 1) % limit; size--;
  };
  const drop = () => {
    const last = ring[3 * head], state = ring[3 * head + 1], cause = ring[3 * head + 2];
    if (cause !== EVENT) { base = state; first++; }
    for (const each of cause === EVENT ? [last].flat() : []) {
      if (each.event !== 'started') { if (each.event) running.delete(each.effect); }
      else running.set(each.effect, { ...each, event: undefined, after: undefined });
    }
    letGo();
  };
  const push = (action, state, cause) => {
    if (size === limit) if (output.isOpen()) flush(); else drop();
    const place = (head + size++) % limit;
    ring[3 * place] = action; ring[3 * place + 1] = state; ring[3 * place + 2] = cause;
    times[place] = clock.now();
    if (output.isOpen() && !isSoon) { isSoon = true; setTimeout(flush).unref?.(); }
  };
  const leave = () => { if (base !== undefined) { flush(); output.put(`${ending()}\n`); } };
  if (output.isOpen()) globalThis.process?.on?.('exit', leave);
  return {
    text, flush, now: seconds, count: () => number, hasStarted: () => base !== undefined,
    start(state) { base ??= state; }, restart: (state) => (base = state),
    add(action, state, cause) { number++; push(action, state, cause); return number; },
    say: (line) => push(line, null, EVENT),
    tell({ id }, event, more, place) {
      const { after = number, time = seconds() } = place?.isGone ? {} : place ?? {};
      const line = { effect: id, event, after, time, ...more };
      if (place && !place.isGone) place.push(line); else push(line, null, EVENT);
      return line;
    },
    /** A place for lines that come later, before the next one. */
    place() {
      const place = Object.assign([], { after: number, time: seconds() });
      push(place, null, EVENT); return place;
    },
  };
}

/** The address of the page, without what its user asked for. */
const pageHere = (hide) => globalThis.location && hide.text(location.href.replace(/[?#].*/, ''));

/** The changes from one state to the next, as operations of RFC 6902. */
function changes(hide, from, to, path = '', key = undefined, all = []) {
  if (Object.is(from, to)) return all;
  const place = (each) =>
    `${path}/${escapedKey(hide.name(String(each)))}`;
  const add = (each) =>
    all.push({ op: 'add', path: place(each), value: hide.value(to[each], each) ?? null });
  const remove = (each) => all.push({ op: 'remove', path: place(each) });
  const inner = (each, key) => changes(hide, from[each], to[each], place(each), key, all);
  const areAlike = isPlain(from) && isPlain(to) && Array.isArray(from) === Array.isArray(to);
  if (hide.hides(key) || !areAlike) {
    all.push({ op: 'replace', path, value: hide.value(to, key) ?? null });
  } else if (Array.isArray(from)) {
    const { at: first, gone, left, start, end } = shifted(from, to);
    for (let at = first + gone - 1; at >= first; at--) remove(at);
    from = left;
    const shortest = Math.min(from.length, to.length) - end;
    for (let at = start; at < shortest; at++) inner(at);
    for (let at = from.length - end - 1; at >= shortest; at--) remove(at);
    for (let at = shortest; at < to.length - end; at++) add(at);
  } else {
    for (const each of Object.keys(from)) if (holds(from, each) && !holds(to, each)) remove(each);
    const left = Object.keys(to).filter((each) => holds(to, each));
    for (const each of left) if (holds(from, each)) inner(each, each); else add(each);
  }
  return all;
}

/** The output for lines: `write`, an address or a file. Without any, or after a failure: closed. */
function outputTo(to, file, write) {
  // A recorder never throws into its app: what it lacks, it says once.
  const able = (make, place, needs) => {
    try { return place && make(); } catch (error) {
      console.warn(`retcon: ${needs}. The last steps stay in memory (${error.message})`);
    }
  };
  write ??= able(() => stream(to), to, '`to` needs an address such as ws://localhost:7382 '
    + 'and WebSocket, which node has from 22 on');
  file ??= write && to;
  const fs = able(() => process.getBuiltinModule('node:fs'), write ? undefined : file,
    '`file` needs node 20.16 or newer');
  if (!write && !fs) file = undefined;
  const options = { flag: 'w', mode: 0o600 };
  const append = (text) => {
    try { if (file) fs.writeFileSync(file, text, options); options.flag = 'a'; } catch (error) {
      file = undefined;
      console.warn(`retcon: the recording ends here: ${error.message}`);
    }
  };
  return { isOpen: () => Boolean(file), put: write ?? append };
}

/** Sends what `retcon listen` does not have yet again after a lost connection, at most 64 MB. */
function stream(to) {
  const place = Object.assign(new URL(to), { pathname: '/retcon' }), most = 64 << 20;
  const session = `${Math.random()}${Math.random()}`;
  let queue = [], start = 0, size = 0, isOpen = false, socket;
  const connect = () => {
    socket = new WebSocket(place);
    socket.onerror = () => {};
    socket.onopen = () => socket.send(JSON.stringify({ retcon: 'stream', session }));
    socket.onclose = () => { isOpen = false; setTimeout(connect, 1000).unref?.(); };
    socket.onmessage = ({ data }) => {
      while (queue.length && start + queue[0].length <= JSON.parse(data).have) {
        start += queue[0].length; size -= queue.shift().length;
      }
      if (!isOpen) { isOpen = true; for (const each of queue) socket.send(each); }
    };
  };
  connect();
  return (text) => {
    const bytes = new TextEncoder().encode(text);
    if (size > most) return;
    size += bytes.length;
    if (size > most) {
      queue = [];
      console.warn('retcon: more than 64 MB wait for retcon listen; this recording ends here');
    } else { queue.push(bytes); if (isOpen) socket.send(bytes); }
  };
}
