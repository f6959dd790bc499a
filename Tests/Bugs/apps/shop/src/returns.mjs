// Returns: what customers send back, and what they get for it.
import { DAY } from './calendar.mjs';
import { withPurchase } from './customers.mjs';
import { withCreditNote } from './invoices.mjs';
import { withEntry } from './ledger.mjs';
import { pointsFor, withoutPoints } from './loyalty.mjs';
import { sumOf } from './money.mjs';
import { updateLine, updateOrder } from './orders.mjs';
import { withMail } from './outbox.mjs';
import { noted, withRefund } from './payments.mjs';
import { withReturn } from './reports.mjs';
import { mayRefund } from './staff.mjs';
import { withMovement } from './stock.mjs';
import { addItem, refused, updateItem } from './tables.mjs';
import { worthOf } from './worth.mjs';

const DAYS_TO_ASK = 30;

const lineIn = (order, id) => order.lines.find((line) => line.id === id);

/** Pieces of a line that customers may still send back: not those of returns on their way. */
function returnable(state, order, line) {
  const pending = order.returns.map((id) => state.returns[id])
    .filter(({ status }) => ['asked', 'approved', 'arrived'].includes(status))
    .flatMap(({ lines }) => lines)
    .filter((each) => each.line === line.id);
  return line.sent - line.returned - sumOf(pending, ({ quantity }) => quantity);
}

function asked(state, { order: id, lines }) {
  const order = state.orders[id];
  if (order?.status !== 'completed') return refused(state, 'This order is not there yet.');
  if (state.now - order.completed > DAYS_TO_ASK * DAY) {
    return refused(state, `After ${DAYS_TO_ASK} days nothing can be sent back.`);
  }
  const isPossible = lines.length > 0 && lines.every(({ line, quantity }) => (
    quantity > 0 && quantity <= returnable(state, order, lineIn(order, line))));
  if (!isPossible) return refused(state, 'There are not so many pieces to send back.');
  const { id: back, state: next } = addItem(state, 'returns', 'n', {
    order: id, lines, status: 'asked', asked: state.now, refund: null,
  });
  return updateOrder(next, id, (each) => (
    { ...noted(each, state.now, 'return asked'), returns: [...each.returns, back] }));
}

const updateReturn = (state, id, change) => updateItem(state, 'returns', id, change);

function approved(state, { id, isApproved }) {
  const back = state.returns[id];
  if (back?.status !== 'asked') return refused(state, 'This return has its answer.');
  if (!isApproved) return updateReturn(state, id, (each) => ({ ...each, status: 'declined' }));
  const { customer, number } = state.orders[back.order];
  return withMail(updateReturn(state, id, (each) => (
    { ...each, status: 'approved' })), customer, 'returnLabel', { number });
}

/** Pieces in a good condition go back to the shelf; the others are kept apart. */
function arrived(state, { id, warehouse, conditions }) {
  const back = state.returns[id];
  if (back?.status !== 'approved') return refused(state, 'Nobody expects this return.');
  const order = state.orders[back.order];
  const shelved = back.lines.filter(({ line }) => conditions[line] !== 'damaged')
    .reduce((next, { line, quantity }) => {
      const { variant, cost } = lineIn(order, line);
      return withEntry(withMovement(next, {
        warehouse, variant, quantity, kind: 'return', ref: order.id,
      }), 'goodsBack', cost * quantity, order.id);
    }, state);
  return updateReturn(shelved, id, (each) => (
    { ...each, status: 'arrived', warehouse, conditions }));
}

/** The worth of each line of a return. A piece that the customer broke is worth half. */
function worths(order, back) {
  return back.lines.map(({ line, quantity, reason }) => {
    const whole = worthOf(lineIn(order, line), quantity);
    const isBroken = back.conditions[line] === 'damaged' && reason !== 'damaged';
    return { line, quantity, amount: isBroken ? Math.floor(whole / 2) : whole };
  });
}

/** Shipping is paid back, too, when everything comes back. */
function shippingBack(order, lines) {
  const returnedNow = (id) => sumOf(
    lines.filter((each) => each.line === id), ({ quantity }) => quantity);
  const isAll = order.lines.every((line) => (
    line.cancelled + line.returned + returnedNow(line.id) === line.quantity));
  return isAll ? order.shipping.net + order.shipping.tax - order.shipping.refunded : 0;
}

/** The worth of a return: its lines, and the shipping of the order with the last of them. */
export function returnWorth(order, back) {
  const lines = worths(order, back);
  const amount = sumOf(lines, (line) => line.amount);
  return { lines, amount, shipping: shippingBack(order, lines) };
}

/** The state after a return was paid; undefined if that is more than is still paid. */
export function withSettlement(state, id, { lines, amount: worth, shipping }, way) {
  const order = state.orders[state.returns[id].order];
  const amount = worth + shipping;
  const refunded = withRefund(state, order.id, amount, way);
  if (!refunded) return undefined;
  const changed = lines.reduce((next, line) => (
    updateLine(next, order.id, line.line, (each) => ({
      ...each,
      returned: each.returned + line.quantity,
      refunded: each.refunded + line.amount,
    }))), refunded);
  const shipped = updateOrder(changed, order.id, (each) => ({
    ...noted(each, state.now, 'return settled'),
    shipping: { ...each.shipping, refunded: each.shipping.refunded + shipping },
  }));
  const customer = state.customers[order.customer];
  const fewer = withoutPoints(shipped, customer.id, pointsFor(customer, amount));
  const counted = withReturn(withPurchase(fewer, customer.id, -amount), order, lines, amount);
  return updateReturn(withCreditNote(counted, order.id, lines, amount), id, (each) => (
    { ...each, status: 'settled', refund: { amount, way, shipping } }));
}

function settled(state, { id, way }) {
  const back = state.returns[id];
  if (back?.status !== 'arrived') return refused(state, 'This return is not here.');
  const worth = returnWorth(state.orders[back.order], back);
  if (!mayRefund(state, worth.amount + worth.shipping)) {
    return refused(state, 'Please ask a manager for this refund.');
  }
  return withSettlement(state, id, worth, way) ?? refused(state, 'That is more than was paid.');
}

/** Pieces that came back by the reasons, for the buyer of the shop. */
export function reasonsOf(state, variant) {
  const reasons = {};
  for (const { order, lines } of Object.values(state.returns)) {
    for (const { line, quantity, reason } of lines) {
      if (lineIn(state.orders[order], line).variant !== variant) continue;
      reasons[reason] = (reasons[reason] ?? 0) + quantity;
    }
  }
  return reasons;
}

export const returnActions = {
  'return/asked': asked,
  'return/approved': approved,
  'return/arrived': arrived,
  'return/settled': settled,
};
