// Small helpers for arrays and records that are never changed in place.

export const unique = (items) => [...new Set(items)];

export const union = (one, other) => unique([...one, ...other]);

export const without = (items, gone) => items.filter((item) => !gone.includes(item));

export const shared = (one, other) => one.filter((item) => other.includes(item));

export function omit(record, ...keys) {
  const rest = { ...record };
  for (const key of keys) delete rest[key];
  return rest;
}

/** A record with one entry changed by a function. */
export const change = (record, key, update) => ({ ...record, [key]: update(record[key]) });

export function moved(items, from, to) {
  const rest = items.toSpliced(from, 1);
  return rest.toSpliced(Math.max(0, Math.min(to, rest.length)), 0, items[from]);
}

/** Where an item goes in a sorted list, after its equals. */
function placeIn(items, item, compare) {
  let low = 0, high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(items[middle], item) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const inserted = (items, item, compare) =>
  items.toSpliced(placeIn(items, item, compare), 0, item);

export function grouped(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (groups.has(key)) groups.get(key).push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

export const sum = (items, valueOf) => items.reduce((total, item) => total + valueOf(item), 0);
