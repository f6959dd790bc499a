// Names: their order and their likeness.
const keyOf = ({ first, last }, by) =>
  (by === 'last' ? `${last} ${first}` : `${first} ${last}`).toLowerCase();

export function sortedIds(people, by) {
  const keys = Object.fromEntries(
    Object.entries(people).map(([id, each]) => [id, keyOf(each, by)]));
  return Object.keys(people).sort((one, other) => {
    if (keys[one] !== keys[other]) return keys[one] < keys[other] ? -1 : 1;
    return one < other ? -1 : 1;
  });
}

/** Pairs of people who may be one. */
export function likePairs(people) {
  const byKey = new Map(), pairs = [];
  for (const [id, person] of Object.entries(people)) {
    for (const key of [keyOf(person, 'last'), person.mail].filter(Boolean)) {
      if (byKey.has(key) && byKey.get(key) !== id) pairs.push([byKey.get(key), id]);
      else byKey.set(key, id);
    }
  }
  return pairs;
}
