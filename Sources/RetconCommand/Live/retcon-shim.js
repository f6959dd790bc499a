// Runs in a page or in node before the app's first script, put there by `retcon attach`. It stands in for the extension
// of Redux DevTools: stores that look for it are recorded. It sends text through the function that `binding` names.
(function retconShim(binding, options) {
  'use strict';
  const SIGN = Symbol.for('retcon'); // `retcon attach` asks the page through it
  const world = globalThis;
  if (world[SIGN]) return world[SIGN].again(binding);
  // The app may replace these later.
  const { stringify, parse } = JSON, { keys, getPrototypeOf, defineProperty, is } = Object, has = Object.prototype.hasOwnProperty;
  const later = world.setTimeout.bind(world), clock = world.performance, now = () => clock.now();
  const origin = Date.now() - now(), page = Math.random().toString(36).slice(2);
  const CREDIT = 30, IDLE = 200_000, SMALL = 2_000_000, DEPTH = 500, MOST = 8_000_000, PIECE = 1 << 20, FULL = 1 << 18, LONGEST = 16 << 20;
  const NOTHING = {}, JUMP = '@@retcon/jump', HIDDEN = '<redacted>'; // NOTHING is identical to no state
  const REDACTED = '<redacted', SILENCE = 2000;
  let [out, outSize, isSoon, sentAt, walked, lossy, post] = [[], 0, false, 0, 0, false, world[binding]];
  const stores = new Map(), isObject = (value) => typeof value === 'object' && value !== null;
  const place = (path, key) => `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const put = (object, key, value) => (key === '__proto__' ? defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true }) : (object[key] = value));
  const get = (object, key) => { try { return object[key]; } catch (error) { return `[Threw ${error}]`; } };
  const count = () => { if (++walked > MOST) throw new RangeError('the state is too large: more than 8 million values'); };

  /** A value as JSON, in the words in which Retcon imports it from Redux DevTools. */
  function plain(value, depth = 0, above = []) {
    count();
    switch (typeof value) {
      case 'string': case 'boolean': return value;
      case 'number': if (Number.isFinite(value)) return value === 0 ? 0 : value; lossy = true; return String(value);
      case 'undefined': return null;
      case 'bigint': lossy = true; return `${value}n`;
      case 'symbol': lossy = true; return `Symbol(${value.description ?? ''})`;
      case 'function': lossy = true; return `[Function ${value.name}]`;
    }
    if (value === null) return null;
    if (depth > DEPTH) return '[Too deep]';
    if (above.includes(value)) return '[Circular]';
    above.push(value);
    try {
      const inner = (part) => plain(part, depth + 1, above);
      if (Array.isArray(value)) { const list = new Array(value.length); for (let at = 0; at < value.length; at++) list[at] = inner(value[at]); return list; }
      if (!isPlain(value)) {
        lossy = true;
        if (value instanceof Set || ArrayBuffer.isView(value)) return Array.from(value, inner);
        if (value instanceof Date) return Number.isNaN(+value) ? 'Invalid Date' : value.toISOString();
        if (value instanceof RegExp) return `/${value.source}/${value.flags}`;
        if (value instanceof Error) return `Error: ${value.message}`;
        if (value instanceof Map) {
          const entries = Array.from(value, (entry) => entry.map(inner)), result = {};
          if (!entries.every(([key]) => typeof key === 'string')) return entries;
          for (const [key, part] of entries) put(result, key, part);
          return result;
        }
        if (typeof value.toJSON === 'function') return inner(value.toJSON());
      }
      const result = {};
      for (const key of keys(value)) {
        const part = get(value, key);
        if (part !== undefined) put(result, key, inner(part));
      }
      return result;
    } catch (error) {
      if (error instanceof RangeError) throw error;
      return `[Threw ${error}]`;
    } finally { above.pop(); }
  }

  /** Whether it is an object of JSON, of any frame. */
  function isPlain(value) {
    const type = getPrototypeOf(value);
    return (type === null || getPrototypeOf(type) === null) && typeof value.toJSON !== 'function';
  }

  /** Brings `mirror`, a state as JSON, from one state to another, and adds the operations of RFC 6902. What both states share is not
      looked at: pass NOTHING to look at all. `trail` holds the keys down to here. */
  function sync(mirror, from, to, ops, depth = 0) {
    if (from === to) return mirror;
    count();
    if (isObject(to) && isObject(mirror)) {
      if (Array.isArray(to) && Array.isArray(mirror)) return syncList(mirror, from, to, ops, depth);
      if (!Array.isArray(to) && !Array.isArray(mirror) && isPlain(to)) {
        try { return syncObject(mirror, from, to, ops, depth); } catch (error) { if (error instanceof RangeError) throw error; }
      }
    }
    const value = plain(to, depth);
    if (is(value, mirror)) return mirror;
    if (isObject(value) && isObject(mirror) && Array.isArray(value) === Array.isArray(mirror)) {
      return Array.isArray(value) ? syncList(mirror, NOTHING, value, ops, depth) : syncObject(mirror, NOTHING, value, ops, depth);
    }
    op(ops, 'replace', depth, value);
    return value;
  }

  const trail = [];
  function op(ops, name, depth, value) {
    let path = '';
    for (let at = 0; at < depth; at++) path = place(path, trail[at]);
    ops.push(`{"op":"${name}","path":${stringify(path)}${value === undefined ? '' : `,"value":${stringify(value)}`}}`);
  }

  function syncList(mirror, from, to, ops, depth) {
    const isKnown = Array.isArray(from) && from.length === mirror.length, shortest = Math.min(mirror.length, to.length);
    let start = 0, ends = 0;
    if (isKnown) {
      while (start < shortest && from[start] === to[start]) start++;
      while (ends < shortest - start && from[from.length - 1 - ends] === to[to.length - 1 - ends]) ends++;
    }
    const both = shortest - ends, gone = mirror.length - ends - both;
    for (let at = start; at < both; at++) {
      const old = isKnown ? from[at] : NOTHING, value = to[at];
      if (old === value || (value === mirror[at] && !isObject(value))) continue;
      trail[depth] = at;
      mirror[at] = sync(mirror[at], old, value, ops, depth + 1);
    }
    for (let at = both + gone - 1; at >= both; at--) { trail[depth] = at; op(ops, 'remove', depth + 1); }
    if (gone > 0) mirror.splice(both, gone);
    for (let at = both; at < to.length - ends; at++) { const value = plain(to[at], depth); trail[depth] = at; op(ops, 'add', depth + 1, value); mirror.splice(at, 0, value); }
    return mirror;
  }

  function syncObject(mirror, from, to, ops, depth) {
    const isKnown = isObject(from) && from !== NOTHING && isPlain(from), all = keys(to);
    let kept = 0;
    for (let at = 0; at < all.length; at++) {
      const key = all[at], value = to[key], old = isKnown ? from[key] : NOTHING;
      if (value === undefined) continue;
      kept++;
      if (old === value) continue;
      const before = has.call(mirror, key) ? mirror[key] : undefined;
      trail[depth] = key;
      if (before === undefined) { const added = plain(value, depth); op(ops, 'add', depth + 1, added); put(mirror, key, added); continue; }
      if (value === before && !isObject(value)) continue;
      const next = sync(before, old, value, ops, depth + 1);
      if (next !== before) put(mirror, key, next);
    }
    // With as many keys as before, and none added, none is gone.
    const names = keys(mirror);
    if (names.length !== kept) for (const key of names) if (!has.call(to, key) || to[key] === undefined) { trail[depth] = key; op(ops, 'remove', depth + 1); delete mirror[key]; }
    return mirror;
  }

  /** A copy that shares nothing that can change. */
  function cloned(value, seen = new Map()) {
    if (!isObject(value)) return value;
    if (seen.has(value)) return seen.get(value);
    count();
    const copy = Array.isArray(value) ? [] : value instanceof Set ? new Set() : value instanceof Map ? new Map()
      : value instanceof Date ? new Date(value) : isPlain(value) ? Object.create(getPrototypeOf(value)) : undefined;
    if (!copy) return value;
    seen.set(value, copy);
    if (value instanceof Set) for (const part of value) copy.add(cloned(part, seen));
    else if (value instanceof Map) for (const [key, part] of value) copy.set(cloned(key, seen), cloned(part, seen));
    else for (const key of keys(value)) put(copy, key, cloned(get(value, key), seen));
    return copy;
  }

  /** What a step costs to look through is paid by `CREDIT` values for each action. A state that has ever changed in place is looked
      through each time. */
  function changedInPlace(store, isIdle) {
    store.credit += CREDIT;
    if (store.mirror === undefined || store.isHidden || (!store.mutates && store.credit < store.size && !(isIdle && store.size < IDLE)) || store.size > SMALL) return [];
    [store.credit, store.isUnseen, walked] = [0, false, 0];
    const ops = [];
    store.mirror = sync(store.mirror, NOTHING, store.seen = view(store, store.live), ops);
    store.size = walked;
    if (ops.length) store.mutates = true;
    return ops;
  }

  function open(given, live, reduce) {
    const hides = isObject(given) ? hiding(given) : undefined, name = hides && given.name;
    const store = { id: `${page}.${stores.size + 1}`, name, hides, live, reduce, credit: 0, size: 0, isUnseen: false, mutates: false, known: new Map(), states: new Map() };
    if (stores.size >= 64) return store;
    stores.set(store.id, store);
    begin(store);
    return store;
  }

  /** Sends the state from which the session of a store goes on. */
  function begin(store) {
    const { id, name, live, reduce } = store;
    const head = { start: id, name: name === undefined ? undefined : String(name), time: origin + now(), address: String(world.location?.href ?? ''), title: String(world.document?.title ?? ''), reduces: Boolean(reduce), hides: store.hides?.names };
    walked = 0; store.mirror = undefined;
    try {
      if (store.isHidden) throw new Error('the app’s predicate hides this state');
      store.mirror = plain(store.seen = view(store, live)); store.first = walked < SMALL ? cloned(live) : live;
    } catch (error) { head.lost = String(error.message); }
    store.size = walked; store.isSent = true;
    add(`${stringify(head).slice(0, -1)},"state":${stringify(store.mirror ?? null)}}`);
  }

  /** Another `retcon attach` has come; the one before hears no more. */
  function again(name) {
    if (name === binding) return;
    flush(false);
    post(`.${stringify([{ left: [...stores.keys()] }])}`);
    [binding, post] = [name, world[name]];
    for (const store of stores.values()) begin(store);
    flush(false);
  }

  /** One step: the state after it, or the error. */
  function step(store, action, live, error, stack) {
    if (!store.isSent) return;
    if (store.isPaused) { store.live = live; return; }
    const entry = { head: `{"of":"${store.id}","time":${Math.round((origin + now()) * 1e3) / 1e3}`, ops: [], rest: '' };
    try {
      walked = 0; lossy = false;
      const { shown, label, isHidden } = seenOf(store, action, live);
      const text = stringify(plain(shown)), isWhole = shown === action;
      if (lossy && isWhole && store.known.size < 10_000) store.known.set(text, cloned(action));
      entry.head += `,"action":${text}`;
      if (typeof label === 'string') entry.rest += `,"label":${stringify(label)}`;
      store.isHidden = Boolean(isHidden);
      if (isHidden) entry.rest += ',"hidden":true';
      const words = error === undefined ? undefined : shown === HIDDEN ? HIDDEN : whole(error);
      if (words !== undefined) entry.rest += `,"error":${stringify(words)}`;
      if (stack) entry.rest += `,"stack":${stringify(stack)}`;
      if (store.mirror !== undefined && !isHidden) {
        walked = 0;
        const seen = view(store, live);
        store.mirror = sync(store.mirror, store.seen, seen, entry.ops);
        store.seen = seen;
        store.isUnseen = true; store.live = live;
        note(entry, changedInPlace(store, false));
      }
    } catch (failure) {
      // Its state is unknown from here on.
      store.mirror = undefined; entry.ops = []; entry.rest += `,"lost":${stringify(String(failure.message))}`;
      if (!entry.head.includes('"action"')) entry.head += ',"action":null';
    }
    store.live = live;
    add(entry, store);
  }

  // Retcon cuts the words of a step's error, behind its redaction.
  const whole = (error) => { try { return String(error?.stack ?? error); } catch { return 'an error'; } };
  const told = (error) => whole(error).split('\n').slice(0, 2).map((line) => line.trim()).join(' ');
  function note(entry, ops) {
    if (!ops.length) return;
    entry.ops.push(...ops);
    if (!entry.mutated) entry.mutated = parse(ops[0]).path;
  }
  const text = (entry) => (typeof entry === 'string' ? entry : `${entry.head},"patch":[${entry.ops.join(',')}]${entry.mutated === undefined ? '' : `,"mutated":${stringify(entry.mutated)}`}${entry.rest}}`);

  function add(entry, store) {
    out.push(entry);
    if (store) store.last = entry;
    outSize += typeof entry === 'string' ? entry.length : entry.head.length + entry.rest.length + entry.ops.reduce((size, op) => size + op.length, 0);
    if (outSize > FULL || out.length > 500 || now() - sentAt > 100) flush(false);
    else if (!isSoon) { isSoon = true; later(() => { isSoon = false; flush(true); }, 0); }
  }

  function flush(isIdle) {
    if (isIdle) for (const store of stores.values()) if (store.isUnseen && store.last) {
      try { note(store.last, changedInPlace(store, true)); } catch { store.mirror = undefined; }
    }
    sentAt = now();
    if (!out.length) return;
    const all = `[${out.map(text).join(',')}]`;
    [out, outSize] = [[], 0];
    for (const store of stores.values()) store.last = undefined;
    for (let at = 0; at < all.length;) {
      let end = Math.min(all.length, at + PIECE);
      if (end < all.length && all.charCodeAt(end) >> 10 === 0x37) end--; // a pair stays together
      post((end < all.length ? '+' : '.') + all.slice(at, end));
      at = end;
    }
  }

  /** What the options of a store hide from Redux DevTools; `action` gives HIDDEN for all of one. */
  function hiding(given) {
    const joined = (list) => (Array.isArray(list) ? list.join('|') : list);
    const deny = joined(given.actionsDenylist ?? given.actionsBlacklist);
    const allow = joined(given.actionsAllowlist ?? given.actionsWhitelist);
    const { stateSanitizer, actionSanitizer, predicate } = given, replacer = given.serialize?.replacer;
    const all = { stateSanitizer, actionSanitizer, predicate };
    Object.assign(all, { actionsDenylist: deny, actionsAllowlist: allow, 'serialize.replacer': replacer });
    const isListed = (type, list) => list && String(type).match(list) !== null;
    let number = 0;
    return {
      names: keys(all).filter((name) => all[name]),
      views: [['stateSanitizer', stateSanitizer && ((state) => stateSanitizer(state, number))], ['serialize.replacer', replacer && replacedBy]].filter(([, show]) => show),
      replaced: replacer ? replacedBy : (value) => value,
      allows: (state, action) => !predicate || Boolean(predicate(state, action)),
      action(action) {
        const { type } = action, isOut = isListed(type, deny) || (allow && !isListed(type, allow));
        return isOut ? HIDDEN : actionSanitizer ? actionSanitizer(action, ++number) : action;
      },
    };
    /** A value as JSON.stringify shows it with the replacer; the same one if that changes nothing. */
    function replacedBy(value) { return typeof replacer === 'function' ? replacedAt({ '': value }, '') : value; }
    function replacedAt(holder, key, depth = 0) {
      count();
      const value = replacer.call(holder, key, holder instanceof Map ? holder.get(key) : holder[key]);
      if (depth > DEPTH) return HIDDEN;
      if (!isObject(value)) return value;
      const isMap = value instanceof Map, isList = Array.isArray(value);
      if (value instanceof Set) { const list = [...value], copy = replacedAt({ '': list }, '', depth + 1); return copy === list ? value : copy; }
      let copy = value;
      for (const name of isMap ? value.keys() : keys(value)) {
        const part = replacedAt(value, name, depth + 1);
        if (is(part, isMap ? value.get(name) : value[name])) continue;
        if (copy === value) copy = isList ? value.slice() : isMap ? new Map(value) : Object.assign(Object.create(getPrototypeOf(value)), value);
        if (isMap) copy.set(name, part); else if (part === undefined && !isList) delete copy[name]; else put(copy, name, part);
      }
      return copy;
    }
  }

  /** What is shown of a value, with all that this hides redacted. An object that is none of JSON has another form there. */
  function redacted(real, shown, depth = 0) {
    count();
    if (is(real, shown)) return shown;
    const inner = (key) => redacted(get(real, key), get(shown, key), depth + 1);
    const areLists = Array.isArray(real) && Array.isArray(shown) && real.length === shown.length;
    const isMap = (value) => isObject(value) && !Array.isArray(value) && isPlain(value);
    if (depth <= DEPTH && isObject(real) && !Array.isArray(real) && !isPlain(real) && isObject(shown)) return plain(shown);
    if (depth > DEPTH || !(areLists || (isMap(real) && isMap(shown)))) {
      return stringify(plain(real)) === stringify(plain(shown)) ? shown : HIDDEN;
    }
    if (areLists) return real.map((_, at) => inner(at));
    const copy = {};
    for (const key of keys(shown)) put(copy, key, has.call(real, key) ? inner(key) : HIDDEN);
    // A key may be a secret, too.
    const isGone = (key) => !has.call(shown, key) && get(real, key) !== undefined;
    if (keys(real).some(isGone)) copy[HIDDEN] = HIDDEN;
    return copy;
  }

  /** A state as the app's own options let it be seen. */
  function view(store, state) {
    let seen = state;
    for (const [name, show] of store.hides?.views ?? []) {
      try { seen = redacted(seen, show(seen)); } catch {
        // The words of the error could tell what it hides.
        throw new Error(`the app’s ${name} failed`);
      }
    }
    return seen;
  }

  /** An action as the app's own options let it be seen, and whether they hide the state after. */
  function seenOf(store, action, state) {
    const { hides } = store;
    if (!hides?.names.length || !isObject(action)) return { shown: action, isHidden: false };
    try {
      // Jumps are Retcon's own, and have a state inside.
      if (action.type === JUMP) return { shown: { ...action, state: view(store, action.state) } };
      if (!hides.allows(state, action)) return { shown: HIDDEN, isHidden: true };
      const raw = hides.action(action);
      if (raw === HIDDEN) return { shown: raw };
      const clean = redacted(action, raw), shown = redacted(clean, hides.replaced(clean)), named = hides.replaced(raw);
      return { shown, label: shown !== action && isObject(named) ? named.type : undefined };
    } catch { return { shown: HIDDEN, isHidden: true }; }
  }

  // The extension, as stores know it.
  const typed = (action) => (typeof action === 'string' ? { type: action } : action);
  const trace = () => (options.trace ? String(new Error().stack).split('\n').slice(3, 13).map((line) => line.trim()).join('\n') : undefined);
  const recording = (given, onOpen) => (make) => (reducer, ...rest) => {
    let store, made;
    const inside = (reducer) => {
      const reduce = (state, action) => (action?.type === JUMP ? revived(state, action.state) : reducer(state, action));
      if (store) store.reduce = reduce;
      return (state, action) => {
        if (store?.isLocked && action?.type !== JUMP) return state;
        let next;
        try { next = reduce(state, action); } catch (error) {
          if (store) { step(store, action, state, error, trace()); flush(false); }
          throw error;
        }
        try {
          if (store) step(store, action, next, undefined, trace());
          else {
            store = open(given, next, reduce);
            store.jump = store.send = (order) => made.dispatch(order);
            onOpen(store);
          }
        } catch { /* the app goes on */ }
        return next;
      };
    };
    made = make(inside(reducer), ...rest);
    return { ...made, replaceReducer: (next) => made.replaceReducer(inside(next)) };
  };
  // Middleware is inside, so it reads the app's own state while the page shows another one.
  const composed = (given, functions) => (make) => (...parts) => {
    let store;
    const inner = recording(given, (opened) => { store = opened; })(make);
    const made = functions.reduceRight((wrapped, each) => each(wrapped), inner)(...parts);
    const listeners = new Set();
    if (store) store.tell = () => { for (const tell of [...listeners]) try { tell(); } catch {} };
    return {
      ...made,
      getState: () => (store?.shown ? store.shown.state : made.getState()),
      subscribe(listener) {
        const tell = () => listener(), leave = made.subscribe(listener);
        listeners.add(tell);
        return () => { listeners.delete(tell); leave(); };
      },
    };
  };
  const extension = (given) => composed(given, []);
  extension.connect = (given) => {
    let store;
    const listeners = new Set(), tell = (message) => { for (const each of listeners) each(message); };
    const begin = (state) => {
      store = open(given, state);
      store.send = (action) => tell({ type: 'ACTION', payload: stringify(action), source: '@devtools-extension' });
      store.jump = (action, next = revived(store.live, action.state), state = stringify(next)) => { // without functions, which the store keeps
        step(store, action, next); tell({ type: 'DISPATCH', payload: { type: 'JUMP_TO_STATE', actionId: 0 }, state, source: '@devtools-extension' });
      };
    };
    return {
      init(state) { if (store) step(store, { type: '@@INIT' }, state); else begin(state); },
      send(action, state) { if (action != null) try { if (!store) begin(undefined); step(store, typed(action), state, undefined, trace()); } catch { /* the app goes on */ } },
      subscribe(listener) { listeners.add(listener); listener({ type: 'START', source: '@devtools-extension' }); return () => listeners.delete(listener); },
      unsubscribe() { listeners.clear(); },
      error(message) { if (store) step(store, { type: '@@ERROR' }, store.live, message); },
    };
  };
  Object.assign(extension, { send() {}, disconnect() {}, open() {}, listen() {}, notifyErrors() {}, updateLocale() {} });
  const compose = (...given) => (given.length === 1 && isObject(given[0]) ? (...functions) => composed(given[0], functions) : composed(undefined, given));
  const share = (where, name, value) => { try { defineProperty(where, name, { value, writable: true, configurable: true, enumerable: false }); } catch { /* it is taken */ } };
  // In node, libraries look for a window, too.
  if (world.window === undefined && world.process?.versions?.node) share(world, 'window', {});
  for (const where of new Set([world, world.window ?? world])) {
    share(where, '__REDUX_DEVTOOLS_EXTENSION__', extension);
    share(where, '__REDUX_DEVTOOLS_EXTENSION_COMPOSE__', compose);
  }
  if (world.addEventListener) for (const kind of ['pagehide', 'visibilitychange']) world.addEventListener(kind, () => flush(true), true);
  // What the app saves as it leaves is its own.
  world.addEventListener?.('pagehide', () => stores.forEach(showOwn), true);
  world.process?.on?.('exit', () => flush(true));

  // What `retcon` asks: the reducer runs again here, as docs/hosts.md says.
  const Real = Date;
  function onDay(day, work) {
    if (!day) return work();
    const other = () => Real.now() + day * 86_400_123;
    // A proxy has the real prototype, for instanceof, and may be called without new.
    world.Date = Real.prototype.constructor = new Proxy(Real, {
      construct: (_, parts, target) => Reflect.construct(Real, parts.length ? parts : [other()], target),
      apply: () => new Real(other()).toString(), get: (_, name) => (name === 'now' ? other : Real[name]),
    });
    try { return work(); } finally { world.Date = Real.prototype.constructor = Real; }
  }
  function reduce(store, { from, as, actions, copies, day }) {
    if (!store.reduce) return '"error":"this store gives its debugger no reducer"';
    if (from === undefined) { store.states.set(as, cloned(store.first)); return `"states":[${stringify(plain(view(store, store.first)))}]`; }
    if (!store.states.has(from)) return `"error":"there is no state ${Number(from)}"`;
    let [state, size, patches, changed, error] = [store.states.get(from), 0, [], [], ''];
    for (const action of actions) {
      walked = 0;
      let before = view(store, state), mirror = plain(before), next;
      const given = copies ? cloned(state) : state, ops = [], known = store.known.get(stringify(action));
      try { next = onDay(day, () => store.reduce(given, known === undefined ? action : cloned(known))); if (next === undefined) throw new Error('the reducer returned undefined'); } catch (failure) { error = told(failure); }
      sync(mirror, NOTHING, view(store, given), ops);
      if (ops.length && !copies) return '"needs":"copies"';
      if (!error && store.hides && !store.hides.allows(next, action)) error = 'the app’s predicate hides this state';
      if (error) break;
      if (ops.length) { changed[patches.length] = parse(ops[0]).path; mirror = plain(before); ops.length = 0; }
      sync(mirror, changed[patches.length] === undefined && !copies ? before : NOTHING, view(store, next), ops);
      patches.push(`[${ops.join(',')}]`); size += patches[patches.length - 1].length;
      store.states.set(as++, next); state = next;
      if (size > LONGEST) break;
    }
    return `"patches":[${patches.join(',')}]${changed.length ? `,"changed":${stringify(Array.from(changed, (each) => each ?? null))}` : ''}${error ? `,"error":${stringify(error)}` : ''}`;
  }
  function replaced(value, [key, ...rest], news) {
    if (key === undefined) return news;
    const isMap = value instanceof Map;
    if (!isObject(value) || !(isMap ? value.has(key) : has.call(value, key))) throw new Error(`there is nothing at ${key}`);
    const copy = Array.isArray(value) ? value.slice() : isMap ? new Map(value) : Object.assign(Object.create(getPrototypeOf(value)), value);
    const member = replaced(isMap ? value.get(key) : value[key], rest, news);
    if (isMap) copy.set(key, member); else put(copy, key, member);
    return copy;
  }
  const answers = {
    greet: () => '"answer":"greeting","version":[2,0],"name":"the page’s reducer","thin":true',
    reduce,
    put(store, { as, state, from, patch = [] }) {
      if (from !== undefined) state = store.states.get(from);
      for (const { path, value } of patch) state = replaced(state, path.split('/').slice(1).map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')), value);
      store.states.set(as, state);
      return '"ok":true';
    },
    state: (store, { of }) => `"state":${stringify(plain(view(store, store.states.get(of))))}`,
    forget(store, { states }) { for (const number of states) store.states.delete(number); return '"ok":true'; },
    quit(store) { store.states.clear(); return '"ok":true'; },
  };
  /**
   * A state that was JSON as one of the app. What is as before stays the same object. What is
   * redacted or cannot be JSON stays the app's own.
   */
  function revived(live, value) {
    if (is(live, value)) return live;
    if (typeof value === 'string' && value.includes(REDACTED)) return live ?? value;
    const kind = typeof live;
    const isText = typeof value === 'string';
    if (kind === 'function' || kind === 'symbol') return isText ? live : value;
    if (kind === 'number' && /^(NaN|-?Infinity)$/.test(value)) return Number(value);
    if (kind === 'bigint' && /^-?\d+n$/.test(value)) return world.BigInt(value.slice(0, -1));
    if (live instanceof Real && isText) {
      return plain(live) === value ? live : new Real(value);
    }
    if (!isObject(live) || !(isText || isObject(value))) return value;
    const isList = Array.isArray(live), isKeyed = live instanceof Map || live instanceof Set;
    if (!isList && !isKeyed && !isPlain(live)) return live;
    if (isText) return value;
    if (isKeyed) return revivedMembers(live, value);
    if (isList !== Array.isArray(value)) return value;
    if (isList) {
      return sameOr(live, value.map((part, at) => revived(live[at], part)));
    }
    const copy = {};
    for (const key of keys(value)) {
      if (!key.startsWith(REDACTED)) put(copy, key, revived(live[key], value[key]));
    }
    if (keys(value).some((key) => key.startsWith(REDACTED))) {
      for (const key of keys(live)) if (!has.call(copy, key)) put(copy, key, live[key]);
    }
    return sameOr(live, copy);
  }

  function sameOr(live, copy) {
    const isSame = (key) => has.call(live, key) && is(copy[key], live[key]);
    return keys(live).length === keys(copy).length && keys(copy).every(isSame) ? live : copy;
  }

  /** A map or a set, with the app's own keys and members where they are the same as JSON. */
  function revivedMembers(live, value) {
    if (stringify(plain(live)) === stringify(value)) return live;
    const known = new Map(Array.from(live.keys(), (key) => [stringify(plain(key)), key]));
    const own = (key) => known.get(stringify(key)) ?? key;
    if (live instanceof Set) return Array.isArray(value) ? new Set(value.map(own)) : value;
    const entries = Array.isArray(value) ? value : keys(value).map((key) => [key, value[key]]);
    return new Map(entries.map(([key, part]) => [own(key), revived(live.get(own(key)), part)]));
  }

  function refuse(words) { throw Object.assign(new Error(words), { stack: words }); }

  // The page shows another state than its own: until it is told otherwise, or hears nothing.
  function show(store, { state, words }) {
    if (!store.tell) refuse('a store of this kind shows only its own state: use :app jump');
    const beat = (store.beat = {});
    later(() => { if (store.beat === beat) showOwn(store); }, SILENCE)?.unref?.();
    if (state === undefined) return;
    walked = 0;
    store.shown = { state: revived(store.live, state) };
    try { showBanner(store, words); } catch { /* it is no page */ }
    store.tell();
  }

  function showOwn(store) {
    store.beat = undefined;
    store.banner?.remove();
    store.banner = undefined;
    if (store.shown) { store.shown = undefined; store.tell(); }
  }

  function showBanner(store, words) {
    store.banner ??= world.document.createElement('retcon-banner');
    store.banner.style.cssText = 'all: initial; position: fixed; z-index: 2147483647; bottom: 8px;'
      + 'left: 8px; padding: 4px 10px; border-radius: 4px; font: 13px sans-serif; color: #fff;'
      + 'background: #b02a6b; pointer-events: none;';
    store.banner.textContent = words;
    world.document.documentElement.append(store.banner);
  }

  // What the debugger does to the app.
  const drives = {
    show,
    own: showOwn,
    lock(store) {
      if (!store.tell) refuse('a store of this kind cannot be locked');
      store.isLocked = true;
    },
    unlock(store) { store.isLocked = false; },
    commit(store) { walked = 0; store.committed = plain(store.live); },
    revert(store) {
      walked = 0;
      store.jump({ type: JUMP, state: store.committed ?? plain(store.first) });
    },
    jump(store, { state, step, play }) { walked = 0; store.before ??= plain(store.live); store.jump({ type: JUMP, step, state, play }); },
    back(store) { if (store.before === undefined) refuse('the app was not set to a step'); store.jump({ type: JUMP, state: store.before }); store.before = undefined; },
    send(store, { actions }) { for (const action of actions) { const known = store.known.get(stringify(action)); store.send(known === undefined ? action : cloned(known)); } },
    pause(store) { store.isPaused = true; },
    resume(store) { const { live } = store; if (store.isPaused) { [store.isPaused, store.seen] = [false, NOTHING]; step(store, { type: '@@retcon/resumed' }, live); } },
  };
  share(world, SIGN, Object.freeze({
    drive(id, order) { try { drives[order.drive](stores.get(id), order); flush(false); return ''; } catch (error) { return told(error); } },
    has: (id) => stores.has(id),
    again, flush: () => flush(true),
    ask(id, request) {
      const { id: number, ask, ...rest } = request, store = stores.get(id);
      let answer;
      walked = 0;
      try { answer = !store ? '"error":"the page has no such store any more"' : has.call(answers, ask) ? answers[ask](store, rest) : '"error":"unknown"'; } catch (error) { answer = `"error":${stringify(told(error))}`; }
      return `{"id":${Number(number)},${answer}}`;
    },
  }));
})
