// The arguments of a function of the sheet: they are evaluated when it asks for them.
import { Failure, checked, isMatrix, toBoolean, toNumber, toText } from '../values.mjs';

export class Given {
  constructor(parts, scope) {
    this.parts = parts;
    this.scope = scope;
  }

  get count() {
    return this.parts.length;
  }

  has(at) {
    return at < this.parts.length;
  }

  value(at) {
    return this.scope.scalar(this.parts[at]);
  }

  /** A value as it is, with an error as a value. */
  attempt(at) {
    try {
      return this.value(at);
    } catch (error) {
      if (error instanceof Failure) return { error: error.code };
      throw error;
    }
  }

  number(at, otherwise) {
    return this.has(at) ? toNumber(this.value(at)) : otherwise;
  }

  text(at, otherwise) {
    return this.has(at) ? toText(this.value(at)) : otherwise;
  }

  boolean(at, otherwise) {
    return this.has(at) ? toBoolean(this.value(at)) : otherwise;
  }

  whole(at, otherwise) {
    return Math.trunc(this.number(at, otherwise));
  }

  /** The rows of a range; a single value is a range of one cell. */
  rows(at) {
    const value = this.scope.value(this.parts[at]);
    return isMatrix(value) ? value.rows : [[value]];
  }

  /** The values of one part in one list. */
  list(at) {
    return this.rows(at).flat();
  }

  /** The values of all parts from one on. */
  all(from = 0) {
    const values = [];
    for (let at = from; at < this.count; at++) values.push(...this.list(at));
    return values;
  }

  /** All numbers of the parts: texts, booleans and blanks in ranges do not count. */
  numbers(from = 0) {
    return this.all(from).map(checked).filter((value) => typeof value === 'number');
  }

  /** Where the reference of a part is. */
  target(at) {
    const target = this.scope.target(this.parts[at]);
    if (!target) throw new Failure('#VALUE!');
    return target;
  }
}

/** An entry of the table of functions. */
export const takes = (least, most, apply) => ({ least, most, apply });

export const MANY = 255;
