// Places in a value as RFC 6901 writes them, and how a list moved: for recorder, shim and host.

export const escapedKey = (key) => String(key).replaceAll('~', '~0').replaceAll('/', '~1');

/** The keys that lead to a place. */
export const keysOf = (path) => {
  const keys = path.split('/').slice(1);
  if (!path.includes('~')) return keys;
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
};

/**
 * How a list became another one. If only elements at `at` are gone and others came behind, `gone`
 * says how many, and `left` is without them. `left` and the other list then have their first
 * `start` and their last `end` elements in common.
 */
export function shifted(from, to) {
  const most = Math.min(from.length, to.length);
  let start = 0, end = 0;
  while (start < most && Object.is(from[start], to[start])) start++;
  const at = start, gone = shift(from, to, start);
  if (gone) {
    const left = from.slice(0, at).concat(from.slice(at + gone));
    return { at, gone, left, start: left.length, end };
  }
  const isSame = (place) => Object.is(from[from.length - place], to[to.length - place]);
  while (end < most - start && isSame(end + 1)) end++;
  return { at, gone, left: from, start, end };
}

/** How many elements are gone at a place of a list, if all others follow in the same order. */
function shift(from, to, start) {
  if (start >= to.length) return 0;
  const gone = from.indexOf(to[start], start) - start;
  for (let at = start + gone; at < from.length; at++) {
    if (gone <= 0 || !Object.is(from[at], to[at - gone])) return 0;
  }
  return Math.max(gone, 0);
}
