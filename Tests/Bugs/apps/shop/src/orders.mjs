// Orders after they were placed: cancelled, held, noted, closed.
import { DAY } from './calendar.mjs';
import { withPurchase } from './customers.mjs';
import { hasOpenInvoice, withClosedInvoice } from './invoiceList.mjs';
import { withEntry } from './ledger.mjs';
import { pointsFor, withPoints } from './loyalty.mjs';
import { sumOf } from './money.mjs';
import { withMail } from './outbox.mjs';
import { noted, paidFor, withRefund } from './payments.mjs';
import { withUses } from './promotions.mjs';
import { withBasket } from './recommendations.mjs';
import { withoutSale } from './reports.mjs';
import { orderOwner, withReservation, withoutReservations } from './reservations.mjs';
import { refused, replaced, updateItem } from './tables.mjs';
import { worthOf } from './worth.mjs';

const UNPAID = 3 * DAY;

export const updateOrder = (state, id, change) => updateItem(state, 'orders', id, change);

export const updateLine = (state, id, line, change) => updateOrder(state, id, (order) => (
  { ...order, lines: replaced(order.lines, line, change) }));

export const openPieces = ({ quantity, sent, cancelled }) => quantity - sent - cancelled;

const isUnsent = (order) => order.lines.every(({ sent }) => sent === 0)
  && order.shipments.length === 0;

/** All of an order that was not sent is cancelled, and what was paid is paid back. */
export function withoutOrder(state, id, reason) {
  const order = state.orders[id];
  const freed = withoutReservations(state, orderOwner(id));
  const unused = withUses(
    freed, order.discounts.map(({ promotion }) => promotion), order.customer, -1);
  const back = withRefund(unused, id, paidFor(unused, id), 'money');
  const uncounted = withBasket(
    withoutSale(withClosedInvoice(back, id), order), order.lines, -1);
  const closed = updateOrder(uncounted, id, (each) => ({
    ...noted(each, state.now, reason),
    status: 'cancelled',
    lines: each.lines.map((line) => ({ ...line, cancelled: line.quantity - line.sent })),
  }));
  const unpaid = order.total - paidFor(state, id);
  const booked = withEntry(closed, 'cancelled', unpaid, id);
  return withMail(booked, order.customer, 'cancelled', { number: order.number });
}

function cancelled(state, { id }) {
  const order = state.orders[id];
  if (!['placed', 'paid'].includes(order?.status) || !isUnsent(order)) {
    return refused(state, 'This order is being packed already.');
  }
  return withoutOrder(state, id, 'cancelled');
}

/** Some pieces of a line are cancelled; the rest of the order is sent. */
function lineCancelled(state, { id, line: lineId, quantity }) {
  const order = state.orders[id];
  const line = order?.lines.find((each) => each.id === lineId);
  if (!line || order.status !== 'paid' || quantity < 1 || quantity > openPieces(line)
    || order.shipments.length) {
    return refused(state, 'These pieces cannot be cancelled.');
  }
  if (sumOf(order.lines, openPieces) === quantity) {
    return refused(state, 'Please cancel the whole order.');
  }
  const amount = worthOf(line, quantity);
  const back = withRefund(state, id, amount, 'money');
  if (!back) return refused(state, 'That is more than was paid.');
  const freed = withReservation(
    back, orderOwner(id), line.variant, openPieces(line) - quantity);
  const changed = updateLine(freed, id, lineId, (each) => (
    { ...each, cancelled: each.cancelled + quantity, refunded: each.refunded + amount }));
  return closedIfDone(updateOrder(changed, id, (each) => (
    noted(each, state.now, `${quantity} × ${line.title} cancelled`))), id);
}

const isDelivered = (state, order) => order.shipments.every((id) => (
  state.shipments[id].status === 'delivered'));

/** Closes an order when everything is there, and gives its points. */
export function closedIfDone(state, id) {
  const order = state.orders[id];
  const isDone = order.lines.every((line) => openPieces(line) === 0) && isDelivered(state, order);
  if (order.status !== 'paid' || !isDone) return state;
  const closed = updateOrder(state, id, (each) => (
    { ...noted(each, state.now, 'completed'), status: 'completed', completed: state.now }));
  const paid = paidFor(closed, id);
  const points = pointsFor(state.customers[order.customer], paid);
  return withPurchase(
    withPoints(closed, order.customer, points, { reason: order.number }), order.customer, paid);
}

/** Unpaid orders are cancelled after some days. */
export function withoutUnpaid(state) {
  return Object.values(state.orders)
    .filter(({ status, placed, isHeld }) => (
      status === 'placed' && !isHeld && state.now - placed > UNPAID))
    .filter(({ id }) => !hasOpenInvoice(state, id))
    .reduce((next, { id }) => withoutOrder(next, id, 'not paid'), state);
}

export const orderActions = {
  'order/cancelled': cancelled,
  'order/lineCancelled': lineCancelled,
  'order/held': (state, { id, isHeld }) => updateOrder(state, id, (order) => (
    { ...noted(order, state.now, isHeld ? 'held' : 'released'), isHeld })),
  'order/noted': (state, { id, text }) => updateOrder(state, id, (order) => (
    noted(order, state.now, text))),
};
