// Tax by region and class of goods.
import { allocate, sumOf, taxIn, taxOn } from './money.mjs';
import { put, refused } from './tables.mjs';

/** The region whose tax counts for an address: the state in the USA, the country elsewhere. */
export const regionOf = (address) => (
  address.country === 'US' ? `US-${address.state}` : address.country);

const untaxed = { isInclusive: false, rates: {}, rounding: 'line', shipping: 'none' };

export const taxRules = (state, region) => state.taxRegions[region] ?? untaxed;

const rateOf = (rules, taxClass) => rules.rates[taxClass] ?? 0;

/** The tax of one amount, and what the customer pays for it. */
function taxed(amount, rate, { isInclusive }, isFree) {
  if (isInclusive) {
    const tax = taxIn(amount, rate);
    return isFree ? { net: amount - tax, tax: 0 } : { net: amount - tax, tax };
  }
  return { net: amount, tax: isFree ? 0 : taxOn(amount, rate) };
}

/** The tax of all lines of a rate together, split among them. */
function taxedTogether(items, rules, isFree) {
  const rates = [...new Set(items.map(({ rate }) => rate))];
  const byItem = new Map();
  for (const rate of rates) {
    const group = items.filter((item) => item.rate === rate);
    const whole = taxed(sumOf(group, ({ amount }) => amount), rate, rules, isFree);
    const taxes = allocate(whole.tax, group.map(({ amount }) => amount));
    for (const [at, item] of group.entries()) {
      const net = rules.isInclusive ? item.amount - taxes[at] : item.amount;
      byItem.set(item, { net, tax: taxes[at] });
    }
  }
  return items.map((item) => byItem.get(item));
}

/** Shipping has the standard rate, that of the goods in their shares, or none. */
function shippingTax(amount, items, rules, isFree) {
  if (amount === 0 || rules.shipping === 'none') return { net: amount, tax: 0 };
  if (rules.shipping === 'standard') return taxed(amount, rateOf(rules, 'standard'), rules, isFree);
  const shares = allocate(amount, items.map((item) => item.amount));
  const parts = shares.map((share, at) => taxed(share, items[at].rate, rules, isFree));
  return { net: sumOf(parts, ({ net }) => net), tax: sumOf(parts, ({ tax }) => tax) };
}

/** The taxes of the lines and of shipping. Lines are `{ amount, taxClass }`. */
export function taxesOf(rules, lines, shipping, isFree) {
  const items = lines.map(({ amount, taxClass }) => ({ amount, rate: rateOf(rules, taxClass) }));
  const taxes = rules.rounding === 'order' && !isFree
    ? taxedTogether(items, rules, isFree)
    : items.map(({ amount, rate }) => taxed(amount, rate, rules, isFree));
  return {
    lines: taxes.map((each, at) => ({ ...each, rate: items[at].rate })),
    shipping: shippingTax(shipping, items, rules, isFree),
  };
}

function written(state, { region, rules }) {
  const rates = Object.values(rules.rates);
  if (rates.some((rate) => !Number.isInteger(rate) || rate < 0 || rate >= 100_000)) {
    return refused(state, 'A rate is a number of thousandths of a percent.');
  }
  return { ...state, taxRegions: put(state.taxRegions, region, rules) };
}

export const taxActions = {
  'tax/written': written,
};
