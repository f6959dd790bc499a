// Places in a value as RFC 6901 writes them, and how a list moved: for recorder, shim and host.

export const escapedKey = (key) => String(key).replaceAll('~', '~0').replaceAll('/', '~1');

/** The keys that lead to a place. */
export const keysOf = (path) =>
  path.split('/').slice(1).map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** How many elements are gone at a place of a list, if all others follow in the same order. */
export function shift(from, to, start) {
  if (start >= to.length) return 0;
  const gone = from.indexOf(to[start], start) - start;
  for (let at = start + gone; at < from.length; at++) {
    if (gone <= 0 || !Object.is(from[at], to[at - gone])) return 0;
  }
  return Math.max(gone, 0);
}
