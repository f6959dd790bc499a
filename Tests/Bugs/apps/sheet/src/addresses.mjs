// Addresses of cells: rows and columns count from 0 inside, and read `B3` outside.

export const MAX_ROWS = 2000;
export const MAX_COLUMNS = 260;

const LETTERS = 26;
const FIRST_LETTER = 'A'.charCodeAt(0);

export function columnName(index) {
  let name = '';
  for (let left = index + 1; left > 0; left = Math.floor((left - 1) / LETTERS)) {
    name = String.fromCharCode(FIRST_LETTER + (left - 1) % LETTERS) + name;
  }
  return name;
}

export function columnIndex(name) {
  let index = 0;
  for (const letter of name.toUpperCase()) {
    index = index * LETTERS + letter.charCodeAt(0) - FIRST_LETTER + 1;
  }
  return index - 1;
}

export const cellKey = (row, column) => `${columnName(column)}${row + 1}`;

const parsed = new Map();

/** The row and the column of a key such as `B3`; undefined for other texts. */
export function parseKey(key) {
  if (!parsed.has(key)) {
    const found = /^([A-Z]{1,3})([1-9]\d{0,4})$/i.exec(key);
    parsed.set(key, found && { row: Number(found[2]) - 1, column: columnIndex(found[1]) });
  }
  return parsed.get(key) ?? undefined;
}

export const isOnSheet = (row, column) => (
  row >= 0 && column >= 0 && row < MAX_ROWS && column < MAX_COLUMNS);

/** The range between two corners, whichever they are. */
export const rangeBetween = (one, other) => ({
  top: Math.min(one.row, other.row),
  left: Math.min(one.column, other.column),
  bottom: Math.max(one.row, other.row),
  right: Math.max(one.column, other.column),
});

export const rangeOfCell = ({ row, column }) => ({
  top: row, left: column, bottom: row, right: column,
});

export const heightOf = (range) => range.bottom - range.top + 1;
export const widthOf = (range) => range.right - range.left + 1;

export const contains = (range, row, column) => (
  row >= range.top && row <= range.bottom && column >= range.left && column <= range.right);

export const encloses = (outer, inner) => (
  contains(outer, inner.top, inner.left) && contains(outer, inner.bottom, inner.right));

export function intersection(one, other) {
  const common = {
    top: Math.max(one.top, other.top),
    left: Math.max(one.left, other.left),
    bottom: Math.min(one.bottom, other.bottom),
    right: Math.min(one.right, other.right),
  };
  return common.top <= common.bottom && common.left <= common.right ? common : undefined;
}

export const movedRange = (range, rows, columns) => ({
  top: range.top + rows,
  left: range.left + columns,
  bottom: range.bottom + rows,
  right: range.right + columns,
});

export const sizedRange = (top, left, height, width) => ({
  top, left, bottom: top + height - 1, right: left + width - 1,
});

/** Yields the positions of a range row by row. */
export function* positions(range) {
  for (let row = range.top; row <= range.bottom; row++) {
    for (let column = range.left; column <= range.right; column++) yield { row, column };
  }
}

export function rangeKey(range) {
  const first = cellKey(range.top, range.left);
  const last = cellKey(range.bottom, range.right);
  return first === last ? first : `${first}:${last}`;
}

const ranges = new Map();

export function parseRange(text) {
  if (!ranges.has(text)) {
    const [first, last = first] = text.split(':').map(parseKey);
    ranges.set(text, first && last ? rangeBetween(first, last) : undefined);
  }
  return ranges.get(text);
}

/** The key of a cell in the whole workbook: the sheet's id and the cell's key. */
export const placeOf = (sheet, key) => `${sheet}!${key}`;

export function splitPlace(place) {
  const at = place.indexOf('!');
  return { sheet: place.slice(0, at), key: place.slice(at + 1) };
}
