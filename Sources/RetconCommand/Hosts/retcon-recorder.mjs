// Records a store for Retcon. One file without packages, yours to change.
//   const recorder = record({ name: 'shop', file: 'shop.retcon' })
// Redux takes recorder.enhancer, zustand recorder.zustand, XState recorder.inspect: docs/redux.md, docs/other-stores.md.
// Anything else: recorder.start(state) once, recorder.step(action, state) inside its reducer. `to: 'ws://localhost:7382'` sends
// each step to `retcon listen`. Without it and without `file` (node 20.16) the last `limit` steps are kept for recorder.text(),
// .download() and onError: (text, error) => …. Do not change states in place: they are compared later. `redact` names secret keys.
/** @param {any} [options] */ export function record({ name = 'app', to, file = to, limit = 1000, redact = [], onError, write = to && stream(to) } = {}) {
  const fs = file && !write ? process.getBuiltinModule('node:fs') : undefined;
  const [secret, names, clock, zero, began, USER, EVENT] = [new Set(redact), new Map(), performance, performance.now(), new Date(), {}, {}];
  // Steps with the states after them, and lines about effects; `first`, `base`, `running` were before. A ring spares the collector.
  const [ring, times, running] = [Array(3 * limit).fill(null), new Float64Array(limit), new Map()];
  let [head, count, first, number, base, effects, current, awaited, coder, isSoon] = [0, 0, 0, 0, undefined, 0];
  // Texts that are JSON hide keys, too, and others with such a key in quotes all of it, also behind escapes. JSON.parse drops repeated members, so both are counted.
  const quoted = new RegExp(`(["'])(?:${redact.map((key) => key.replace(/\W/g, '\\$&')).join('|')})\\1[ \\t\\r\\n]*:`), unescaped = (text) => text.replace(/\\(u[\da-f]{4}|[^]?)/gi, (_, one) => (one.length > 1 ? String.fromCharCode(`0x${one.slice(1)}`) : 'bfnrt'.includes(one) ? ' ' : one));
  const shows = (text, levels = 15) => secret.size > 0 && (quoted.test(text) || (/\\/.test(text) && (!levels || shows(unescaped(text), levels - 1)))), members = (text) => text.replace(/\\./g, '').replace(/"[^"]*"/g, '').split(':').length;
  const inside = (text, [value, all, rest] = []) => {
    if (!secret.size || !/^[ \t\r\n]*[{["]/.test(text)) return shows(text) ? '<redacted>' : text;
    try { value = JSON.parse(text); [all, rest] = [value, plain(value)].map((each) => JSON.stringify(each)); } catch (error) { return error instanceof SyntaxError && !shows(text) ? text : '<redacted>'; }
    return rest === all && members(all) === members(text) ? text : rest;
  };
  const named = (key) => inside(key) === key ? key : (names.has(key) || names.set(key, `<redacted${names.size ? ` ${names.size + 1}` : ''}>`), names.get(key));
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
    redacted: redact.length ? redact.map((key) => `key ${key} (asked for)`) : undefined, first: first || undefined, effects: running.size ? [...running.values()] : undefined, state: plain(base) ?? null });
  const line = (at, place) => {
    const [action, state, cause, time] = [...ring.slice(3 * place, 3 * place + 3), times[place]];
    if (cause === EVENT) return JSON.stringify(action);
    const told = { time: seconds(time), label: inside(String(action?.type ?? '(no type)')), action: plain(action) ?? null,
      cause: cause.id === undefined ? 'user' : { effect: cause.id }, error: cause.error && inside(String(cause.error)), patch: changes(at.state, state) };
    let text = JSON.stringify({ step: ++at.step, ...told }); at.state = state;
    // Keyframes are at most a quarter of what is written.
    if ((at.rest -= text.length) <= 0) at.rest = 4 * (text = JSON.stringify({ step: at.step, keyframe: true, ...told, state: plain(state) ?? null })).length;
    return text;
  };
  const [begin, ending] = [() => ({ state: base, step: first, rest: 4096 }), () => JSON.stringify({ end: number, time: seconds() })];
  const lines = (at) => Array.from({ length: count }, (_, index) => `${line(at, (head + index) % limit)}\n`).join(''), text = () => `${header()}\n${lines(begin())}${ending()}\n`;
  const put = write ?? ((words) => fs.writeFileSync(file, words, { flag: coder ? 'a' : 'w', mode: 0o600 }));
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
  const tell = (effect, event, more) => add({ effect: effect.id, event, after: number, time: seconds(), ...more }, null, EVENT);
  const open = (effect) => { if (!effect.isOpen) { effect.isOpen = true; tell(effect, 'started', { from: number, ordinal: 1, name: effect.title && inside(effect.title), file: 'javascript' }); } };
  const end = (effect, event = 'finished', message) => { if (effect.isOpen) tell(effect, event, { message: message && inside(message) }); };
  const note = (action, state, error) => {
    const isSent = current !== undefined && (awaited === undefined || awaited === action?.type); // or it is a middleware's answer
    const own = isSent ? undefined : { id: ++effects, title: 'middleware' }, cause = own ?? current;
    if (own) open(own); number++; add(action, state, error ? { id: cause.id, error } : cause); if (isSent) current = undefined;
    if (own) end(own); if (error) onError?.(text(), error);
  };
  const sending = (cause, dispatch, action, [before, type] = [current, awaited]) => {
    try { current = cause; awaited = action?.type; return dispatch(action); } finally { current = before; awaited = type; }
  };
  const thunk = (call, parent) => (dispatch, ...rest) => { // it is an effect that its first action starts
    let [effect, isStarting] = [{ id: ++effects, title: call.name }, true];
    const result = call((action) => {
      const starts = isStarting && !effect.isOpen, cause = starts ? parent : effect;
      if (typeof action === 'function') return dispatch(thunk(action, cause));
      effect.title ||= String(action?.type).replace(/\/pending$/, ''); if (!starts) open(effect);
      try { return sending(cause, dispatch, action); } finally { if (starts) open(effect); }
    }, ...rest);
    isStarting = false; if (typeof result?.then === 'function') result.then(() => end(effect), (error) => end(effect, 'failed', String(error))); else end(effect);
    return result;
  };
  const step = (action, state) => { current = USER; awaited = undefined; note(action, state); };
  if (file) globalThis.process?.on?.('exit', () => { if (base !== undefined) { flush(); put(`${ending()}\n`); } });
  if (onError) for (const kind of ['error', 'unhandledrejection']) globalThis.addEventListener?.(kind, (event) => onError(text(), event.error ?? event.reason));
  return {
    text, flush, step, start: (state) => { base ??= state; },
    download: () => Object.assign(document.createElement('a'), { href: URL.createObjectURL(new Blob([text()])), download: `${name}.retcon` }).click(),
    enhancer: (make) => (reducer, ...rest) => {
      const inside = (reduce) => (before, action) => {
        let state; try { state = reduce(before, action); } catch (error) { if (base !== undefined) note(action, before, error); throw error; }
        return base === undefined ? (base = state) : (note(action, state), state);
      };
      const store = make(inside(reducer), ...rest);
      const dispatch = (action) => sending(USER, store.dispatch, typeof action === 'function' ? thunk(action, USER) : action);
      return { ...store, dispatch, replaceReducer: (next) => store.replaceReducer(inside(next)) };
    },
    zustand: (make) => (set, get, api) => {
      let depth = 0;
      const told = (type, call) => (...given) => { try { depth++; return call(...given); } finally { if (!--depth) step({ type, arguments: given }, get()); } };
      const named = ([type, part]) => [type, typeof part === 'function' ? told(type, part) : part];
      return (base = Object.fromEntries(Object.entries(make(api.setState = told('setState', set), get, api)).map(named)));
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
