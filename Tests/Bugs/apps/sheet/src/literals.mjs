// The meaning of a typed text: a number, a percentage, money, a date, a boolean, a text.
import { parseDate } from './calendar.mjs';

const SIGNED_NUMBER = /^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const CURRENCIES = [
  [/^€\s*(.+)$|^(.+?)\s*€$/, '#,##0.00 €'],
  [/^\$\s*(.+)$/, '$#,##0.00'],
  [/^£\s*(.+)$/, '£#,##0.00'],
];

function plainNumber(text) {
  if (!/\d/.test(text) || !SIGNED_NUMBER.test(text)) return undefined;
  return Number(text.replaceAll(',', ''));
}

function percentage(text) {
  const found = /^(.+?)\s*%$/.exec(text);
  const number = found && plainNumber(found[1]);
  if (number === undefined || number === null) return undefined;
  const places = /\.(\d+)/.exec(found[1])?.[1].length ?? 0;
  return {
    value: Number((number / 100).toPrecision(15)),
    format: places ? `0.${'0'.repeat(places)}%` : '0%',
  };
}

function money(text) {
  const isNegative = text.startsWith('-');
  const amount = isNegative ? text.slice(1).trim() : text;
  for (const [pattern, format] of CURRENCIES) {
    const found = pattern.exec(amount);
    const number = found && plainNumber(found[1] ?? found[2]);
    if (typeof number === 'number') return { value: isNegative ? -number : number, format };
  }
  return undefined;
}

/** The value of a typed text, and the format that it asks for. A leading `'` keeps it a text. */
export function literal(typed) {
  if (typed.startsWith("'")) return { value: typed, format: '@' };
  const text = typed.trim();
  const number = plainNumber(text);
  if (number !== undefined) {
    return { value: number, format: text.includes(',') ? '#,##0' : undefined };
  }
  if (/^(true|false)$/i.test(text)) return { value: text.toLowerCase() === 'true' };
  const date = parseDate(text);
  if (date !== undefined) return { value: date, format: 'yyyy-mm-dd' };
  return percentage(text) ?? money(text) ?? { value: typed };
}

/** The value of a cell's input without a formula. */
export const literalValue = (input) => (
  typeof input === 'string' && input.startsWith("'") ? input.slice(1) : input);

/** The editor's text for an input, so that typing it again gives the same. */
export function literalText(value) {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return String(value);
}
