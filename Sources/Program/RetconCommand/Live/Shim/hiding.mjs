// Hides from Retcon, too, what the options of a store hide from Redux DevTools.
import { DEPTH, count, isPlain, plain } from './plain.mjs';
import { HIDDEN, JUMP } from './words.mjs';
import {
  get, getPrototypeOf, hasOwn, is, isObject, keys, put, stringify,
} from './world.mjs';

/**
 * The options of a store that hide something. `views` are functions that a state goes through,
 * each with its option's name. `action` gives HIDDEN for an action that is hidden as a whole.
 */
export function hiding(given) {
  const { stateSanitizer, actionSanitizer, predicate } = given;
  const joined = (list) => (Array.isArray(list) ? list.join('|') : list);
  const deny = joined(given.actionsDenylist ?? given.actionsBlacklist);
  const allow = joined(given.actionsAllowlist ?? given.actionsWhitelist);
  const replacer = given.serialize?.replacer;
  const options = {
    stateSanitizer, actionSanitizer, predicate, actionsDenylist: deny, actionsAllowlist: allow,
    'serialize.replacer': replacer,
  };
  const replaced = replacer ? (value) => replacedBy(replacer, value) : (value) => value;
  // A sanitizer of Redux DevTools gets the number of the action.
  let number = 0;
  const views = [];
  if (stateSanitizer) views.push(['stateSanitizer', (state) => stateSanitizer(state, number)]);
  if (replacer) views.push(['serialize.replacer', replaced]);
  return {
    names: keys(options).filter((name) => options[name]),
    views,
    replaced,
    allows: (state, action) => !predicate || Boolean(predicate(state, action)),
    action(action) {
      const { type } = action;
      if (isListed(type, deny) || (allow && !isListed(type, allow))) return HIDDEN;
      return actionSanitizer ? actionSanitizer(action, ++number) : action;
    },
  };
}

/** The lists of Redux DevTools are patterns. */
const isListed = (type, list) => list && String(type).match(list) !== null;

/** A value as JSON.stringify shows it with the replacer; the same one if that changes nothing. */
function replacedBy(replacer, value) {
  return typeof replacer === 'function' ? replacedAt(replacer, { '': value }, '') : value;
}

function replacedAt(replacer, holder, key, depth = 0) {
  count();
  const value = replacer.call(holder, key, holder instanceof Map ? holder.get(key) : holder[key]);
  if (depth > DEPTH) return HIDDEN;
  if (!isObject(value)) return value;
  if (value instanceof Set) {
    const list = [...value], copy = replacedAt(replacer, { '': list }, '', depth + 1);
    return copy === list ? value : copy;
  }
  const isMap = value instanceof Map, isList = Array.isArray(value);
  let copy = value;
  for (const name of isMap ? value.keys() : keys(value)) {
    const part = replacedAt(replacer, value, name, depth + 1);
    if (is(part, isMap ? value.get(name) : value[name])) continue;
    if (copy === value) copy = shallowCopy(value);
    if (isMap) copy.set(name, part);
    else if (part === undefined && !isList) delete copy[name];
    else put(copy, name, part);
  }
  return copy;
}

/** A copy of a list, a map or an object, with the same parts. */
export function shallowCopy(value) {
  if (Array.isArray(value)) return value.slice();
  if (value instanceof Map) return new Map(value);
  return Object.assign(Object.create(getPrototypeOf(value)), value);
}

/**
 * The form of a value that an option shows, with all hidden parts redacted. An object that JSON
 * lacks may have another form there.
 */
function redacted(real, shown, depth = 0) {
  count();
  if (is(real, shown)) return shown;
  const isTooDeep = depth > DEPTH;
  const isOther = () => isObject(real) && !Array.isArray(real) && !isPlain(real);
  if (!isTooDeep && isOther() && isObject(shown)) return plain(shown);
  const areLists = Array.isArray(real) && Array.isArray(shown) && real.length === shown.length;
  if (isTooDeep || !(areLists || (isRecord(real) && isRecord(shown)))) {
    return stringify(plain(real)) === stringify(plain(shown)) ? shown : HIDDEN;
  }
  const inner = (key) => redacted(get(real, key), get(shown, key), depth + 1);
  if (areLists) return real.map((_, at) => inner(at));
  const copy = {};
  for (const key of keys(shown)) put(copy, key, hasOwn.call(real, key) ? inner(key) : HIDDEN);
  // A key may be a secret, too.
  const isGone = (key) => !hasOwn.call(shown, key) && get(real, key) !== undefined;
  if (keys(real).some(isGone)) copy[HIDDEN] = HIDDEN;
  return copy;
}

const isRecord = (value) => isObject(value) && !Array.isArray(value) && isPlain(value);

/** A state as the app's own options let it be seen. */
export function view(store, state) {
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
export function seenAction(store, action, state) {
  const { hides } = store;
  if (!hides?.names.length || !isObject(action)) return { shown: action, isHidden: false };
  try {
    // Jumps are Retcon's own, and have a state inside.
    if (action.type === JUMP) return { shown: { ...action, state: view(store, action.state) } };
    if (!hides.allows(state, action)) return { shown: HIDDEN, isHidden: true };
    const sanitized = hides.action(action);
    if (sanitized === HIDDEN) return { shown: HIDDEN };
    const clean = redacted(action, sanitized);
    const shown = redacted(clean, hides.replaced(clean)), named = hides.replaced(sanitized);
    const isLabelled = shown !== action && isObject(named);
    return { shown, label: isLabelled ? named.type : undefined };
  } catch { return { shown: HIDDEN, isHidden: true }; }
}
