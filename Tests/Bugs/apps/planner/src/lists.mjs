// Helpers for arrays and records that are never changed in place.

export const unique = (items) => [...new Set(items)];

export const without = (items, gone) => items.filter((item) => !gone.includes(item));

export function omit(record, ...keys) {
  const rest = { ...record };
  for (const key of keys) delete rest[key];
  return rest;
}

export const change = (record, key, update) => ({ ...record, [key]: update(record[key]) });

export const mapValues = (record, update) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, update(value, key)]));

export const mapKeys = (record, update) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [update(key), value]));

export const filterKeys = (record, isKept) =>
  Object.fromEntries(Object.entries(record).filter(([key]) => isKept(key)));

export const sum = (items, valueOf) => items.reduce((total, item) => total + valueOf(item), 0);

export function grouped(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (groups.has(key)) groups.get(key).push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

export function isEqual(one, other) {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && Array.isArray(one) === Array.isArray(other)
    && keys.every((key) => Object.hasOwn(other, key) && isEqual(one[key], other[key]));
}

export function plural(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}

export function listed(items) {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
