// Exchanges: a piece that came back becomes another variant of the same product.
import { titleOf } from './catalogue.mjs';
import { withPayment } from './payments.mjs';
import { withReservation, orderOwner } from './reservations.mjs';
import { returnWorth, withSettlement } from './returns.mjs';
import { availableOf } from './stock.mjs';
import { addItem, refused } from './tables.mjs';

const isSibling = (state, one, other) => (
  state.variants[one]?.product === state.variants[other]?.product);

/** The line of the new order: it costs what the old pieces are worth. */
function exchangedLine(state, old, { quantity, amount }, variant) {
  const tax = old.total === 0 ? 0 : Math.round(amount * old.tax / old.total);
  return {
    ...old,
    variant,
    title: titleOf(state, variant),
    quantity,
    discount: 0,
    unit: Math.round(amount / quantity),
    net: amount - tax,
    tax,
    total: amount,
    cost: state.variants[variant].cost,
    sent: 0, cancelled: 0, returned: 0, refunded: 0,
  };
}

function faultOf(state, back, order, variants) {
  if (back?.status !== 'arrived') return 'This return is not here.';
  if (new Set(Object.values(variants)).size < back.lines.length) {
    return 'Please exchange equal pieces one by one.';
  }
  for (const { line: id, quantity } of back.lines) {
    const old = order.lines.find((line) => line.id === id);
    const variant = variants[id];
    if (!variant || !isSibling(state, old.variant, variant)) return 'This is another product.';
    if (availableOf(state, variant) < quantity) return `${titleOf(state, variant)} is sold out.`;
  }
  return undefined;
}

/** Settles a return with a new order that is paid by it. */
function exchanged(state, { id, variants }) {
  const back = state.returns[id];
  const order = state.orders[back?.order];
  const fault = faultOf(state, back, order, variants);
  if (fault) return refused(state, fault);
  const worth = returnWorth(order, back);
  const settled = withSettlement(state, id, { ...worth, shipping: 0 }, 'exchange');
  if (!settled) return refused(state, 'That is more than was paid.');
  const lines = worth.lines.map((each) => exchangedLine(
    state, order.lines.find((line) => line.id === each.line), each, variants[each.line]));
  const { id: fresh, state: added } = addItem(settled, 'orders', 'o', {
    ...order,
    number: `${order.number}-E${order.returns.length}`,
    placed: state.now,
    lines,
    discounts: [],
    shipping: { ...order.shipping, net: 0, tax: 0, refunded: 0 },
    total: worth.amount,
    payments: [], shipments: [], returns: [],
    status: 'placed',
    timeline: [{ at: state.now, text: `exchange for ${order.number}` }],
  });
  const held = lines.reduce((next, { variant, quantity }) => (
    withReservation(next, orderOwner(fresh), variant, quantity)), added);
  return withPayment(held, fresh, { kind: 'exchange', amount: worth.amount, status: 'captured' });
}

export const exchangeActions = {
  'return/exchanged': exchanged,
};
