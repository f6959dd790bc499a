// Makes an order of a cart.
import { isForSale } from './catalogue.mjs';
import { heldAgain } from './carts.mjs';
import { withUse } from './giftCards.mjs';
import { withInvoice } from './invoices.mjs';
import { withEntry } from './ledger.mjs';
import { withSpending } from './loyalty.mjs';
import { withMail } from './outbox.mjs';
import { withPayment } from './payments.mjs';
import { withUses } from './promotions.mjs';
import { addressOfCart, quoteOf } from './quote.mjs';
import { withBasket } from './recommendations.mjs';
import { withSale } from './reports.mjs';
import { cartOwner, orderOwner, transferred, withExpiry } from './reservations.mjs';
import { addItem, refused, without } from './tables.mjs';

const INVOICE_LIMIT = 150_000;

function faultOf(state, cart, payment) {
  const customer = state.customers[cart?.customer];
  if (!cart || cart.lines.length === 0) return 'The cart is empty.';
  if (!customer) return 'Please sign in first.';
  if (customer.isBlocked) return 'Please call us.';
  if (!addressOfCart(state, cart)) return 'The order needs an address.';
  if (cart.lines.some(({ variant }) => !isForSale(state, variant))) {
    return 'Something in the cart is no longer for sale.';
  }
  if (payment === 'invoice' && customer.group === null) return 'An invoice is for companies.';
  return undefined;
}

/** A line of the order: what was agreed stays, whatever changes in the catalogue. */
function lineOf(state, { id, variant, title, quantity, unit, discount, rate, net, tax, total }) {
  return {
    id, variant, title, quantity, unit, discount, rate, net, tax, total,
    cost: state.variants[variant].cost,
    sent: 0, cancelled: 0, returned: 0, refunded: 0,
  };
}

function orderOf(state, cart, quote) {
  return {
    number: `R${1000 + (state.counters.o ?? 0) + 1}`,
    customer: cart.customer,
    address: addressOfCart(state, cart),
    region: quote.region,
    placed: state.now,
    lines: quote.lines.map((line) => lineOf(state, line)),
    discounts: quote.discounts,
    shipping: { ...quote.shipping, refunded: 0 },
    taxes: quote.taxes,
    total: quote.total,
    note: cart.note,
    payments: [],
    shipments: [],
    returns: [],
    status: 'placed',
    isHeld: false,
    timeline: [{ at: state.now, text: 'placed' }],
  };
}

/** Gift cards and points pay at once, the rest by the chosen way. */
function withPayments(state, order, quote, kind) {
  const byCards = quote.cards.reduce((next, { code, amount }) => withPayment(
    withEntry(withUse(next, code, amount, order), 'cardUsed', amount, order),
    order, { kind: 'giftCard', amount, code, status: 'captured' }), state);
  const { customer } = state.orders[order];
  const byPoints = quote.points === 0 ? byCards : withPayment(
    withEntry(
      withSpending(byCards, customer, quote.points, order), 'pointsUsed', quote.points, order),
    order, { kind: 'points', amount: quote.points, status: 'captured' });
  return quote.due === 0 ? byPoints : withPayment(
    byPoints, order, { kind, amount: quote.due, status: 'pending' });
}

function placed(state, { cart: id, payment }) {
  const fault = faultOf(state, state.carts[id], payment);
  if (fault) return refused(state, fault);
  const held = heldAgain(state, id);
  const cart = held.carts[id];
  if (cart.lines.length !== state.carts[id].lines.length || held.notice !== state.notice) {
    return refused(held, 'There are fewer pieces now. Please look at the cart.');
  }
  const quote = quoteOf(held, cart);
  if (payment === 'invoice' && quote.due > INVOICE_LIMIT) {
    return refused(held, 'This is too much for an invoice.');
  }
  const { id: order, state: added } = addItem(held, 'orders', 'o', orderOf(held, cart, quote));
  const owned = withExpiry(
    transferred(added, cartOwner(id), orderOwner(order)), orderOwner(order), null);
  const booked = withEntry(owned, 'sale', quote.total, order);
  const used = withUses(
    booked, quote.discounts.map(({ promotion }) => promotion), cart.customer, 1);
  const paid = withPayments(used, order, quote, payment);
  const billed = payment === 'invoice' && quote.due > 0 ? withInvoice(paid, order) : paid;
  const counted = withBasket(withSale(billed, billed.orders[order]), cart.lines, 1);
  const mailed = withMail(counted, cart.customer, 'ordered', {
    number: counted.orders[order].number, total: quote.total,
  });
  return { ...mailed, carts: without(mailed.carts, id) };
}

export const checkoutActions = {
  'order/placed': placed,
};
