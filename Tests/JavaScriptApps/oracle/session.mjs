// Reads what a recorder or a fork wrote: steps with their states.

/** A value with one part changed; all others are the very same. */
function changed(value, [key, ...rest], { op, value: news }) {
  if (key === undefined) return news;
  const copy = Array.isArray(value) ? value.slice() : { ...value };
  const at = Array.isArray(copy) ? (key === '-' ? copy.length : Number(key)) : key;
  if (rest.length) copy[at] = changed(copy[at], rest, { op, value: news });
  else if (op === 'remove') { if (Array.isArray(copy)) copy.splice(at, 1); else delete copy[at]; }
  else if (op === 'add' && Array.isArray(copy)) copy.splice(at, 0, news);
  else copy[at] = news;
  return copy;
}

const partsOf = (path) => path.split('/').slice(1)
  .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

const valueAt = (value, parts) => parts.reduce((each, part) => each[part], value);

/** A value with one operation of RFC 6902 applied. */
function patched(state, { op, path, from, value }) {
  if (op !== 'move' && op !== 'copy') return changed(state, partsOf(path), { op, value });
  const source = partsOf(from), moved = valueAt(state, source);
  const rest = op === 'move' ? changed(state, source, { op: 'remove' }) : state;
  return changed(rest, partsOf(path), { op: 'add', value: moved });
}

/** Steps by number, effects by number, and reads, of the text of a session. */
export function parsed(text) {
  const steps = [], effects = new Map(), reads = [];
  let state;
  for (const line of text.split('\n')) {
    if (!line) continue;
    const each = JSON.parse(line);
    if (each.retcon) state = each.state;
    else if (each.read !== undefined) reads.push(each);
    else if (each.effect !== undefined) {
      effects.set(each.effect, { ...effects.get(each.effect), [each.event]: each });
    } else if (each.step !== undefined) {
      if ('state' in each) state = each.state;
      else for (const part of each.patch ?? []) state = patched(state, part);
      const { step: number, patch: _, ...rest } = each;
      steps[number] = { number, ...rest, state };
    }
  }
  return { steps, effects, reads, last: Math.max(0, steps.length - 1) };
}

/** A date, set or map that a recorder of the world keeps, as other recorders write it. */
export function untyped(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(untyped);
  if ('retcon:Date' in value) return new Date(value['retcon:Date']).toISOString();
  const inner = value['retcon:Set'] ?? value['retcon:Map'];
  return inner !== undefined ? untyped(inner)
    : Object.fromEntries(Object.entries(value).map(([key, part]) => [key, untyped(part)]));
}

const ID = /^[\w-]{21}(?![\w-]{2})/;
const firstLine = (text) => text.split('\n')[0];

/**
 * Compares two runs. Random ids may be others, if they are others everywhere; of the stack of an
 * error the first line counts.
 */
export class Likeness {
  constructor(there = new Map(), back = new Map()) { Object.assign(this, { there, back }); }

  copy() { return new Likeness(new Map(this.there), new Map(this.back)); }

  /** The place of the first difference. */
  difference(one, other, place = '') {
    if (typeof one === 'string' && typeof other === 'string') {
      if (place.endsWith('/stack') && firstLine(one) === firstLine(other)) return undefined;
      return this.isText(one, other) ? undefined : place;
    }
    if (one === other) return undefined;
    const are = [one, other].every((each) => typeof each === 'object' && each !== null);
    if (!are || Array.isArray(one) !== Array.isArray(other)) return place || '/';
    const left = new Set(Object.keys(other));
    for (const key of Object.keys(one)) {
      const twin = this.twin(key, left);
      if (twin === undefined) return `${place}/${key}`;
      left.delete(twin);
      const found = this.difference(one[key], other[twin], `${place}/${key}`);
      if (found !== undefined) return found;
    }
    return left.size ? `${place}/${[...left][0]}` : undefined;
  }

  isText(one, other) {
    if (!ID.test(one) || !ID.test(other)) return one === other;
    const [a, b] = [one, other].map((each) => each.slice(0, 21));
    if (one.slice(21) !== other.slice(21)) return false;
    if (!this.there.has(a) && !this.back.has(b)) { this.there.set(a, b); this.back.set(b, a); }
    return this.there.get(a) === b && this.back.get(b) === a;
  }

  twin(key, left) {
    if (!ID.test(key)) return left.has(key) ? key : undefined;
    return [...left].find((each) => ID.test(each) && this.copy().isText(key, each));
  }
}
