// A value as Retcon writes it: a list, an object, or the JSON text of anything else. So numbers
// keep all their digits. Retcon compares and names what changed; the page puts it in its place.

const isBranching = (value) => typeof value === 'object' && value !== null;
const sizeOf = (value) => Object.keys(value).length;
const part = (value, key) =>
  isBranching(value) && Object.hasOwn(value, key) && key !== 'length' ? value[key] : undefined;

const tokens = (pointer) =>
  pointer.split('/').slice(1).map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
const pointer = (path) =>
  path.map((key) => '/' + key.replaceAll('~', '~0').replaceAll('/', '~1')).join('');
const at = (value, path) => path.reduce(part, value);

const clipped = (text, limit) =>
  text.length > limit ? text.slice(0, limit).replace(/[\ud800-\udbff]$/, '') + '…' : text;

/** A value in about so many characters, for people: keys stand without quotes. */
function brief(value, limit) {
  let text = '';
  const write = (value) => {
    if (!isBranching(value)) {
      // Without its last digits a number is another one.
      const isCut = !value.startsWith('"') && text.length + value.length > limit;
      text += isCut ? '…' : value.slice(0, limit + 1);
      return;
    }
    const isList = Array.isArray(value);
    text += isList ? '[' : '{';
    let comma = '';
    for (const [key, inner] of isList ? value.entries() : Object.entries(value)) {
      text += comma + (isList ? '' : key + ': ');
      write(inner);
      if (text.length > limit) return;
      comma = ', ';
    }
    text += isList ? ']' : '}';
  };
  write(value ?? 'nothing');
  return clipped(text, limit);
}

function json(value) {
  if (Array.isArray(value)) return '[' + value.map(json).join(',') + ']';
  if (!isBranching(value)) return value ?? 'nothing';
  const member = ([key, inner]) => JSON.stringify(key) + ':' + json(inner);
  return '{' + Object.entries(value).map(member).join(',') + '}';
}

/** A copy with another part on a path. What is beside the path is the same object. */
function edited(value, [key, ...rest], change) {
  const copy = Array.isArray(value) ? value.slice() : { ...value };
  if (rest.length) put(copy, key, edited(part(value, key), rest, change)); else change(copy, key);
  return copy;
}

// Assigning to `__proto__` would be something else.
const put = (object, key, value) => Object.defineProperty(
  object, key, { value, writable: true, enumerable: true, configurable: true });

/** The state after a change: a sign and a place, and the new value, or the place it moved from. */
function changed(state, [name, value]) {
  const [sign] = name, path = tokens(name.slice(1));
  if (sign === '^') {
    return changed(changed(state, ['-' + value]), ['+' + name.slice(1), at(state, tokens(value))]);
  }
  if (!path.length) return value;
  return edited(state, path, (copy, key) => {
    if (Array.isArray(copy)) copy.splice(key, sign === '+' ? 0 : 1, ...sign === '-' ? [] : [value]);
    else if (sign === '-') delete copy[key];
    else put(copy, key, value);
  });
}

const starts = (long, short) => short.every((key, n) => long[n] === key);

/** Where the value at a path was before changes; null if they set it, or a part of it. */
function before(path, changes, isList) {
  for (const [name, from] of changes.toReversed()) {
    const [sign] = name, place = tokens(name.slice(1)), last = place.length - 1;
    if (sign === '^' && starts(path, place)) {
      path = [...tokens(from), ...path.slice(place.length)];
      continue;
    }
    const isBeside = (place) =>
      place.length > 0 && path.length >= place.length && starts(path, place.slice(0, -1))
      && isList(place.slice(0, -1));
    const shift = (by) => { path = path.with(last, String(+path[last] + by)); };
    if ('+^'.includes(sign) && isBeside(place) && +path[last] > +place[last]) shift(-1);
    else if (sign !== '-' && (starts(path, place) || starts(place, path))) return null;
    const gone = { '-': place, '^': sign === '^' && tokens(from) }[sign];
    if (gone && isBeside(gone) && +path[last] >= +gone[last]) shift(1);
    else if (sign === '-' && starts(place, path)) return null;
  }
  return path;
}
