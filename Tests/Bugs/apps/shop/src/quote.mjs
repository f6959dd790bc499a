// The total of a cart: prices, discounts, shipping, tax, and payments by gift cards and points.
import { addressOf, isExempt } from './customers.mjs';
import { bestDiscounts } from './discounts.mjs';
import { cardsFor } from './giftCards.mjs';
import { spendable } from './loyalty.mjs';
import { sumOf } from './money.mjs';
import { priceOf } from './prices.mjs';
import { candidatesFor } from './promotions.mjs';
import { offersFor } from './shipping.mjs';
import { regionOf, taxRules, taxesOf } from './tax.mjs';
import { productOf, titleOf } from './catalogue.mjs';

const HOME = 'DE';

export const addressOfCart = (state, cart) => (
  addressOf(state.customers[cart.customer], cart.address ?? undefined));

const pricedLines = (state, cart, customer) => cart.lines.map((line) => {
  const { unit, reason } = priceOf(state, line.variant, customer?.group ?? null);
  return { ...line, unit, reason, title: titleOf(state, line.variant) };
});

export const weightOf = (state, lines) => sumOf(lines, ({ variant, quantity }) => (
  state.variants[variant].weight * quantity));

function shippingOf(state, cart, address, lines) {
  if (!address || lines.length === 0) return { id: null, price: 0 };
  const value = sumOf(lines, ({ unit, quantity }) => unit * quantity);
  const offers = offersFor(state, address, weightOf(state, lines), value);
  return offers.find(({ id }) => id === cart.method) ?? offers[0] ?? { id: null, price: 0 };
}

const discountOf = (effects, id) => sumOf(effects, ({ shares }) => shares.get(id) ?? 0);

/** The lines with their discounts and taxes. */
function taxedLines(state, lines, effects, shipping, { region, isFree }) {
  const rules = taxRules(state, region);
  const amounts = lines.map((line) => ({
    amount: line.unit * line.quantity - discountOf(effects, line.id),
    taxClass: productOf(state, line.variant).taxClass,
  }));
  const taxes = taxesOf(rules, amounts, shipping, isFree);
  return {
    shipping: taxes.shipping,
    lines: lines.map((line, at) => ({
      ...line,
      discount: discountOf(effects, line.id),
      ...taxes.lines[at],
      total: taxes.lines[at].net + taxes.lines[at].tax,
    })),
  };
}

/** Tax by rate, as an invoice lists it. */
function taxTable(lines, shipping) {
  const table = {};
  for (const { rate, tax, net } of lines) {
    const entry = table[rate] ?? { rate, net: 0, tax: 0 };
    table[rate] = { rate, net: entry.net + net, tax: entry.tax + tax };
  }
  return { rows: Object.values(table), shipping: shipping.tax };
}

/** Gift cards pay first, in the order in which they were added; then points. */
function settledBy(state, cart, total) {
  let due = total;
  const cards = [];
  for (const { code, balance } of cardsFor(state, cart.cards)) {
    const amount = Math.min(balance, due);
    if (amount > 0) cards.push({ code, amount });
    due -= amount;
  }
  const points = Math.min(cart.points, spendable(state, cart.customer), due);
  return { cards, points, due: due - points };
}

export function quoteOf(state, cart) {
  const customer = state.customers[cart.customer];
  const address = addressOfCart(state, cart);
  const lines = pricedLines(state, cart, customer);
  const offer = shippingOf(state, cart, address, lines);
  const effects = bestDiscounts(state, candidatesFor(state, cart, customer), lines, offer.price);
  const isShippingFree = effects.some(({ freesShipping }) => freesShipping);
  const shippingPrice = isShippingFree ? 0 : offer.price;
  const region = address ? regionOf(address) : HOME;
  const taxed = taxedLines(state, lines, effects, shippingPrice, {
    region, isFree: isExempt(customer, address),
  });
  const shipping = { method: offer.id, ...taxed.shipping };
  const total = sumOf(taxed.lines, (line) => line.total) + shipping.net + shipping.tax;
  return {
    region,
    lines: taxed.lines,
    discounts: effects.map(({ promotion, title, amount }) => ({ promotion, title, amount })),
    shipping,
    taxes: taxTable(taxed.lines, shipping),
    total,
    ...settledBy(state, cart, total),
  };
}
