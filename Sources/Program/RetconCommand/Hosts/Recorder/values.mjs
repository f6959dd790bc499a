// Values that a recorder writes: without what is secret, and with dates, sets and maps.
import { formOf, named, wordOf } from './forms.mjs';

export const holds = (value, key) => value[key] !== undefined && typeof value[key] !== 'function';
export const isPlain = (value) => typeof value === 'object' && value !== null
  && [Array.prototype, Object.prototype, null].includes(Object.getPrototypeOf(value));
export const mapped = (value, member) => Object.fromEntries(Object.entries(value).map(member));

/** Writes values as JSON without those of secret keys, also in texts that are JSON. */
export function redactor(keys) {
  const HIDDEN = '<redacted>', secret = new Set(keys), aliases = new Map();
  const words = keys.map((key) => key.replace(/\W/g, '\\$&')).join('|');
  const quoted = new RegExp(`(["'])(?:${words})\\1[ \\t\\r\\n]*:`);
  // Another text with such a key in quotes, also behind escapes, is hidden as a whole.
  const shows = (text, levels = 15) => secret.size > 0 && (quoted.test(text)
    || (/\\/.test(text) && (!levels || shows(unescaped(text), levels - 1))));
  // Of an address or a form, only the value.
  const field = new RegExp(`((?:^|[?&])(?:${words})=)[^&#\\s]*`, 'g');
  const bareOf = (text) => (shows(text) ? HIDDEN : text.replace(field, `$1${HIDDEN}`));
  const textOf = (text) => {
    if (!secret.size) return text;
    if (!/^[ \t\r\n]*[{["]/.test(text)) return bareOf(text);
    try {
      const all = JSON.parse(text);
      const [before, after] = [all, valueOf(all)].map((each) => JSON.stringify(each));
      // JSON.parse drops repeated members, so both are counted.
      return after === before && members(before) === members(text) ? text : after;
    } catch (error) { return error instanceof SyntaxError && !shows(text) ? text : HIDDEN; }
  };
  const nameOf = (key) => {
    if (textOf(key) === key) return key;
    const number = aliases.size ? ` ${aliases.size + 1}` : '';
    return aliases.get(key) ?? aliases.set(key, `<redacted${number}>`).get(key);
  };
  const valueOf = (value, key) => {
    if (secret.has(key)) return HIDDEN;
    if (typeof value === 'string') return textOf(value);
    if (typeof value === 'function') return undefined;
    if (typeof value !== 'object' || value === null) return wordOf(value) ?? value;
    if (Array.isArray(value)) return Array.from(value, (each) => valueOf(each) ?? null);
    const form = formOf(value);
    if (form !== undefined) return valueOf(form);
    return mapped(value, ([each, part]) => [nameOf(each), valueOf(part, each)]);
  };
  return { hides: (key) => secret.has(key), name: nameOf, text: textOf, value: valueOf };
}
/** A text without one level of escapes. */
export const unescaped = (text) => text.replace(/\\(u[\da-f]{4}|[^]?)/gi, (_, sign) => {
  if (sign.length > 1) return String.fromCharCode(`0x${sign.slice(1)}`);
  return 'bfnrt'.includes(sign) ? ' ' : sign;
});
/** How many members the objects of a JSON text have, and one more. */
export const members = (text) => text.replace(/\\./g, '').replace(/"[^"]*"/g, '').split(':').length;

/** A value of which the host makes dates, sets and maps again. */
export function typed(value) {
  if (value instanceof Date) return { 'retcon:Date': value.getTime() };
  if (value instanceof Set) return { 'retcon:Set': Array.from(value, typed) };
  if (value instanceof Map) return { 'retcon:Map': typed(named(value)) };
  if (Array.isArray(value)) return value.map(typed);
  return isPlain(value) ? mapped(value, ([key, part]) => [key, typed(part)]) : value;
}

/**
 * The part that a `set` of zustand wrote. For a function, its result: in another state it may set
 * another part.
 */
export function partsSet([first, isWhole], before, after) {
  if (typeof first !== 'function') return isWhole === undefined ? [first] : [first, isWhole];
  if (isWhole || !isPlain(before) || !isPlain(after)) return [after, true];
  const news = Object.entries(after).filter(([key, part]) => !Object.is(part, before[key]));
  return [Object.fromEntries(news)];
}

/** Whether JSON lacks a part of a value: a date, a map, an object of a class, a function. */
export function isLossy(value, depth = 0) {
  if (value === null || ['string', 'boolean', 'undefined'].includes(typeof value)) return false;
  if (typeof value === 'number') return !Number.isFinite(value);
  if (depth > 500 || !isPlain(value)) return true;
  return Object.values(value).some((each) => (
    each === undefined ? Array.isArray(value) : isLossy(each, depth + 1)));
}
