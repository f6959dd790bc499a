// A store's input from outside: the user's actions and calls, answers of requests, ends of timers.
// Each is an input, a step of its own. The app's work until it is idle follows it.
import { patchChannels } from './news.mjs';
import { patchWorld, withoutFrames } from './outside.mjs';
import { Task, patchTasks } from './tasks.mjs';
import { isLossy, mapped, partsSet, typed } from './values.mjs';

const isThunk = (value) => typeof value === 'function';
const promised = (value) => typeof value?.then === 'function';

/** The calls that the app has named, and those of Redux Toolkit, which tell themselves. */
const tagged = new WeakMap();

/** Creators of thunks, whose calls are recorded with their names and arguments. */
export const naming = (creators) => Object.fromEntries(
  Object.entries(creators).map(([call, create]) => [call, Object.assign((...given) => {
    const made = create(...given);
    if (isThunk(made)) tagged.set(made, { call, arguments: told(...given) });
    return made;
  }, create)]));

/** JSON has no word for an argument that is undefined. */
const told = (...given) => given.slice(0, given.findLastIndex((each) => each !== undefined) + 1);

/** Functions of Redux Toolkit, by words that every build of it keeps. */
export const kindOf = (call) => (/\bidGenerator\b/.test(call) ? 'thunk'
  : /\bqueryCacheKey\b|\bfixedCacheKey\b/.test(call) ? 'endpoint' : undefined);

/** The call behind the first action of such a function. */
function callBehind(action, kind) {
  const { type, meta } = action ?? {};
  const [, prefix] = /^(.*)\/(pending|rejected)$/.exec(type) ?? [];
  if (!prefix || !meta?.requestId) return undefined;
  const asked = meta.arg?.endpointName && /^(.*)\/execute(Query|Mutation)$/.exec(prefix);
  if (!asked !== (kind === 'thunk')) return undefined;
  if (!asked) return { call: prefix, arguments: told(meta.arg) };
  const { endpointName, originalArgs, type: _, queryCacheKey, ...options } = meta.arg;
  return { call: `${asked[1]}/${endpointName}`, arguments: told(originalArgs), options };
}

/** Code that waits for a promise, by `await` or `then`, reads its constructor. */
function noteWaiting(promise, input) {
  if (Object.hasOwn(promise, 'constructor') || !Object.isExtensible(promise)) return;
  const { constructor } = promise;
  Object.defineProperty(promise, 'constructor', {
    get() { input.isAwaited = true; return constructor; }, configurable: true,
  });
}

/** The sender of an action, where the recorder knows all input from outside. */
export function worldOf(session, hide, its) {
  const { add, count, say, tell, text, now, hasStarted, place, restart, start } = session;
  const { asked, user, onError, UNKNOWN, OUTSIDE } = its;
  const Storage = globalThis.process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage;
  const tasks = Storage && new Storage();
  // The input that the app works at. It is over when another one comes, or the app is idle. The
  // user may give several in one task.
  let current, task = new Task(), inside = 0, effects = 0, ends = [], state;
  let before = {}; // what it read outside of inputs, for the next one
  const settle = () => {
    for (const effect of ends) tell(effect, 'finished');
    ends = [];
  };
  const leave = () => {
    if (inside) return;
    current = undefined;
    settle();
  };
  // A page has nothing that follows a task: whatever begins another one leaves the input.
  const soon = patchTasks(leave, !tasks);
  const begin = (input, isArrival = false) => {
    settle();
    if (isArrival || !current) task = new Task();
    input.joins = task.add(input);
    // The work of the one before behind an `await` is written where it alone would do it.
    if (input.joins) input.joins.late = place();
    current = input;
    if (before.drawn) input.drawn = before.drawn;
    before = {};
    input.event = globalThis.event;
    soon();
    return input;
  };
  const isOwn = () => inside > 0 || !tasks || tasks.getStore() !== undefined;
  const here = () => {
    const { event } = globalThis;
    if (current && !inside && !tasks && event !== current.event && user()) leave();
    return current && isOwn() ? current : undefined;
  };
  /** The input whose code runs now; undefined if it may be another one of the task. */
  const proven = () => {
    const input = here();
    return input && !inside ? task.worker : input;
  };
  /** A step of an input, or of what the app sent at it. */
  const put = (action, cause, input) => {
    const number = add(withoutFrames(action), state, cause);
    if (input) Object.assign(input, { last: number, ordinal: 0 });
    return number;
  };
  const open = (input) => {
    if (input.step !== undefined || input.isUnknown) return;
    if (input.peek) {
      state = input.peek();
      input.step = put(input.sent, { ...input.cause, input }, input);
      for (const tell of input.waiting ?? []) tell();
      return;
    }
    const { sent, call, kind } = input;
    const isNameless = isThunk(sent) && !call;
    input.action = call ? { type: `${call.call}()`, retcon: call }
      : isNameless ? { type: `${sent.name || 'a function'}()`, retcon: { call: null } }
      : { type: `dispatch ${sent?.type}`, retcon: { dispatch: sent } };
    input.isUnknown = isNameless && !kind;
    const step = put(input.action, { ...input.cause, input }, input);
    if (!input.isUnknown) input.step = step;
  };
  /** A function of Redux Toolkit tells its name before its step is written. */
  const reveal = (input, call) => {
    if (!call) return;
    Object.assign(input.action, { type: `${call.call}()`, retcon: call });
    input.call = call;
  };
  const note = (action, after, error) => {
    const input = here();
    const before = state;
    if (input && input.step === undefined) {
      if (action === input.sent) {
        state = after;
        input.step = put(action, { ...input.cause, input, error }, input);
        return;
      }
      state = before;
      open(input);
    }
    const sender = proven();
    if (sender?.kind && !sender.call) {
      reveal(sender, callBehind(action, sender.kind));
      sender.request = action?.meta?.requestId;
    }
    state = after;
    const isKnown = sender && !sender.isUnknown;
    const cause = isKnown ? { told: { output: sender.step } } : UNKNOWN;
    const number = put(action, error ? { ...cause, error } : cause, sender);
    if (sender?.other === action) (sender.others ??= []).push(number);
    if (error) onError?.(text(), error);
  };
  const run = (input, work) => {
    const own = task;
    inside++;
    try { return tasks ? tasks.run({}, work) : work(); } finally {
      inside--;
      own.mark();
    }
  };
  /** A call to the store in the same task behind an input does not belong to the input's work. */
  const isBehind = () => inside === 0 && current && task.isSync;
  const isIdle = () => hasStarted() && (isBehind() || !here()) && !(tasks && tasks.getStore());
  /** Perhaps a component sends it, which waited for the app: a fork does not run it. */
  const byOthers = (sent, dispatch) => {
    if (here()) here().other = sent;
    return dispatch(sent);
  };
  const dispatched = (dispatch, sent) => {
    // In a page, whoever calls behind an `await` may be the app or a component.
    const isCall = !tasks && !inside && isThunk(sent);
    if (!isIdle() && !isCall) return inside ? dispatch(sent) : byOthers(sent, dispatch);
    const call = tagged.get(sent), kind = !call && isThunk(sent) ? kindOf(sent) : undefined;
    const input = begin({ sent, call, kind, cause: sender(sent) });
    const result = run(input, () => {
      if (isThunk(sent)) open(input);
      return dispatch(sent);
    });
    open(input);
    if (promised(result) && input.step !== undefined) {
      keepUses(result, input);
      // RTK Query answers from its cache, and tells no reducer. It may ask for others meanwhile.
      const [, endpoint] = /^(\w+)\(/.exec(result.queryCacheKey) ?? [];
      if (endpoint && (!input.call || (input.request && input.request !== result.requestId))) {
        const { arg, subscriptionOptions } = result;
        const options = { subscriptionOptions };
        reveal(input, { call: `/${endpoint}`, arguments: told(arg), options });
      }
      // One that its condition stops tells itself only now.
      if (input.kind && !input.call) {
        result.then((end) => {
          if (end?.meta?.condition) reveal(input, callBehind(end, input.kind));
        }, () => {});
      }
      noteWaiting(result, input);
    }
    return result;
  };
  /** Functions of a call's result that the user calls later, such as `abort` and `unsubscribe`. */
  const keepUses = (result, input) => {
    for (const [use, call] of Object.entries(result)) {
      if (isThunk(call)) result[use] = (...given) => {
        if (use === 'unwrap') input.isAwaited = true;
        if (use === 'unwrap' || !isIdle()) return call(...given);
        const key = `s${input.step}`, [reason] = given;
        const retcon = use === 'abort' ? { abort: key, reason }
          : { use, of: key, arguments: given };
        const cause = sender();
        const type = `${input.call?.call ?? 'a function'} ${use}`;
        return arrive({ type, retcon }, cause, () => call(...given));
      };
    }
  };
  const arrive = (action, cause, work) => {
    const input = begin({ sent: action }, true);
    input.step = put(action, { ...cause, input }, input);
    return run(input, work);
  };
  /** A message from a call of zustand is written with its step. */
  const behindStep = (input, tell) => {
    if (input.step === undefined && input.peek) (input.waiting ??= []).push(tell); else tell();
  };
  /** An effect that the app starts now; undefined if its sender is unknown. */
  const effect = (name) => {
    const input = proven();
    if (!input) return undefined;
    if (!input.peek) open(input);
    if (input.isUnknown) return undefined;
    input.count = (input.count ?? 0) + 1;
    const key = `s${input.step ?? count() + 1}.${input.count}`;
    const started = { id: ++effects, key, time: now() };
    behindStep(input, () => {
      tell(started, 'started', {
        from: input.last, ordinal: ++input.ordinal, name: hide.text(name), file: 'javascript',
        cancel: key,
      }, input.late);
    });
    return started;
  };
  const end = (started, isCancelled) => {
    if (started.isOver) return;
    started.isOver = true;
    const input = isCancelled ? proven() : undefined;
    if (input) behindStep(input, () => tell(started, 'cancelled', {}, input.late));
    else if (isCancelled) tell(started, 'cancelled', { outside: true, alone: true });
    else ends.push(started);
  };
  const outside = {
    effect, leave: tasks ? () => {} : leave,
    /** The page's own work, such as a request of a stand-in for `fetch`. */
    apart(work) {
      const outer = [current, inside];
      [current, inside] = [undefined, 0];
      try { return tasks ? tasks.run(undefined, work) : work(); } finally {
        [current, inside] = outer;
      }
    },
    cancel: (started) => end(started, true),
    arrives(started, action, read, work, goesOn = false) {
      if (started.isOver) return work();
      const time = now(), took = Math.round((time - started.time) * 1e6) / 1e6;
      started.time = time;
      const told = { effect: started.id, after: count(), time, took };
      if (read) say({ read: 'fetch', ...told, ...hide.value(read) });
      return arrive(action, { id: started.id }, () => {
        if (!goesOn) end(started);
        return work();
      });
    },
    /** The app's random values at an input: the host gives it the same. */
    draw(kind, value) {
      const input = proven();
      if (!input) return value;
      const drawn = (input.drawn ??= {});
      if ((drawn[kind] ??= []).length < 10_000) drawn[kind].push(value);
      return value;
    },
    /** An item that the app read in a storage before writing there. Without a key: all of them. */
    stored(storage, key, value) {
      const drawn = (here() ?? before).drawn ??= {}, all = drawn.stored ??= {};
      const text = value && hide.hides(key) ? '<redacted>' : value;
      all[storage] ??= {};
      if (key === undefined) all[storage].isAll = true;
      else (all[storage].items ??= {})[hide.name(key)] = text && hide.text(text);
    },
  };
  patchWorld(outside);
  patchChannels(outside);
  const sender = (action) => asked(action, user() ?? (current || !tasks ? UNKNOWN : OUTSIDE));
  /** A function of the store is an input, with all that it sets until it waits or returns. */
  const zustand = (make) => (set, get, api) => {
    const called = (action, work) => {
      const input = begin({ sent: action, cause: sender(action), peek: get });
      const result = run(input, work);
      open(input);
      if (promised(result)) noteWaiting(result, input);
      return result;
    };
    let depth = 0;
    const isPart = (input) => depth > 0 || (input && input.step === undefined);
    const sent = (action) => {
      const input = proven();
      state = get();
      const number = put(action, input ? { told: { output: input.step } } : UNKNOWN, input);
      if (input && !inside) (input.others ??= []).push(number);
    };
    const setter = (real) => (...given) => {
      const before = get(), result = real(...given);
      if (isPart(here())) return result;
      sent({ type: 'setState', arguments: partsSet(given, before, get()).map(typed) });
      return result;
    };
    /** The app itself calls a function of its store. */
    const nested = (action, work) => {
      if (isPart(here())) return work();
      depth++;
      try { return work(); } finally { depth--; sent(action); }
    };
    const own = setter(api.setState);
    api.setState = (...given) => {
      if (!isIdle()) return own(...given);
      const action = { type: 'setState', arguments: [] }, before = get();
      return called(action, () => {
        const result = own(...given);
        action.arguments = partsSet(given, before, get()).map(typed);
        return result;
      });
    };
    const member = ([type, part]) => [type, typeof part !== 'function' ? part : (...given) => (
      (isIdle() ? called : nested)({ type, arguments: given }, () => part(...given)))];
    state = mapped(make(setter(set), get, api), member);
    return restart(state);
  };
  return { dispatched, note, zustand, begin: (first) => { state = first; start(first); } };
}

/**
 * The random values of an input, as a read of its step at a time in seconds. Dates count from
 * there. It tells, too, if the file has less than the action.
 */
export function readsOf({ input } = {}, time, action) {
  if (!input) return undefined;
  const { drawn: { d: dates = [], ...drawn } = {}, step, isAwaited, others } = input;
  const base = Math.floor(time * 1000 + 1e-3);
  const later = dates.map((date) => date - base);
  if (later.some((each) => each !== 0)) drawn.d = later;
  if (isLossy(action)) drawn.lossy = true;
  Object.assign(drawn, { awaited: isAwaited, others, joins: input.joins?.step });
  return [{ key: 'world', value: { id: step, ...drawn } }];
}
