// Finds the reducer in what a file exports.
import { Refusal, has, isObject, shown } from './files.mjs';
import { ABSENT, combined, state } from './stand-ins.mjs';

export const isStore = (value) => (
  (isObject(value) || typeof value === 'function') && typeof value.getState === 'function');

/** What holds a state and no reducer. */
export function otherStore(value) {
  if (value?.[ABSENT]) return undefined;
  if (typeof value?.transition === 'function') return 'a machine of XState';
  if (value?.$id) return 'a store of Pinia';
  return typeof value?.commit === 'function' ? 'a store of Vuex' : undefined;
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
  return (state = data(all), action) => {
    store.setState({ ...state, ...calls }, true);
    if (typeof store.dispatch === 'function') {
      store.dispatch(action);
    } else if (action.type === 'setState') {
      store.setState(...(action.arguments ?? []));
    } else if (has(calls, action.type)) {
      calls[action.type](...(action.arguments ?? ('payload' in action ? [action.payload] : [])));
    }
    return data(store.getState());
  };
}

/** The reducer in what a file exports; undefined where there is none. */
export function reducerIn(value) {
  if (value?.[ABSENT]) throw new Refusal(value[ABSENT]);
  const isSame = (store) => (
    store === value || (isStore(value) && store?.getState === value.getState));
  const entry = state.stores.find(({ store }) => isSame(store));
  if (entry) return (current, action) => entry.reducer(current, action);
  if (isStore(value) && typeof value.setState === 'function') return acting(value);
  if (typeof value === 'function') return value;
  if (!isObject(value) || isStore(value)) return undefined;
  if (typeof value.reducer === 'function') return value.reducer;
  const members = Object.values(value);
  const areCalls = members.length > 0 && members.every((member) => typeof member === 'function');
  return areCalls ? combined(value) : undefined;
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

/** What a reader of its text would take for a reducer: it is given a state and an action. */
function looksLikeReducer(name, value) {
  if (typeof value !== 'function' || /^(use|select|create|fetch)[A-Z]/.test(name)) return false;
  if (/reducer$/i.test(name)) return true;
  const [, second, ...others] = parameters(value);
  return second !== undefined && !others.length
    && /^(_?act\w*|a|event|msg|message|\{\s*(type|payload)\b)/.test(second);
}

const makesStore = (name, value) => (
  typeof value === 'function' && /^(configure|create|make|setup|init|get)\w*store$/i.test(name));

/** From the most to the least store-like. */
const KINDS = [
  ([, value]) => isStore(value),
  ([name, value]) => (
    typeof value === 'function' && /^(root|app|main)?_?reducers?$/i.test(name)),
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
function isMeant(first, all) {
  if (first === undefined || first[ABSENT] || makesStore(first.name, first)) return false;
  const isPlain = typeof first === 'function' && !isStore(first);
  if (isPlain && !looksLikeReducer(first.name, first) && all.length > 1) return false;
  return Boolean(reducerIn(first));
}

/** Makes a store; what it throws after that is no matter. */
function make([name, call]) {
  try { call(); } catch (error) {
    if (!state.stores.length) throw error;
    state.notes.add(`${name}() ended early, after it had its reducer: ${error.message}`);
  }
}

export const exported = (module) => Object.entries(module)
  .filter(([name]) => name !== 'module.exports' && name !== '__esModule');

/** The most store-like of what is exported: if there is one of a kind, whatever its name. */
export function chosen(module, file) {
  const all = exported(module);
  const first = module.default;
  const only = onlyReducerOfCommonJS(first, all);
  if (only) return only;
  if (isMeant(first, all)) return first;
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
  if (!state.stores.length && makers.length) make(makers[0]);
  if (state.stores.length === 1) return state.stores[0];
  if (typeof first === 'function' && !first[ABSENT] && !isMaker) return first;
  const gone = first?.[ABSENT] ?? all.find(([, value]) => value?.[ABSENT])?.[1][ABSENT]
    ?? absentPackage();
  if (gone) throw new Refusal(gone);
}

/** The sentence on the missing package that most likely made the store. */
function absentPackage() {
  const kinds = [/^(redux|@reduxjs\/toolkit|zustand)$/, /redux|store/];
  const names = kinds.flatMap((kind) => [...state.absent.keys()].filter((name) => kind.test(name)));
  return state.absent.get(names[0]);
}
