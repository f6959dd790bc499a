/** A record without one key; the same record if it has no such key. */
export function omitted(record, key) {
  if (!(key in record)) return record;
  const { [key]: _, ...rest } = record;
  return rest;
}

export function omittedAll(record, keys) {
  return keys.reduce(omitted, record);
}

/** A record with one entry changed; the same record without such an entry or a change. */
export function changed(record, key, change) {
  const before = record[key];
  if (before === undefined) return record;
  const after = change(before);
  return after === before ? record : { ...record, [key]: after };
}

export function mappedValues(record, change) {
  let isChanged = false;
  const next = {};
  for (const [key, value] of Object.entries(record)) {
    next[key] = change(value, key);
    isChanged ||= next[key] !== value;
  }
  return isChanged ? next : record;
}

/** The fields of `patch` that differ from those of a record. */
export function differing(record, patch) {
  const found = {};
  for (const [key, value] of Object.entries(patch)) {
    if (!isEqual(record[key], value)) found[key] = value;
  }
  return found;
}

/** A record with a patch on it; the same record if nothing differs. */
export function patched(record, patch) {
  const fields = differing(record, patch);
  return Object.keys(fields).length ? { ...record, ...fields } : record;
}

export function isEqual(one, other) {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  if (one === null || other === null || Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => isEqual(one[key], other[key]));
}

export function picked(record, keys) {
  const found = {};
  for (const key of keys) {
    if (key in record) found[key] = record[key];
  }
  return found;
}
