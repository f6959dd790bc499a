// Rules for what may be typed into cells.
import { contains, parseKey, rangeKey } from './addresses.mjs';
import { formatDate } from './calendar.mjs';
import { selectedRange, valueAt, withItem, withoutItem } from './current.mjs';
import { literalValue } from './literals.mjs';
import { isFormula } from './parser.mjs';
import { isBlank } from './values.mjs';

const between = (value, { least, most }) => (
  typeof value === 'number' && (least === undefined || value >= least)
    && (most === undefined || value <= most));

function bounds({ least, most }, shown) {
  if (least === undefined) return `at most ${shown(most)}`;
  return most === undefined ? `at least ${shown(least)}` : `${shown(least)} to ${shown(most)}`;
}

/** How each kind of rule tests a value, and what it asks for. */
const kinds = {
  list: {
    allows: (value, { options }) => options.some((option) => (
      String(option).toLowerCase() === String(value).toLowerCase())),
    asksFor: ({ options }) => `one of ${options.join(', ')}`,
  },
  number: {
    allows: between,
    asksFor: (rule) => `a number, ${bounds(rule, String)}`,
  },
  date: {
    allows: between,
    asksFor: (rule) => `a date, ${bounds(rule, (serial) => formatDate(serial))}`,
  },
  text: {
    allows: (value, { most }) => String(value).length <= most,
    asksFor: ({ most }) => `a text of at most ${most} characters`,
  },
};

const allows = (rule, value) => isBlank(value) || kinds[rule.kind].allows(value, rule);

const ruleAt = (sheet, row, column) => (
  sheet.rules.findLast(({ range }) => contains(range, row, column)));

/** The message to the user if a cell may not hold an input; formulas always pass. */
export function rejection(sheet, row, column, input) {
  const rule = ruleAt(sheet, row, column);
  if (!rule || rule.isWarning || isFormula(input)) return undefined;
  if (allows(rule, literalValue(input))) return undefined;
  return `This cell takes ${kinds[rule.kind].asksFor(rule)}.`;
}

const isIn = ({ range }, key) => {
  const cell = parseKey(key);
  return contains(range, cell.row, cell.column);
};

/** The cells whose values break the rules of their sheet, as “circle invalid data” marks them. */
export function invalidCells(state, sheet) {
  return Object.keys(state.values[sheet.id] ?? {}).filter((key) => {
    const value = valueAt(state, sheet.id, key);
    return sheet.rules.some((rule) => isIn(rule, key) && !allows(rule, value));
  }).sort();
}

export const validationActions = {
  'rule/added': (state, { rule }) => (
    kinds[rule.kind] ? withItem(state, 'rules', 'r', { range: selectedRange(state), ...rule })
      : state),
  'rule/removed': (state, { id }) => withoutItem(state, 'rules', id),
};

export const ruleTitle = (rule) => `${rangeKey(rule.range)}: ${kinds[rule.kind].asksFor(rule)}`;
