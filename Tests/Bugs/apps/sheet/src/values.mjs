// Values of cells: numbers, texts, booleans, `null` for a blank, `{ error }` for a failure.
import { parseDate } from './calendar.mjs';

/** A failure inside a formula: what the cell shows is the code, such as `#DIV/0!`. */
export class Failure extends Error {
  constructor(code) {
    super(code);
    this.code = code;
  }
}

export const isError = (value) => value !== null && typeof value === 'object' && 'error' in value;
export const isMatrix = (value) => value !== null && typeof value === 'object' && 'rows' in value;
export const isBlank = (value) => value === null || value === undefined || value === '';

/** The value, unless it is an error: an error goes on to whatever reads it. */
export function checked(value) {
  if (isError(value)) throw new Failure(value.error);
  return value;
}

export function toNumber(value) {
  checked(value);
  if (value === null) return 0;
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const text = value.trim();
  const number = text === '' ? NaN : Number(text);
  if (!Number.isNaN(number)) return number;
  const date = parseDate(text);
  if (date === undefined) throw new Failure('#VALUE!');
  return date;
}

/** Numbers in texts have no trailing noise of binary fractions. */
export const numberText = (number) => String(Number(number.toPrecision(15)));

export function toText(value) {
  checked(value);
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return typeof value === 'number' ? numberText(value) : value;
}

export function toBoolean(value) {
  checked(value);
  if (value === null) return false;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value !== 0;
  if (/^true$/i.test(value)) return true;
  if (/^false$/i.test(value)) return false;
  throw new Failure('#VALUE!');
}

function rankOf(value) {
  if (typeof value === 'number') return 0;
  if (typeof value === 'string') return 1;
  if (typeof value === 'boolean') return 2;
  return isError(value) ? 3 : 4;
}

/** The order of a sort: numbers, texts without their case, booleans, errors, blanks. */
export function compareValues(one, other) {
  const byKind = rankOf(one) - rankOf(other);
  if (byKind !== 0 || one === null) return byKind;
  if (typeof one === 'number') return one - other;
  const [first, second] = [one, other].map((each) => (
    isError(each) ? each.error : String(each).toLowerCase()));
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

const emptyLike = (value) => ({ number: 0, string: '', boolean: false })[typeof value] ?? null;

/** As `=` and `<` compare: a blank is like the empty value of the other side. */
export function compareOperands(one, other) {
  return compareValues(
    one === null ? emptyLike(other) : one, other === null ? emptyLike(one) : other);
}

export function sameValue(one, other) {
  return one === other || (isError(one) && isError(other) && one.error === other.error);
}
