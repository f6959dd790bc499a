// Conditions as people write them: `>100`, `<>paid`, `rent*`, `2026-03-01`.
import { parseDate } from './calendar.mjs';
import { compareValues, isBlank, isError } from './values.mjs';

const SIGNS = /^(<=|>=|<>|=|<|>)?(.*)$/s;

const tests = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '>': (order) => order > 0,
  '<=': (order) => order <= 0,
  '>=': (order) => order >= 0,
};

function operandOf(text) {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (!Number.isNaN(Number(trimmed))) return Number(trimmed);
  if (/^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true';
  return parseDate(trimmed) ?? trimmed;
}

function wildcard(text) {
  const pattern = text.replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*').replaceAll('?', '.');
  return new RegExp(`^${pattern}$`, 'is');
}

/** A function that says whether a value meets the condition. */
export function criterion(condition) {
  if (typeof condition !== 'string') return (value) => compareValues(value, condition) === 0;
  const [, sign = '=', rest] = SIGNS.exec(condition);
  const operand = operandOf(rest);
  if (operand === null) {
    return sign === '<>' ? (value) => !isBlank(value) : (value) => isBlank(value);
  }
  if (typeof operand === 'string' && /[*?]/.test(operand)) {
    const pattern = wildcard(operand);
    const isMatch = (value) => typeof value === 'string' && pattern.test(value);
    return sign === '<>' ? (value) => !isMatch(value) : isMatch;
  }
  const test = tests[sign];
  return (value) => {
    if (isError(value)) return false;
    if (typeof value !== typeof operand) return sign === '<>';
    return test(compareValues(value, operand));
  };
}
