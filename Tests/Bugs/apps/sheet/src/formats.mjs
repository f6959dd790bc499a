// How values look: number formats such as `0.00`, `#,##0.00 €`, `0.0%`, `yyyy-mm-dd`, and `@`.
import { formatDate } from './calendar.mjs';
import { rounded } from './functions/math.mjs';
import { isError, numberText } from './values.mjs';

const DATE_PARTS = /yyyy|mmm?m?|dddd?/;
const DIGITS = /[#0][#0,]*(?:\.(0+))?/;

const grouped = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ',');

function parsedFormat(format) {
  const found = DIGITS.exec(format);
  if (!found) return undefined;
  return {
    before: format.slice(0, found.index),
    after: format.slice(found.index + found[0].length),
    places: found[1]?.length ?? 0,
    isGrouped: found[0].includes(','),
    isPercent: format.includes('%'),
  };
}

function formattedNumber(number, format) {
  const parts = parsedFormat(format);
  if (!parts) return numberText(number);
  const shown = rounded(parts.isPercent ? number * 100 : number, parts.places);
  const [whole, fraction] = Math.abs(shown).toFixed(parts.places).split('.');
  const digits = parts.isGrouped ? grouped(whole) : whole;
  const sign = shown < 0 ? '-' : '';
  return sign + parts.before + digits + (fraction ? `.${fraction}` : '') + parts.after;
}

/** Numbers without a format have at most ten digits. */
const general = (number) => (
  Math.abs(number) >= 1e11 ? number.toExponential(4) : String(Number(number.toPrecision(10))));

/** The text that a cell with this value and this format shows. */
export function formatted(value, format = 'general') {
  if (value === null || value === undefined) return '';
  if (isError(value)) return value.error;
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'string' || format === '@') return String(value);
  if (format === 'general') return general(value);
  return DATE_PARTS.test(format) ? formatDate(value, format) : formattedNumber(value, format);
}

export const isDateFormat = (format) => format !== undefined && DATE_PARTS.test(format);

/** The format with more or fewer decimal places. */
export function withPlaces(format, change) {
  const base = format === undefined || format === 'general' ? '0' : format;
  const parts = parsedFormat(base);
  if (!parts || isDateFormat(base)) return base;
  const places = Math.max(0, Math.min(10, parts.places + change));
  const whole = parts.isGrouped ? '#,##0' : '0';
  return parts.before + whole + (places ? `.${'0'.repeat(places)}` : '') + parts.after;
}

/** Left for texts, right for numbers, in the middle for the rest, unless the user chose. */
export function alignmentOf(value, style) {
  if (style?.align) return style.align;
  if (typeof value === 'number') return 'right';
  return typeof value === 'string' ? 'left' : 'center';
}
