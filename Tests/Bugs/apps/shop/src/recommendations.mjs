// Goods that are bought together.
import { isForSale } from './catalogue.mjs';
import { availableOf } from './stock.mjs';
import { countIn } from './tables.mjs';

const pairKey = (one, other) => [one, other].sort().join('|');

const productsIn = (state, lines) => [...new Set(lines.map(({ variant }) => (
  state.variants[variant].product)))];

/** Counts the products of an order, and each two of them. */
export function withBasket(state, lines, change) {
  const products = productsIn(state, lines);
  let { pairs, bought } = state.together;
  for (const [at, one] of products.entries()) {
    bought = countIn(bought, one, change);
    for (const other of products.slice(at + 1)) pairs = countIn(pairs, pairKey(one, other), change);
  }
  return { ...state, together: { pairs, bought } };
}

const hasSomething = (state, product) => state.products[product].variants.some((id) => (
  isForSale(state, id) && availableOf(state, id) > 0));

/**
 * The products that go best with one: those that are bought with it more often than alone. Few
 * orders prove little, so that each product counts as if it was bought twice more.
 */
export function relatedTo(state, product) {
  const { pairs, bought } = state.together;
  return Object.keys(bought)
    .filter((other) => other !== product && hasSomething(state, other))
    .map((other) => ({
      product: other,
      score: (pairs[pairKey(product, other)] ?? 0) / (bought[other] + 2),
    }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.product.localeCompare(other.product))
    .slice(0, 3)
    .map(({ product: id }) => state.products[id].title);
}

export const nothingTogether = { pairs: {}, bought: {} };
