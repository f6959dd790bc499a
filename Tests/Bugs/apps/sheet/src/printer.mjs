// Writes the tree of a formula as text.
import { columnName } from './addresses.mjs';
import { numberText } from './values.mjs';

export function sheetPrefix(name) {
  if (name === undefined) return '';
  const isPlain = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
  return isPlain ? `${name}!` : `'${name.replaceAll("'", "''")}'!`;
}

const cornerText = ({ row, column, isRowFixed, isColumnFixed }) => (
  `${isColumnFixed ? '$' : ''}${columnName(column)}${isRowFixed ? '$' : ''}${row + 1}`);

const writers = {
  number: ({ value }) => numberText(value),
  text: ({ value }) => `"${value.replaceAll('"', '""')}"`,
  boolean: ({ value }) => (value ? 'TRUE' : 'FALSE'),
  error: ({ code }) => code,
  name: ({ name }) => name,
  cell: (tree) => sheetPrefix(tree.sheet) + cornerText(tree),
  range: ({ sheet, from, to }) => `${sheetPrefix(sheet)}${cornerText(from)}:${cornerText(to)}`,
  group: ({ inner }) => `(${textOf(inner)})`,
  unary: ({ operator, operand }) => operator + textOf(operand),
  percent: ({ operand }) => `${textOf(operand)}%`,
  binary: ({ operator, left, right }) => textOf(left) + operator + textOf(right),
  call: ({ name, parts }) => `${name}(${parts.map(textOf).join(',')})`,
};

function textOf(tree) {
  return writers[tree.type](tree);
}

export const printFormula = (tree) => `=${textOf(tree)}`;
