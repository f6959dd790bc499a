// Records a store for Retcon. One file without packages, yours to change.
//   const recorder = record({ name: 'shop', file: 'shop.retcon' })
// Redux takes recorder.enhancer, zustand recorder.zustand, XState recorder.inspect: docs/redux.md, docs/other-stores.md.
// Anything else: recorder.start(state) once, recorder.step(action, state) inside its reducer. `to: 'ws://localhost:7382'` sends
// each step to `retcon listen`. Without it and without `file` (node 20.16) the last `limit` steps are kept for recorder.text(),
// .download() and onError: (text, error) => …. Do not change states in place: they are compared later. `redact` names secret keys.
// It writes who sent an action only with a proof. `from: (action) => 'venue'` names a source, and so does
// recorder.from('venue')(() => dispatch(…)). `middleware: false` says that the app itself sends nothing. In a page, events of
// the browser prove the user.
/** @param {any} [options] */ export function record({
  name = 'app', to, file, limit = 1000, redact = [], from = undefined, middleware = true,
  onError = undefined, write,
} = {}) {
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
  const [secret, aliases, clock, zero, began, USER, EVENT] = [new Set(redact), new Map(), performance, performance.now(), new Date(), { told: 'user' }, {}];
  const [UNKNOWN, OUTSIDE] = [{ told: 'unknown' }, { told: 'outside' }];
  const GESTURES = /^(key(down|up|press)|(mouse|pointer)(down|up|move)|touch|(dbl|aux)?click|contextmenu|wheel|(before)?input|change|submit|cut|copy|paste|drag|drop|composition)/;
  // Steps with the states after them, and lines about effects; `first`, `base`, `running` were before. A ring spares the collector.
  const [ring, times, running] = [Array(3 * limit).fill(null), new Float64Array(limit), new Map()];
  let [head, count, first, number, base, effects, coder, isSoon] = [0, 0, 0, 0, undefined, 0];
  // The dispatch or the call that is on the stack, and the source that recorder.from names. In node
  // the name survives an `await`.
  let frame, source;
  const Storage = globalThis.process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage;
  const names = Storage && new Storage(), sourceHere = () => (names ? names.getStore() : source);
  const within = (name, work) => {
    if (names) return names.run(name, work);
    const outer = source;
    try { source = name; return work(); } finally { source = outer; }
  };
  // What the app does by itself then is not the source's.
  const apart = (work) => (sourceHere() === undefined ? work() : within(undefined, work));
  // Texts that are JSON hide keys, too, and others with such a key in quotes all of it, also behind escapes. JSON.parse drops repeated members, so both are counted.
  const quoted = new RegExp(`(["'])(?:${redact.map((key) => key.replace(/\W/g, '\\$&')).join('|')})\\1[ \\t\\r\\n]*:`), unescaped = (text) => text.replace(/\\(u[\da-f]{4}|[^]?)/gi, (_, one) => (one.length > 1 ? String.fromCharCode(`0x${one.slice(1)}`) : 'bfnrt'.includes(one) ? ' ' : one));
  const shows = (text, levels = 15) => secret.size > 0 && (quoted.test(text) || (/\\/.test(text) && (!levels || shows(unescaped(text), levels - 1)))), members = (text) => text.replace(/\\./g, '').replace(/"[^"]*"/g, '').split(':').length;
  const inside = (text, [value, all, rest] = []) => {
    if (!secret.size || !/^[ \t\r\n]*[{["]/.test(text)) return shows(text) ? '<redacted>' : text;
    try { value = JSON.parse(text); [all, rest] = [value, plain(value)].map((each) => JSON.stringify(each)); } catch (error) { return error instanceof SyntaxError && !shows(text) ? text : '<redacted>'; }
    return rest === all && members(all) === members(text) ? text : rest;
  };
  const named = (key) => inside(key) === key ? key : (aliases.has(key) || aliases.set(key, `<redacted${aliases.size ? ` ${aliases.size + 1}` : ''}>`), aliases.get(key));
  const plain = (value, key) => {
    if (secret.has(key)) return '<redacted>'; else if (typeof value === 'string') return inside(value); else if (['symbol', 'bigint'].includes(typeof value) || value instanceof RegExp || (typeof value === 'number' && !Number.isFinite(value))) return String(value);
    if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
    if (value instanceof Error) return `Error: ${value.message}`; else if (value instanceof Map) return plain([...value.keys()].every((each) => typeof each === 'string') ? Object.fromEntries(value) : [...value]);
    if (Array.isArray(value) || value instanceof Set || ArrayBuffer.isView(value)) return Array.from(value, (each) => plain(each) ?? null);
    return typeof value.toJSON === 'function' ? plain(value.toJSON()) : Object.fromEntries(Object.entries(value).map(([each, part]) => [named(each), plain(part, each)]));
  };
  const isPart = (value) => value && typeof value === 'object' && [Array.prototype, Object.prototype, null].includes(Object.getPrototypeOf(value)), has = (value, key) => value[key] !== undefined && typeof value[key] !== 'function';
  const changes = (from, to, path = '', key = undefined, all = []) => {
    const place = (each) => `${path}/${String(named(each)).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const push = (op, each, ...values) => all.push({ op, path: place(each), ...(values.length ? { value: plain(values[0], each) ?? null } : {}) });
    if (Object.is(from, to)) return all; else if (secret.has(key) || !isPart(from) || !isPart(to) || Array.isArray(from) !== Array.isArray(to)) all.push({ op: 'replace', path, value: plain(to, key) ?? null });
    else if (Array.isArray(from)) {
      let [start, end, shortest] = [0, 0, Math.min(from.length, to.length)];
      while (start < shortest && Object.is(from[start], to[start])) start++; while (end < shortest - start && Object.is(from.at(-1 - end), to.at(-1 - end))) end++;
      for (let at = start; at < shortest - end; at++) changes(from[at], to[at], place(at), undefined, all);
      for (let at = from.length - end - 1; at >= shortest - end; at--) push('remove', at);
      for (let at = shortest - end; at < to.length - end; at++) push('add', at, to[at]);
    } else {
      for (const each of Object.keys(from)) if (has(from, each) && !has(to, each)) push('remove', each);
      for (const each of Object.keys(to)) if (has(to, each)) has(from, each) ? changes(from[each], to[each], place(each), each, all) : push('add', each, to[each]);
    }
    return all;
  };
  const seconds = (time = clock.now()) => Math.round((time - zero) * 1e3) / 1e6;
  const header = () => JSON.stringify({ retcon: '1.1', session: `${Math.random()}${Math.random()}`, app: { name }, can: 'replay', started: began.toISOString(), states: 'every', snapshots: 'copied',
    middleware: middleware ? undefined : 'none', redacted: redact.length ? redact.map((key) => `key ${key} (asked for)`) : undefined, first: first || undefined, effects: running.size ? [...running.values()] : undefined, state: plain(base) ?? null });
  const line = (at, place) => {
    const [action, state, cause, time] = [...ring.slice(3 * place, 3 * place + 3), times[place]];
    if (cause === EVENT) return JSON.stringify(action);
    const told = { time: seconds(time), label: inside(String(action?.type ?? '(no type)')), action: plain(action) ?? null,
      cause: cause.id === undefined ? cause.told : { effect: cause.id }, error: cause.error && inside(String(cause.error)), patch: changes(at.state, state) };
    let text = JSON.stringify({ step: ++at.step, ...told }); at.state = state;
    // Keyframes are at most a quarter of what is written.
    if ((at.rest -= text.length) <= 0) at.rest = 4 * (text = JSON.stringify({ step: at.step, keyframe: true, ...told, state: plain(state) ?? null })).length;
    return text;
  };
  const [begin, ending] = [() => ({ state: base, step: first, rest: 4096 }), () => JSON.stringify({ end: number, time: seconds() })];
  const lines = (at) => Array.from({ length: count }, (_, index) => `${line(at, (head + index) % limit)}\n`).join(''), text = () => `${header()}\n${lines(begin())}${ending()}\n`;
  const put = write ?? ((words) => { try { if (file) fs.writeFileSync(file, words, { flag: coder ? 'a' : 'w', mode: 0o600 }); } catch (error) { file = undefined; console.warn(`retcon: the recording ends here: ${error.message}`); } });
  const flush = () => {
    if (isSoon = false, !coder) { put(`${header()}\n`); coder = begin(); } if (count) put(lines(coder)); [head, count] = [0, 0];
  };
  const add = (action, state, cause) => {
    if (count === limit) file ? flush() : drop();
    const place = (head + count++) % limit;
    ring[3 * place] = action; ring[3 * place + 1] = state; ring[3 * place + 2] = cause; times[place] = clock.now();
    if (file && !isSoon) { isSoon = true; setTimeout(flush).unref?.(); }
  };
  const drop = (last = ring[3 * head]) => {
    if (ring[3 * head + 2] !== EVENT) { base = ring[3 * head + 1]; first++; } else if (last.event === 'started') running.set(last.effect, { ...last, event: undefined, after: undefined }); else running.delete(last.effect);
    head = (head + 1) % limit; count--;
  };
  const tell = (effect, event, more) => {
    const line = { effect: effect.id, event, after: number, time: seconds(), ...more };
    add(line, null, EVENT);
    return line;
  };
  const called = (name) => name && inside(String(name).replace(/\/pending$/, ''));
  // Without a step that started it, code outside the store called it.
  const open = (effect) => {
    effect.start ??= tell(effect, 'started', {
      from: effect.from ?? effect.at ?? number, ordinal: 1, name: called(effect.title), file: 'javascript',
      outside: effect.from === undefined || undefined,
    });
  };
  const end = (effect, error) => {
    effect.isOver = true;
    const more = error === undefined ? undefined : { message: inside(String(error)) };
    tell(effect, more ? 'failed' : 'finished', more);
  };
  const sender = (name) => {
    if (name === 'user') return USER;
    return { told: ['outside', 'unknown'].includes(name) ? name : { outside: inside(String(name)) } };
  };
  const asked = (action, otherwise) => {
    let name = sourceHere();
    try { name = from?.(action) ?? name; } catch { /* the app goes on */ }
    return name === undefined ? otherwise : sender(name);
  };
  // In a page, an event of the browser proves the user. Otherwise only the app can say that none of
  // its own code sends.
  const user = ({ event } = globalThis) => (event?.isTrusted && GESTURES.test(event.type) ? USER : undefined);
  const anyone = () => user() ?? (middleware ? UNKNOWN : OUTSIDE);
  // What is sent while a dispatch or a call is on the stack comes from it. Only the app knows the
  // senders of the rest.
  const enclosing = (each = frame) => {
    while (each && each.step === undefined && !each.call) each = each.outer;
    return each;
  };
  const causeHere = (action, otherwise) => {
    const outer = enclosing();
    if (!outer) return asked(action, otherwise);
    return outer.call ?? { id: ++effects, title: 'nested dispatch', from: outer.step, isShort: true };
  };
  const note = (action, state, error) => {
    const isSent = frame && frame.step === undefined && frame.action === action; // or a middleware's own
    const cause = isSent ? frame.cause : causeHere(action, UNKNOWN);
    if (cause.id !== undefined) open(cause);
    number++; add(action, state, error ? { ...cause, error } : cause);
    if (isSent) frame.step = number;
    if (cause.isShort) end(cause);
    if (error) onError?.(text(), error);
  };
  const sending = (cause, dispatch, action) => {
    const outer = frame;
    try {
      frame = { action, cause, call: undefined, step: undefined, outer };
      return apart(() => dispatch(action));
    } finally { frame = outer; }
  };
  const calling = (call, work) => {
    const outer = frame;
    try {
      frame = { action: undefined, cause: undefined, call, step: undefined, outer };
      return apart(work);
    } finally { frame = outer; }
  };
  // A thunk is an effect that its call starts. It ends with the last of the thunks that it calls.
  const thunk = (call, effect) => (dispatch, ...rest) => {
    const own = (action) => {
      if (typeof action === 'function') return dispatch(thunk(action, effect));
      effect.start.name ||= called(action?.type);
      return sending(effect.isOver ? { ...late, id: ++effects } : effect, dispatch, action);
    };
    const over = (error) => { if (!--effect.calls && !effect.isOver) end(effect, error); };
    open(effect); effect.calls = (effect.calls ?? 0) + 1;
    // What it sends after its end is an effect of its own, with the same call as its origin.
    const { from: at } = effect.start, late = { title: call.name, from: effect.from, at, isShort: true };
    let result;
    try { result = calling(effect, () => call(own, ...rest)); } catch (error) {
      over(error);
      throw error;
    }
    if (typeof result?.then === 'function') result.then(() => over(), over); else over();
    return result;
  };
  const dispatched = (dispatch, action) => {
    if (typeof action !== 'function') return sending(causeHere(action, anyone()), dispatch, action);
    const outer = enclosing();
    const effect = outer?.call ?? { id: ++effects, title: action.name, from: outer?.step };
    return dispatch(thunk(action, effect));
  };
  const step = (action, state, name) => {
    sending(name ? sender(name) : asked(action, user() ?? UNKNOWN), () => note(action, state), action);
  };
  if (file) globalThis.process?.on?.('exit', () => { if (base !== undefined) { flush(); put(`${ending()}\n`); } });
  if (onError) for (const kind of ['error', 'unhandledrejection']) globalThis.addEventListener?.(kind, (event) => onError(text(), event.error ?? event.reason));
  return {
    text, flush, step, start: (state) => { base ??= state; },
    from: (name) => (work) => within(name, work),
    download: () => Object.assign(document.createElement('a'), { href: URL.createObjectURL(new Blob([text()])), download: `${name}.retcon` }).click(),
    enhancer: (make) => (reducer, ...rest) => {
      const inside = (reduce) => (before, action) => {
        let state; try { state = reduce(before, action); } catch (error) { if (base !== undefined) note(action, before, error); throw error; }
        return base === undefined ? (base = state) : (note(action, state), state);
      };
      const store = make(inside(reducer), ...rest);
      const dispatch = (action) => dispatched(store.dispatch, action);
      return { ...store, dispatch, replaceReducer: (next) => store.replaceReducer(inside(next)) };
    },
    zustand: (make) => (set, get, api) => {
      let [depth, hasWaited] = [0, false];
      const told = (call, tell) => (...given) => {
        const [before, cause] = [get(), hasWaited ? user() ?? UNKNOWN : anyone()];
        let result;
        try { depth++; return (result = apart(() => call(...given))); } finally {
          // After an `await` it may call any other by itself.
          if (typeof result?.then === 'function') hasWaited = true;
          if (!--depth) tell(given, cause, before, get());
        }
      };
      const named = ([type, part]) => [type, typeof part !== 'function' ? part : told(part, (given, cause, _, after) => {
        const action = { type, arguments: given };
        sending(asked(action, cause), () => note(action, after), action);
      })];
      // The host makes these of it again.
      const typed = (value) => {
        if (value instanceof Date) return { 'retcon:Date': value.getTime() };
        if (value instanceof Set) return { 'retcon:Set': Array.from(value, typed) };
        if (value instanceof Map) {
          const isNamed = [...value.keys()].every((key) => typeof key === 'string');
          return { 'retcon:Map': typed(isNamed ? Object.fromEntries(value) : [...value]) };
        }
        if (Array.isArray(value)) return value.map(typed);
        return isPart(value) ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, typed(part)])) : value;
      };
      // Of a function, the part that it set is written: in another state it may set another.
      const setting = (isOwn) => told(set, (given, sent, before, after) => {
        const isFunction = typeof given[0] === 'function';
        const isWhole = given[1] || !isPart(before) || !isPart(after);
        const isNew = ([key, part]) => !Object.is(part, before[key]);
        const changed = () => Object.fromEntries(Object.entries(after).filter(isNew));
        const parts = !isFunction ? given : isWhole ? [after, true] : [changed()];
        const action = { type: 'setState', arguments: { toJSON: () => parts.map(typed) } };
        const cause = isFunction ? UNKNOWN : asked({ ...action, arguments: parts }, isOwn ? UNKNOWN : sent);
        sending(cause, () => note(action, after), action);
      });
      api.setState = setting(false);
      // Its functions set more after an `await`, and do not say which one it was.
      return (base = Object.fromEntries(Object.entries(make(setting(true), get, api)).map(named)));
    },
    inspect: ({ type, actorRef, rootId, event, snapshot }) => {
      const state = snapshot && { value: snapshot.value, context: snapshot.context, status: snapshot.status };
      if (type === '@xstate.snapshot' && actorRef.sessionId === rootId) base === undefined ? (base = state) : step(event, state);
    },
  };
}

// What `retcon listen` does not have yet is sent again after a lost connection, at most 64 MB.
function stream(to) {
  let [queue, start, size, isOpen, socket] = [[], 0, 0];
  const [place, session] = [Object.assign(new URL(to), { pathname: '/retcon' }), `${Math.random()}${Math.random()}`];
  const connect = () => {
    socket = Object.assign(new WebSocket(place), { onerror() {}, onopen: () => socket.send(JSON.stringify({ retcon: 'stream', session })), onclose() { isOpen = false; setTimeout(connect, 1000).unref?.(); } });
    socket.onmessage = ({ data }) => {
      while (queue.length && start + queue[0].length <= JSON.parse(data).have) { start += queue[0].length; size -= queue.shift().length; }
      if (!isOpen) { isOpen = true; for (const each of queue) socket.send(each); }
    };
  };
  connect();
  return (text, bytes = new TextEncoder().encode(text)) => {
    if (size > 64 << 20) return; else if ((size += bytes.length) > 64 << 20) { queue = []; console.warn('retcon: more than 64 MB wait for retcon listen; this recording ends here'); }
    else { queue.push(bytes); if (isOpen) socket.send(bytes); }
  };
}
