// Amounts of money are whole cents. Shares and rates are rounded once, at the end.

/** Half cents go away from zero. */
export const roundCents = (amount) => Math.sign(amount) * Math.round(Math.abs(amount));

/** Rates are thousandths of a percent: 19 % is 19000. */
const WHOLE = 100_000;

export const percentOf = (amount, percent) => roundCents(amount * percent / 100);

/** The tax on a net amount. */
export const taxOn = (net, rate) => roundCents(net * rate / WHOLE);

/** The tax that a gross amount holds. */
export const taxIn = (gross, rate) => gross - roundCents(gross * WHOLE / (WHOLE + rate));

/** The part of a total that the first `count` of `of` equal pieces have. */
export const shareOf = (total, count, of) => (of === 0 ? 0 : roundCents(total * count / of));

/**
 * Splits an amount by weights. The parts add up to the amount: the cents that rounding leaves go to
 * the largest remainders, and to the earlier ones of equals.
 */
export function allocate(amount, weights) {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (sum === 0) return weights.map(() => 0);
  const exact = weights.map((weight) => amount * weight / sum);
  const parts = exact.map(Math.floor);
  const left = amount - parts.reduce((total, part) => total + part, 0);
  const order = exact.map((share, at) => ({ at, rest: share - parts[at] }))
    .sort((one, other) => other.rest - one.rest || one.at - other.at);
  for (const { at } of order.slice(0, left)) parts[at]++;
  return parts;
}

export const sumOf = (items, amount) => items.reduce((total, item) => total + amount(item), 0);

const SIGNS = { EUR: '€', CHF: 'CHF', USD: '$' };

const grouped = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ',');

export function formatMoney(cents, currency = 'EUR') {
  const size = Math.abs(cents);
  const text = `${grouped(String(Math.floor(size / 100)))}.${String(size % 100).padStart(2, '0')}`;
  return `${cents < 0 ? '-' : ''}${SIGNS[currency]} ${text}`;
}

/** The cents of `12`, `12.5` or `1,299.00`; undefined for other texts. */
export function parseMoney(text) {
  const found = /^\s*(-?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?\s*$/.exec(text);
  if (!found) return undefined;
  const [, sign, whole, fraction = ''] = found;
  const cents = Number(whole.replaceAll(',', '')) * 100 + Number(fraction.padEnd(2, '0'));
  return sign ? -cents : cents;
}

/** Prices that are made by a percentage end in 90 cents, as those on the shelf do. */
export const shelfPrice = (cents) => Math.max(90, Math.round((cents - 90) / 100) * 100 + 90);
