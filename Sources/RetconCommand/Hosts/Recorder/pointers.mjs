// Places in a value as RFC 6901 writes them, for recorder, shim and host.

export const escapedKey = (key) => String(key).replaceAll('~', '~0').replaceAll('/', '~1');

/** The keys that lead to a place. */
export const keysOf = (path) =>
  path.split('/').slice(1).map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
