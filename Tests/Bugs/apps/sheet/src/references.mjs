// References in formulas: which cells a formula reads, and how it follows what moves.
import { encloses, isOnSheet, rangeBetween, rangeOfCell } from './addresses.mjs';
import { treeOf } from './parser.mjs';
import { printFormula } from './printer.mjs';

const LOST = { type: 'error', code: '#REF!' };

/** Calls `visit` with each cell, range and name of a tree. */
export function eachReference(tree, visit) {
  switch (tree.type) {
    case 'cell': case 'range': case 'name': visit(tree); break;
    case 'group': eachReference(tree.inner, visit); break;
    case 'unary': case 'percent': eachReference(tree.operand, visit); break;
    case 'binary':
      eachReference(tree.left, visit);
      eachReference(tree.right, visit);
      break;
    case 'call':
      for (const part of tree.parts) eachReference(part, visit);
      break;
    default:
  }
}

/** The tree with other references; it is the same tree if none of them changes. */
function mapReferences(tree, change) {
  const inside = (key) => {
    const part = mapReferences(tree[key], change);
    return part === tree[key] ? tree : { ...tree, [key]: part };
  };
  switch (tree.type) {
    case 'cell': case 'range': case 'name': return change(tree);
    case 'group': return inside('inner');
    case 'unary': case 'percent': return inside('operand');
    case 'binary': {
      const left = mapReferences(tree.left, change);
      const right = mapReferences(tree.right, change);
      return left === tree.left && right === tree.right ? tree : { ...tree, left, right };
    }
    case 'call': {
      const parts = tree.parts.map((part) => mapReferences(part, change));
      return parts.every((part, at) => part === tree.parts[at]) ? tree : { ...tree, parts };
    }
    default: return tree;
  }
}

/** The formula with changed references; inputs that are no formulas stay as they are. */
export function rewritten(input, change) {
  const tree = treeOf(input);
  if (!tree) return input;
  const changed = mapReferences(tree, change);
  return changed === tree ? input : printFormula(changed);
}

// --- Copies: relative references move, fixed ones stay

const movedCorner = (corner, rows, columns) => ({
  ...corner,
  row: corner.isRowFixed ? corner.row : corner.row + rows,
  column: corner.isColumnFixed ? corner.column : corner.column + columns,
});

const isCornerOnSheet = ({ row, column }) => isOnSheet(row, column);

/** The input as a copy of it reads so many rows and columns away. */
export function copiedInput(input, rows, columns) {
  if (rows === 0 && columns === 0) return input;
  return rewritten(input, (reference) => {
    if (reference.type === 'cell') {
      const moved = movedCorner(reference, rows, columns);
      return isCornerOnSheet(moved) ? moved : LOST;
    }
    if (reference.type === 'range') {
      const from = movedCorner(reference.from, rows, columns);
      const to = movedCorner(reference.to, rows, columns);
      return isCornerOnSheet(from) && isCornerOnSheet(to) ? { ...reference, from, to } : LOST;
    }
    return reference;
  });
}

// --- Inserted and deleted rows and columns

/** Where a row or column goes when `count` are inserted at `at`. */
const insertedAt = (index, at, count) => (index >= at ? index + count : index);

/** Its new place when `count` are deleted; undefined if it is among them. */
function deletedAt(index, at, count) {
  if (index < at) return index;
  return index < at + count ? undefined : index - count;
}

/** Where a row or column goes by a change of the structure; undefined if it is gone. */
export function shiftedIndex(index, { kind, at, count }) {
  return kind === 'insert' ? insertedAt(index, at, count) : deletedAt(index, at, count);
}

/** The first and last row (or column) of a range after a change; undefined if all are gone. */
function shiftedSpan(first, last, shift) {
  if (shift.kind === 'insert') {
    return [insertedAt(first, shift.at, shift.count), insertedAt(last, shift.at, shift.count)];
  }
  const { at, count } = shift;
  const start = deletedAt(first, at, count) ?? at;
  const end = deletedAt(last, at, count) ?? at - 1;
  return start <= end ? [start, end] : undefined;
}

/** A range after rows or columns of its sheet moved. */
export function shiftedRange(range, shift) {
  const [low, high] = shift.axis === 'row' ? ['top', 'bottom'] : ['left', 'right'];
  const span = shiftedSpan(range[low], range[high], shift);
  return span && { ...range, [low]: span[0], [high]: span[1] };
}

/** The formula of a cell after rows or columns of the sheet named `name` moved. */
export function shiftedInput(input, shift, isOnMovedSheet) {
  return rewritten(input, (reference) => {
    if (reference.type === 'name' || !isOnMovedSheet(reference.sheet)) return reference;
    const { axis } = shift;
    if (reference.type === 'cell') {
      const index = shiftedIndex(reference[axis], shift);
      if (index === undefined) return LOST;
      return index === reference[axis] ? reference : { ...reference, [axis]: index };
    }
    const { from, to } = reference;
    const isUpward = from[axis] > to[axis];
    const [first, last] = isUpward ? [to, from] : [from, to];
    const span = shiftedSpan(first[axis], last[axis], shift);
    if (!span) return LOST;
    if (span[0] === first[axis] && span[1] === last[axis]) return reference;
    const ends = [{ ...first, [axis]: span[0] }, { ...last, [axis]: span[1] }];
    if (isUpward) ends.reverse();
    return { ...reference, from: ends[0], to: ends[1] };
  });
}

// --- Cut and paste: references follow the cells

const boundsOf = (reference) => (reference.type === 'cell'
  ? rangeOfCell(reference) : rangeBetween(reference.from, reference.to));

const offsetCorner = (corner, rows, columns) => ({
  ...corner, row: corner.row + rows, column: corner.column + columns,
});

/**
 * The formula after the cells of `source` moved. `isSource` says whether a sheet's name is that of
 * the source, and `sheet` is the name to write if the cells are on another sheet now.
 */
export function followedInput(input, { source, rows, columns, isSource, sheet }) {
  return rewritten(input, (reference) => {
    if (reference.type === 'name' || !isSource(reference.sheet)) return reference;
    if (!encloses(source, boundsOf(reference))) return reference;
    const place = { ...reference, sheet: sheet ?? reference.sheet };
    if (reference.type === 'cell') return offsetCorner(place, rows, columns);
    return {
      ...place,
      from: offsetCorner(reference.from, rows, columns),
      to: offsetCorner(reference.to, rows, columns),
    };
  });
}

/** The formula after a sheet got another name, or lost its sheet if that is undefined. */
export function renamedInput(input, before, after) {
  return rewritten(input, (reference) => {
    if (reference.sheet !== before) return reference;
    return after === undefined ? LOST : { ...reference, sheet: after };
  });
}

/** The formula as it reads on another sheet: references without a sheet get the name of theirs. */
export function qualifiedInput(input, name) {
  return rewritten(input, (reference) => {
    if (reference.type === 'name' || reference.sheet !== undefined) return reference;
    return { ...reference, sheet: name };
  });
}
