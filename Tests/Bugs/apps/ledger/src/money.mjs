// Amounts are whole numbers of the smallest unit: cents, or yen.
const DIGITS = { EUR: 2, USD: 2, GBP: 2, CHF: 2, SEK: 2, JPY: 0 };

export const BASE = 'EUR';
export const CURRENCIES = Object.keys(DIGITS);

export function digitsOf(currency) {
  return DIGITS[currency] ?? 2;
}

/** Rounds half away from zero, so that a refund is what the payment was. */
export function rounded(value) {
  return Math.sign(value) * Math.round(Math.abs(value)) || 0;
}

/** An amount of one currency in the base currency. A rate is base units for one unit. */
export function converted(amount, currency, rate) {
  if (currency === BASE) return amount;
  return rounded(amount * rate * 10 ** (digitsOf(BASE) - digitsOf(currency)));
}

/** The parts that lost most by rounding get the rest of a sum in single units. */
export function allocated(amount, weights) {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  if (whole === 0) return weights.map(() => 0);
  const exact = weights.map((weight) => (amount * weight) / whole);
  const parts = exact.map((value) => Math.trunc(value));
  let left = amount - parts.reduce((sum, part) => sum + part, 0);
  const order = exact
    .map((value, index) => ({ index, lost: Math.abs(value - Math.trunc(value)) }))
    .sort((one, other) => other.lost - one.lost || one.index - other.index);
  for (const { index } of order) {
    if (left === 0) break;
    parts[index] += Math.sign(left);
    left -= Math.sign(left);
  }
  return parts;
}

/** Reads amounts of people and banks: "1.234,56", "1,234.56", "-12", "(7.50)", "12,5-". */
export function parsedAmount(text, currency = BASE) {
  const trimmed = text.trim().replace(/\s|'/g, '');
  const match = /^(\()?([-+])?([\d.,]+)([-+])?(\))?$/.exec(trimmed);
  if (!match || !/\d/.test(match[3])) return undefined;
  const isNegative = Boolean(match[1]) || match[2] === '-' || match[4] === '-';
  const number = Number(normalized(match[3]));
  if (Number.isNaN(number)) return undefined;
  const amount = rounded(Number((number * 10 ** digitsOf(currency)).toFixed(4)));
  return isNegative ? -amount : amount;
}

/** The digits with a point for the fraction. Three digits after a single sign are thousands. */
function normalized(digits) {
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  if (last < 0) return digits;
  const after = digits.length - last - 1;
  const signs = digits.replace(/\d/g, '');
  const isFraction = after !== 3 || new Set(signs).size > 1;
  const whole = digits.slice(0, last).replace(/[.,]/g, '');
  return isFraction ? `${whole || 0}.${digits.slice(last + 1)}` : digits.replace(/[.,]/g, '');
}

export function formatted(amount, currency = BASE, { isSigned = false, hasUnit = false } = {}) {
  const digits = digitsOf(currency);
  const text = String(Math.abs(amount)).padStart(digits + 1, '0');
  const whole = digits ? text.slice(0, -digits) : text;
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ' ');
  const value = digits ? `${grouped}.${text.slice(-digits)}` : grouped;
  const sign = amount < 0 ? '−' : isSigned && amount > 0 ? '+' : '';
  return `${sign}${value}${hasUnit ? ` ${currency}` : ''}`;
}

export function sum(amounts) {
  return amounts.reduce((total, amount) => total + amount, 0);
}
