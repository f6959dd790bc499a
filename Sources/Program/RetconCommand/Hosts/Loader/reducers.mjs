// Finds the reducer in what a file exports.
import path from 'node:path';
import { Refusal, has, isObject, read, shown } from './files.mjs';
import { importer } from './graph.mjs';
import { ABSENT, combined, state } from './stand-ins.mjs';
import { isPlain } from '../Recorder/values.mjs';

/** A store; not the one in which redux-persist counts what it has read. */
const isStore = (value) => (isObject(value) || typeof value === 'function')
  && typeof value.getState === 'function' && typeof value.purge !== 'function';

/** A value with a state and without a reducer. */
function otherStore(value) {
  if (value?.[ABSENT]) return undefined;
  if (typeof value?.transition === 'function') return 'a machine of XState';
  if (value?.$id) return 'a store of Pinia';
  if (typeof value?.sub === 'function' && value.get && value.set) return 'a store of jotai';
  return typeof value?.commit === 'function' ? 'a store of Vuex' : undefined;
}

/** Turns the recorder's form of a date, a set or a map into such a value again. */
export function revived(value) {
  if (!isPlain(value)) return value;
  if (Array.isArray(value)) return value.map(revived);
  const [[name, of] = []] = Object.entries(value);
  if (name === 'retcon:Date') return new Date(of);
  if (name === 'retcon:Set') return new Set(revived(of));
  if (name === 'retcon:Map') {
    return new Map(Array.isArray(of) ? revived(of) : Object.entries(revived(of)));
  }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, revived(part)]));
}

const isCall = ([, value]) => typeof value === 'function';

/** A store of zustand: an action is the name of a function in its state, with what it is given. */
function acting(store) {
  const all = store.getInitialState?.() ?? store.getState();
  const data = (state) => {
    if (!isObject(state)) return state;
    return Object.fromEntries(Object.entries(state).filter((each) => !isCall(each)));
  };
  const calls = Object.fromEntries(Object.entries(all).filter(isCall));
  return (state = data(all), sent) => {
    const action = revived(sent);
    store.setState({ ...state, ...calls }, true);
    if (typeof store.dispatch === 'function') {
      store.dispatch(action);
    } else if (action.type === 'setState') {
      store.setState(...action.arguments ?? []);
    } else if (has(calls, action.type)) {
      calls[action.type](...(action.arguments ?? ('payload' in action ? [action.payload] : [])));
    }
    return data(store.getState());
  };
}

/** The known facts of a store of Redux. */
export const entryOf = (value) => state.stores.find((entry) => (
  entry === value || (isStore(value) && entry.store?.getState === value.getState)));

/** The state that a store was made with. */
export const preloadedIn = (value) => entryOf(value)?.preloaded;

/** The reducer in the exports of a file; undefined if it has none. */
export function reducerIn(value) {
  if (value?.[ABSENT]) throw new Refusal(value[ABSENT]);
  const entry = entryOf(value);
  if (entry) return (current, action) => entry.reducer(current, action);
  if (isStore(value) && typeof value.setState === 'function') return acting(value);
  if (typeof value === 'function') return value;
  if (!isObject(value) || isStore(value)) return undefined;
  if (typeof value.reducer === 'function') return value.reducer;
  const members = Object.values(value);
  const areCalls = members.length > 0 && members.every((member) => typeof member === 'function');
  return areCalls ? combined(value) : undefined;
}

/** A call that returns an action as it is, and sends nothing. */
const isCreator = (call) => typeof call.type === 'string' || (
  /(=>\s*\(?|\breturn)\s*\{\s*type\s*[:,]/.test(call) && !/\b(dispatch|await)\b/.test(call));

/** The actions that action creators of modules make, each of arguments that are null. */
export function created(modules) {
  const found = new Map();
  const add = (call) => {
    if (typeof call !== 'function' || call[ABSENT] || !isCreator(call)) return;
    let action;
    try {
      const given = parameters(call).map((name) => (name[0] === '{' ? {} : null));
      action = JSON.parse(JSON.stringify(call(...given)));
    } catch { action = { type: call.type }; }
    if (typeof action?.type === 'string') found.set(action.type, action);
  };
  const addAll = (value) => {
    if (value?.[ABSENT]) return;
    add(value);
    for (const all of [value, value?.actions]) if (isPlain(all)) Object.values(all).forEach(add);
  };
  for (const module of modules) {
    // A file that ended early has no values yet.
    try { Object.values(Object(module)).forEach(addAll); } catch {}
  }
  return [...found.values()];
}

/** The names of the parameters, as a function's text has them. */
function parameters(call) {
  const text = call.toString();
  const names = [''];
  let depth = 0;
  for (const letter of text.slice(text.indexOf('('))) {
    if (/[)\]}]/.test(letter) && --depth === 0) break;
    if (depth === 1 && letter === ',') names.push('');
    else if (depth > 0) names.push(names.pop() + letter);
    if (/[([{]/.test(letter)) depth++;
  }
  return names.map((name) => name.trim());
}

/** A component, or what is given no state. */
function isNoReducer(call) {
  const [first, ...others] = parameters(call);
  return first === '' || (!others.length && /^[A-Z]/.test(call.name));
}

/** A function that looks like a reducer to a reader: it takes a state and an action. */
function looksLikeReducer(name, value) {
  if (typeof value !== 'function' || /^(use|select|create|fetch)[A-Z]/.test(name)) return false;
  if (/reducer$/i.test(name)) return true;
  const [, second, ...others] = parameters(value);
  return second !== undefined && !others.length
    && /^(_?(act(ion\w*)?|a|event|msg|message)(?!\w)|\{\s*(type|payload)\b)/.test(second);
}

/** The reason why a file's exports have no reducer, and what to write instead. */
export function refusal(file, module, name, value, files) {
  const all = exported(module);
  const kind = [value, ...Object.values(module)].map(otherStore).find(Boolean);
  if (kind) {
    return `${shown(file)} exports ${kind}, and Retcon runs only reducers: `
      + 'open the session without --reducer';
  }
  const calls = all.filter(([, each]) => typeof each === 'function' && !isStore(each));
  const names = calls.map(([key, call]) => (key === 'default' ? call.name || key : key));
  const reducer = calls.find(([key, call]) => looksLikeReducer(key, call))?.[0];
  const makers = names.filter((each) => /^(?!use[A-Z])[a-z]/.test(each));
  const maker = makers.find((each) => /store/i.test(each)) ?? makers[0];
  const other = files.find((each) => each !== file && /store/i.test(path.basename(each)));
  const inside = /\b(?:configure|create|make|setup|init)\w*Store(?=\()/.exec(read(file))?.[0];
  const advice = reducer ? `Name its reducer, as ${shown(file)}#${reducer}`
    : maker ? `If ${maker} makes the store, write --make '${maker}()'`
    : inside ? `If it makes the store inside a function, write how: --make '${inside}({ … })'`
    : other ? `It imports ${shown(other)}: name that file`
    : 'Export the store or its reducer, or name the file that does';
  if (isStore(value) || isStore(module.default)) {
    return `${shown(file)} exports a store that was not made by the package redux, and such a `
      + `store does not give its reducer away. ${advice}`;
  }
  const count = state.stores.length + state.others.length;
  const stores = count > 1 ? ` It makes ${count} stores.` : '';
  const keys = all.map(([key]) => key).join(', ') || 'nothing';
  const place = name ? `in “${name}”` : 'as its default export';
  return `${shown(file)} has no reducer ${place}: it exports ${keys}.${stores} ${advice}`;
}

/** By its name, or by its text if it is not a component. */
const makesStore = (name, value) => typeof value === 'function' && !isStore(value)
  && (/^(configure|create|make|setup|init|get)\w*store$/i.test(name)
    || (!/^[A-Z]/.test(value.name) && /\b(create|configure)Store\b/.test(value.toString())));

/** From the most to the least store-like. */
const KINDS = [
  ([, value]) => isStore(value),
  ([name, value]) => /^(root|app|main)?_?reducers?$/i.test(name) && Boolean(reducerIn(value)),
  ([, value]) => isObject(value) && !isStore(value) && typeof value.reducer === 'function',
  ([name, value]) => looksLikeReducer(name, value) && !isStore(value),
];

/**
 * All of a module of CommonJS is its default export, too: its only reducer counts as one of an ES
 * module does.
 */
function onlyReducerOfCommonJS(first, all) {
  const isCommon = isObject(first) && !isStore(first) && all.length > 1
    && all.every(([name, value]) => name === 'default' || first[name] === value);
  if (!isCommon) return undefined;
  const named = Object.entries(first).filter(([name, value]) => looksLikeReducer(name, value));
  const holdsStore = Object.values(first).some((value) => isStore(value) || value?.reducer);
  if (named.length === 1 && !holdsStore && /reducer$/i.test(named[0][0])) return named[0][1];
}

/** Whether the default export is what is meant. */
function isMeant(first, all, file) {
  if (first === undefined || first[ABSENT] || makesStore(first.name, first)) return false;
  const isPlain = typeof first === 'function' && !isStore(first);
  const isOther = all.length > 1 || made(file, true) || (isPlain && isNoReducer(first));
  if (isPlain && isOther && !looksLikeReducer(first.name, first)) return false;
  return Boolean(reducerIn(first));
}

/** Makes a store; a later error of the call does not matter. */
function make([name, call], file) {
  const maker = name === 'default' ? call.name : name;
  try { call(); } catch (error) {
    if (!state.stores.length) {
      const user = importer(file);
      throw new Refusal(`${maker}() of ${shown(file)} makes no store without arguments: `
        + `${error.message.replace(/\.$/, '')}. Give it some, as --make '${maker}({})'${
          user ? `, or name the file that calls it: ${shown(user)}` : ''}`);
    }
    state.notes.add(`${maker}() ended early, after it had its reducer: ${error.message}`);
  }
}

/** The only store that was made while a file was run, or else while all were. */
function made(file, isOwn) {
  const lists = [state.stores, state.others];
  const own = lists.map((list) => list.filter((each) => each.file === file));
  const only = [...own, ...(isOwn ? [] : lists)].find((list) => list.length === 1)?.[0];
  return only?.reducer ? only : only?.store;
}

/** The store or reducer in what the words behind --make give. */
export function madeBy(call) {
  const value = call();
  if (typeof value?.then === 'function') throw new Refusal('--make gives a promise, and no store');
  if (reducerIn(value)) return value;
  const part = isObject(value) ? Object.values(value).find(isStore) : undefined;
  return part ?? state.stores.at(-1) ?? state.others.at(-1)?.store;
}

/** The name of the export for the words behind --make. */
export const MADE = '__retconMade';

export const exported = (module) => Object.entries(module)
  .filter(([name]) => !['module.exports', '__esModule', MADE].includes(name));

/** The most store-like of what is exported: if there is one of a kind, whatever its name. */
export function chosen(module, file) {
  const all = exported(module);
  const first = module.default;
  const common = onlyReducerOfCommonJS(first, all);
  if (common) return common;
  if (isMeant(first, all, file)) return first;
  for (const isOfKind of KINDS) {
    const list = all.filter((each) => !each[1]?.[ABSENT] && isOfKind(each));
    const values = new Set(list.map(([, value]) => value));
    if (values.size === 1) return list[0][1];
    if (values.size > 1) {
      const names = list.map(([name]) => `${shown(file)}#${name}`).join(', ');
      throw new Refusal(`${shown(file)} exports several: name one of ${names}`);
    }
  }
  const isMaker = !first?.[ABSENT] && makesStore(first?.name, first);
  const makers = all.filter(([name, value]) => (
    makesStore(name, value) || (name === 'default' && isMaker)));
  if (!made(file) && makers.length) make(makers[0], file);
  const only = made(file);
  if (only) return only;
  const isFunction = typeof first === 'function' && !first[ABSENT];
  if (isFunction && !isMaker && !isNoReducer(first)) return first;
  const gone = first?.[ABSENT] ?? all.find(([, value]) => value?.[ABSENT])?.[1][ABSENT]
    ?? absentPackage();
  if (gone) throw new Refusal(gone);
}

/** The sentence on the missing package that most likely made the store. */
function absentPackage() {
  const kinds = [/^(redux|@reduxjs\/toolkit|zustand)$/, /redux/];
  const names = kinds.flatMap((kind) => [...state.absent.keys()].filter((name) => kind.test(name)));
  return state.absent.get(names[0]);
}
