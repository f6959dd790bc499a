/** The list with an element at an index; an index past the end is the end. */
export function insertedAt(list, index, element) {
  const at = Math.max(0, Math.min(index, list.length));
  return [...list.slice(0, at), element, ...list.slice(at)];
}

export function without(list, element) {
  return list.includes(element) ? list.filter((each) => each !== element) : list;
}

export function withoutAll(list, elements) {
  const gone = new Set(elements);
  return list.some((each) => gone.has(each)) ? list.filter((each) => !gone.has(each)) : list;
}

export function withElement(list, element) {
  return list.includes(element) ? list : [...list, element];
}

export function toggled(list, element) {
  return list.includes(element) ? without(list, element) : [...list, element];
}

/** The list with one element at another place; the index is that after the move. */
export function movedTo(list, element, index) {
  if (!list.includes(element)) return list;
  return insertedAt(without(list, element), index, element);
}

export function replacedById(list, id, change) {
  let isChanged = false;
  const next = list.map((each) => {
    if (each.id !== id) return each;
    const changed = change(each);
    isChanged ||= changed !== each;
    return changed;
  });
  return isChanged ? next : list;
}

export function sameElements(one, other) {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}

/** The elements between two of a list, with both. */
export function between(list, one, other) {
  const from = list.indexOf(one);
  const to = list.indexOf(other);
  if (from < 0 || to < 0) return [];
  return list.slice(Math.min(from, to), Math.max(from, to) + 1);
}

export function sumOf(list, valueOf) {
  return list.reduce((sum, each) => sum + valueOf(each), 0);
}

export function sortedBy(list, ...keys) {
  return [...list].sort((one, other) => {
    for (const key of keys) {
      const left = key(one);
      const right = key(other);
      if (left < right) return -1;
      if (left > right) return 1;
    }
    return 0;
  });
}

export function last(list) {
  return list[list.length - 1];
}
