// The contents of the pages.
import { formatDay, formatTime } from './calendar.mjs';
import { titlePath } from './categories.mjs';
import { isForSale, titleOf } from './catalogue.mjs';
import { pointsOverview } from './loyalty.mjs';
import { formatMoney } from './money.mjs';
import { paidFor } from './payments.mjs';
import { priceHistory, priceOf } from './prices.mjs';
import { addressOfCart, quoteOf, weightOf } from './quote.mjs';
import { relatedTo } from './recommendations.mjs';
import { ratingOf, shownReviews } from './reviews.mjs';
import { offersFor } from './shipping.mjs';
import { availableOf } from './stock.mjs';

/** The text about the pieces left on a product's page. */
function stockText(count) {
  if (count === 0) return 'sold out';
  return count < 4 ? `only ${count} left` : 'in stock';
}

export function productPage(state, id) {
  const product = state.products[id];
  return {
    title: product.title,
    path: titlePath(state, product.category),
    rating: ratingOf(state, id),
    related: relatedTo(state, id),
    reviews: shownReviews(state, id).map(({ stars, text }) => `${stars}/5 ${text}`),
    variants: product.variants.filter((each) => isForSale(state, each)).map((each) => {
      const { unit, regular, reason } = priceOf(state, each);
      return {
        title: titleOf(state, each),
        price: formatMoney(unit),
        before: reason === 'sale' ? formatMoney(regular) : null,
        stock: stockText(availableOf(state, each)),
        changes: priceHistory(state, each).length,
      };
    }),
  };
}

export function cartPage(state, id) {
  const cart = state.carts[id];
  const quote = quoteOf(state, cart);
  const address = addressOfCart(state, cart);
  const value = quote.lines.reduce((sum, { unit, quantity }) => sum + unit * quantity, 0);
  return {
    lines: quote.lines.map(({ title, quantity, total }) => (
      `${quantity} × ${title}: ${formatMoney(total)}`)),
    discounts: quote.discounts.map(({ title, amount }) => `${title}: ${formatMoney(-amount)}`),
    shipping: formatMoney(quote.shipping.net + quote.shipping.tax),
    ways: address ? offersFor(state, address, weightOf(state, cart.lines), value) : [],
    total: formatMoney(quote.total),
    due: formatMoney(quote.due),
  };
}

export function orderPage(state, id) {
  const order = state.orders[id];
  return {
    title: `Order ${order.number} of ${formatDay(order.placed)}`,
    lines: order.lines.map(({ title, quantity, cancelled, returned }) => (
      `${quantity - cancelled - returned} of ${quantity} × ${title}`)),
    taxes: order.taxes.rows.map(({ rate, tax }) => `${rate / 1000} %: ${formatMoney(tax)}`),
    total: formatMoney(order.total),
    paid: formatMoney(paidFor(state, id)),
    timeline: order.timeline.map(({ at, text }) => `${formatTime(at)}: ${text}`),
  };
}

export function accountPage(state, id) {
  const customer = state.customers[id];
  return {
    name: customer.name,
    credit: formatMoney(customer.credit),
    ...pointsOverview(state, id),
    orders: Object.values(state.orders).filter((order) => order.customer === id)
      .map(({ number, status }) => `${number}: ${status}`),
    wishes: (state.wishes[id] ?? []).map(({ variant }) => titleOf(state, variant)),
  };
}
