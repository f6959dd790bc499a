export function omitted(record, key) {
  if (!(key in record)) return record;
  const { [key]: _, ...rest } = record;
  return rest;
}

export function changed(record, key, change) {
  const before = record[key];
  if (before === undefined) return record;
  const after = change(before);
  return after === before ? record : { ...record, [key]: after };
}

export function patched(record, patch) {
  const isSame = Object.entries(patch).every(([key, value]) => record[key] === value);
  return isSame ? record : { ...record, ...patch };
}

export function mappedValues(record, change) {
  const entries = Object.entries(record).map(([key, value]) => [key, change(value, key)]);
  return Object.fromEntries(entries);
}

export function grouped(list, keyOf) {
  const groups = {};
  for (const each of list) (groups[keyOf(each)] ??= []).push(each);
  return groups;
}

export function countsOf(list) {
  const counts = new Map();
  for (const each of list) counts.set(each, (counts.get(each) ?? 0) + 1);
  return counts;
}

export function sortedBy(list, ...keys) {
  return [...list].sort((one, other) => {
    for (const key of keys) {
      const [left, right] = [key(one), key(other)];
      if (left < right) return -1;
      if (left > right) return 1;
    }
    return 0;
  });
}

export function folded(text) {
  return text.normalize('NFD').replace(/[\u0300-\u036f]/g, '').toLowerCase().trim();
}

export function tidied(text) {
  return text.replace(/\s+/g, ' ').trim();
}
