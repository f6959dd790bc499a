// Differences between two workbooks: small enough to keep many of them for undo.

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

function same(one, other) {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
  const keys = Object.keys(one);
  return Array.isArray(one) === Array.isArray(other)
    && keys.length === Object.keys(other).length
    && keys.every((key) => key in other && same(one[key], other[key]));
}

/** How deep a patch looks into the workbook: `sheets/s1/cells/A1` is one part. */
const DEPTH = 4;

/** What differs: `before` and `after` of each part, left out where the part is missing. */
export function difference(before, after, path = []) {
  if (before === after) return [];
  if (path.length < DEPTH && isObject(before) && isObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => difference(before[key], after[key], [...path, key]));
  }
  if (same(before, after)) return [];
  const patch = { path };
  if (before !== undefined) patch.before = before;
  if (after !== undefined) patch.after = after;
  return [patch];
}

function withPart(object, [key, ...rest], part) {
  const next = { ...object };
  const value = rest.length ? withPart(object[key] ?? {}, rest, part) : part;
  if (value === undefined) delete next[key];
  else next[key] = value;
  return next;
}

export const applied = (workbook, patches) => patches.reduce((next, patch) => (
  withPart(next, patch.path, patch.after)), workbook);

export const reverted = (workbook, patches) => patches.reduceRight((next, patch) => (
  withPart(next, patch.path, patch.before)), workbook);

const pathKey = ({ path }) => path.join('/');

/** One list of patches for two changes, the second after the first. */
export function merged(first, second) {
  const byPath = new Map(first.map((patch) => [pathKey(patch), patch]));
  for (const patch of second) {
    const earlier = byPath.get(pathKey(patch));
    const { before, ...rest } = patch;
    const start = earlier ? earlier.before : before;
    byPath.set(pathKey(patch), start === undefined ? rest : { ...rest, before: start });
  }
  return [...byPath.values()].filter((patch) => !same(patch.before, patch.after));
}

/** The places of the cells that patches touch, also where a whole sheet came or went. */
export function touchedCells(patches) {
  const places = [];
  for (const { path: [part, sheet, inside, key], before, after } of patches) {
    if (part !== 'sheets') continue;
    if (inside === 'cells' && key) places.push(`${sheet}!${key}`);
    if (inside) continue;
    const keys = Object.keys({ ...before?.cells, ...after?.cells });
    places.push(...keys.map((each) => `${sheet}!${each}`));
  }
  return places;
}

/** Whether patches change what the names of ranges or of sheets mean. */
export const touchesNames = (patches) => patches.some(({ path }) => (
  path[0] === 'names' || (path[0] === 'sheets' && (path.length === 2 || path[2] === 'name'))));
