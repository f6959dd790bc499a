// Highlights: styles that cells get by their values.
import { contains, positions, cellKey } from './addresses.mjs';
import { selectedRange, updateSheet, valueAt, withItem, withoutItem } from './current.mjs';
import { criterion } from './criteria.mjs';
import { isBlank } from './values.mjs';

function numbersOf(state, sheet, range) {
  return [...positions(range)].map(({ row, column }) => (
    valueAt(state, sheet.id, cellKey(row, column))))
    .filter((value) => typeof value === 'number');
}

/** A tint between two colours by the place of a value between the least and the greatest. */
function scaleStyle({ colors: [low, high] }, value, numbers) {
  const [least, greatest] = [Math.min(...numbers), Math.max(...numbers)];
  const share = greatest === least ? 1 : (value - least) / (greatest - least);
  const mixed = low.map((part, at) => Math.round(part + (high[at] - part) * share));
  return { fill: `rgb(${mixed.join(',')})` };
}

const repeated = (values, value) => values.filter((each) => each === value).length > 1;

/** The style that a highlight gives to a value, or undefined. */
const kinds = {
  meets: (highlight, value) => (
    !isBlank(value) && criterion(highlight.condition)(value) ? highlight.style : undefined),
  repeats: (highlight, value, state, sheet) => {
    if (isBlank(value)) return undefined;
    const values = [...positions(highlight.range)].map(({ row, column }) => (
      valueAt(state, sheet.id, cellKey(row, column))));
    return repeated(values, value) ? highlight.style : undefined;
  },
  above: (highlight, value, state, sheet) => {
    const numbers = numbersOf(state, sheet, highlight.range);
    const mean = numbers.reduce((total, number) => total + number, 0) / numbers.length;
    return typeof value === 'number' && value > mean ? highlight.style : undefined;
  },
  scale: (highlight, value, state, sheet) => (typeof value === 'number'
    ? scaleStyle(highlight, value, numbersOf(state, sheet, highlight.range)) : undefined),
};

/** The style of a cell with the highlights that reach it: the first one wins, part by part. */
export function highlightStyle(state, sheet, row, column) {
  const value = valueAt(state, sheet.id, cellKey(row, column));
  const styles = sheet.highlights.filter(({ range }) => contains(range, row, column))
    .map((highlight) => kinds[highlight.kind](highlight, value, state, sheet));
  return Object.assign({}, ...styles.reverse());
}

function raised(state, { id }) {
  return updateSheet(state, (sheet) => {
    const at = sheet.highlights.findIndex((highlight) => highlight.id === id);
    if (at < 1) return sheet;
    const highlights = [...sheet.highlights];
    highlights.splice(at - 1, 0, ...highlights.splice(at, 1));
    return { ...sheet, highlights };
  });
}

export const highlightActions = {
  'highlight/added': (state, { highlight }) => (kinds[highlight.kind]
    ? withItem(state, 'highlights', 'h', { range: selectedRange(state), ...highlight }) : state),
  'highlight/removed': (state, { id }) => withoutItem(state, 'highlights', id),
  'highlight/raised': raised,
};
