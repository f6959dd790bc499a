// Evaluates the tree of a formula.
import { contains, heightOf, rangeBetween, widthOf } from './addresses.mjs';
import { functions } from './functions/all.mjs';
import { Given } from './functions/given.mjs';
import {
  Failure, checked, compareOperands, isMatrix, toNumber, toText,
} from './values.mjs';

const arithmetic = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => {
    if (right === 0) throw new Failure('#DIV/0!');
    return left / right;
  },
  '^': (left, right) => left ** right,
};

const comparisons = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '>': (order) => order > 0,
  '<=': (order) => order <= 0,
  '>=': (order) => order >= 0,
};

function finite(number) {
  if (!Number.isFinite(number)) throw new Failure('#NUM!');
  return number;
}

/** The surroundings of a formula: its cell, and a reader of the cells of the workbook. */
class Scope {
  constructor(reader, sheet, row, column) {
    this.reader = reader;
    this.sheet = sheet;
    this.row = row;
    this.column = column;
  }

  get today() {
    return this.reader.today;
  }

  sheetOf(tree) {
    if (tree.sheet === undefined) return this.sheet;
    const sheet = this.reader.sheetNamed(tree.sheet);
    if (sheet === undefined) throw new Failure('#REF!');
    return sheet;
  }

  /** The sheet and the range that a reference or a name means; undefined for other trees. */
  target(tree) {
    switch (tree.type) {
      case 'cell': return { sheet: this.sheetOf(tree), range: rangeBetween(tree, tree) };
      case 'range': return { sheet: this.sheetOf(tree), range: rangeBetween(tree.from, tree.to) };
      case 'group': return this.target(tree.inner);
      case 'name': {
        const named = this.reader.named(tree.name);
        if (!named) throw new Failure('#NAME?');
        return named;
      }
      default: return undefined;
    }
  }

  matrixOf({ sheet, range }) {
    const rows = Array.from({ length: heightOf(range) }, (_, row) => (
      Array.from({ length: widthOf(range) }, (__, column) => (
        this.reader.value(sheet, range.top + row, range.left + column)))));
    return { rows };
  }

  /** The value of a tree; a range with several cells is a matrix. */
  value(tree) {
    switch (tree.type) {
      case 'number': case 'text': case 'boolean': return tree.value;
      case 'error': throw new Failure(tree.code);
      case 'group': return this.value(tree.inner);
      case 'unary': {
        const number = toNumber(this.scalar(tree.operand));
        return tree.operator === '-' ? -number : number;
      }
      case 'percent': return toNumber(this.scalar(tree.operand)) / 100;
      case 'binary': return this.binary(tree);
      case 'call': return this.call(tree);
      default: return this.referenced(tree);
    }
  }

  referenced(tree) {
    const target = this.target(tree);
    const { range } = target;
    return heightOf(range) === 1 && widthOf(range) === 1
      ? this.reader.value(target.sheet, range.top, range.left) : this.matrixOf(target);
  }

  /** One value: of a range, the cell in the row or the column of the formula. */
  scalar(tree) {
    const value = this.value(tree);
    if (!isMatrix(value)) return checked(value);
    const target = this.target(tree);
    if (!target) return checked(value.rows[0][0]);
    const { top, left } = target.range;
    const isColumn = value.rows[0].length === 1;
    if (isColumn && contains(target.range, this.row, left)) {
      return checked(value.rows[this.row - top][0]);
    }
    if (value.rows.length === 1 && contains(target.range, top, this.column)) {
      return checked(value.rows[0][this.column - left]);
    }
    throw new Failure('#VALUE!');
  }

  binary({ operator, left, right }) {
    const first = this.scalar(left);
    const second = this.scalar(right);
    if (operator === '&') return toText(first) + toText(second);
    if (comparisons[operator]) return comparisons[operator](compareOperands(first, second));
    return finite(arithmetic[operator](toNumber(first), toNumber(second)));
  }

  call({ name, parts }) {
    const known = functions[name];
    if (!known) throw new Failure('#NAME?');
    if (parts.length < known.least || parts.length > known.most) throw new Failure('#VALUE!');
    const value = known.apply(new Given(parts, this));
    return typeof value === 'number' ? finite(value) : value;
  }
}

/** The value that a cell shows: errors are values, too, and a blank result is 0. */
export function evaluate(tree, reader, sheet, row, column) {
  try {
    return new Scope(reader, sheet, row, column).scalar(tree) ?? 0;
  } catch (error) {
    if (error instanceof Failure) return { error: error.code };
    throw error;
  }
}
