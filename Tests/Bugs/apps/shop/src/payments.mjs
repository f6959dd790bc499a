// Payments of orders. A service outside answers those by card; a bank those by invoice.
import { DAY } from './calendar.mjs';
import { withCredit } from './customers.mjs';
import { withCard, withUse } from './giftCards.mjs';
import { withClosedInvoice } from './invoiceList.mjs';
import { withEntry } from './ledger.mjs';
import { withPoints, withoutSpending } from './loyalty.mjs';
import { sumOf } from './money.mjs';
import { withMail } from './outbox.mjs';
import { addItem, refused, updateItem } from './tables.mjs';

const REFUNDED_POINTS = 60 * DAY;

const paymentsOf = (state, order) => state.orders[order].payments
  .map((id) => state.payments[id]);

export const noted = (order, at, text) => ({
  ...order, timeline: [...order.timeline, { at, text }].slice(-25),
});

/** The payments less the refunds. */
export const paidFor = (state, order) => sumOf(
  paymentsOf(state, order).filter(({ status }) => status === 'captured'),
  ({ amount, refunded }) => amount - refunded);

const isSettled = (state, order) => paymentsOf(state, order)
  .every(({ status }) => status !== 'pending')
  && paidFor(state, order) >= state.orders[order].total;

/** An order can be packed when all of it is paid. */
function withStatus(state, id) {
  if (state.orders[id].status !== 'placed' || !isSettled(state, id)) return state;
  const paid = updateItem(state, 'orders', id, (order) => (
    { ...noted(order, state.now, 'paid'), status: 'paid' }));
  return withMail(paid, paid.orders[id].customer, 'paid', { number: paid.orders[id].number });
}

export function withPayment(state, order, payment) {
  const { id, state: next } = addItem(state, 'payments', 'y', {
    order, refunded: 0, at: state.now, tries: 1, ...payment,
  });
  return withStatus(updateItem(next, 'orders', order, (each) => (
    { ...each, payments: [...each.payments, id] })), order);
}

function answered(state, { id, isPaid, reference }) {
  const payment = state.payments[id];
  if (payment?.status !== 'pending') return refused(state, 'This payment has its answer.');
  const order = state.orders[payment.order];
  if (isPaid) {
    const captured = updateItem(state, 'payments', id, (each) => (
      { ...each, status: 'captured', reference }));
    const booked = withEntry(captured, 'captured', payment.amount, payment.order);
    return withStatus(withClosedInvoice(booked, payment.order), payment.order);
  }
  const failed = updateItem(state, 'payments', id, (each) => ({ ...each, status: 'failed' }));
  const told = updateItem(failed, 'orders', payment.order, (each) => (
    noted(each, state.now, 'payment failed')));
  return withMail(told, order.customer, 'unpaid', { number: order.number });
}

function retried(state, { id }) {
  const payment = state.payments[id];
  if (payment?.status !== 'failed' || state.orders[payment.order].status !== 'placed') {
    return refused(state, 'There is nothing to pay.');
  }
  return updateItem(state, 'payments', id, (each) => (
    { ...each, status: 'pending', tries: each.tries + 1 }));
}

// --- Money back

/** All points of an order go back to their lots; some of them are a new lot. */
function pointsBack(state, { order, amount: spent }, amount) {
  if (amount === spent) return withoutSpending(state, order);
  return withPoints(state, state.orders[order].customer, amount, {
    reason: 'refund', life: REFUNDED_POINTS,
  });
}

/** How a refund of each kind of payment is paid. */
const refunds = {
  card: (state, { order }, amount) => withEntry(state, 'refunded', amount, order),
  invoice: (state, { order }, amount) => withEntry(state, 'refunded', amount, order),
  giftCard: (state, { order, code }, amount) => withEntry(
    withUse(state, code, -amount, order), 'refundedToCard', amount, order),
  points: (state, payment, amount) => withEntry(
    pointsBack(state, payment, amount), 'pointsUsed', -amount, payment.order),
  exchange: (state, { order }, amount) => withCredit(
    withEntry(state, 'refundedAsCredit', amount, order), state.orders[order].customer, amount),
};

const isOpenFor = ({ status, amount, refunded }) => status === 'captured' && amount > refunded;

/** Pays an amount back by the ways it was paid: money first, then cards, then points. */
function backAsPaid(state, order, amount) {
  const open = paymentsOf(state, order).filter(isOpenFor).reverse();
  let [next, left] = [state, amount];
  for (const payment of open) {
    const back = Math.min(left, payment.amount - payment.refunded);
    if (back === 0) break;
    next = updateItem(next, 'payments', payment.id, (each) => (
      { ...each, refunded: each.refunded + back }));
    next = refunds[payment.kind](next, payment, back);
    left -= back;
  }
  return next;
}

/** Marks an amount as paid back where the money takes another way. */
function marked(state, order, amount) {
  let [next, left] = [state, amount];
  for (const payment of paymentsOf(state, order).filter(isOpenFor)) {
    const back = Math.min(left, payment.amount - payment.refunded);
    next = updateItem(next, 'payments', payment.id, (each) => (
      { ...each, refunded: each.refunded + back }));
    left -= back;
  }
  return next;
}

const ways = {
  money: backAsPaid,
  card: (state, order, amount) => withEntry(
    withCard(marked(state, order, amount), state.orders[order].customer, amount, 'refund'),
    'refundedToCard', amount, order),
  exchange: marked,
  credit: (state, order, amount) => withEntry(
    withCredit(marked(state, order, amount), state.orders[order].customer, amount),
    'refundedAsCredit', amount, order),
};

/** The state after a refund; undefined if that is more than is still paid. */
export function withRefund(state, order, amount, way) {
  if (amount > paidFor(state, order)) return undefined;
  if (amount === 0) return state;
  const next = ways[way](state, order, amount);
  const { customer, number } = next.orders[order];
  return withMail(next, customer, 'refunded', { number, amount });
}

export const paymentActions = {
  'payment/answered': answered,
  'payment/retried': retried,
};
