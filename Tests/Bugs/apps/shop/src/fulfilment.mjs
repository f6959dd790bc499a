// Picks, packs and sends what was ordered.
import { variantScanned } from './catalogue.mjs';
import { withEntry } from './ledger.mjs';
import { sumOf } from './money.mjs';
import { closedIfDone, openPieces, updateLine, updateOrder } from './orders.mjs';
import { withMail } from './outbox.mjs';
import { noted } from './payments.mjs';
import { weightOf } from './quote.mjs';
import { consumed, orderOwner, reservationsOf, withReservation } from './reservations.mjs';
import { arrivalOf, zoneOf } from './shipping.mjs';
import { withMovement } from './stock.mjs';
import { addItem, refused, updateItem } from './tables.mjs';

/** The pieces of an order that are reserved in a warehouse, by the order's lines. */
function pickedFrom(state, order, warehouse) {
  return reservationsOf(state, orderOwner(order.id)).flatMap(({ variant, parts }) => {
    const part = parts.find((each) => each.warehouse === warehouse);
    const line = order.lines.find((each) => each.variant === variant && openPieces(each) > 0);
    if (!part || !line) return [];
    return [{ line: line.id, variant, quantity: Math.min(part.quantity, openPieces(line)) }];
  });
}

function begun(state, { order: id, warehouse }) {
  const order = state.orders[id];
  const isReady = order?.status === 'paid' && !order.isHeld;
  if (!isReady) return refused(state, 'This order cannot be packed now.');
  const isBegun = order.shipments.some((each) => (
    state.shipments[each].warehouse === warehouse && state.shipments[each].status === 'picking'));
  const lines = pickedFrom(state, order, warehouse);
  if (isBegun || lines.length === 0) return refused(state, 'There is nothing to pick here.');
  const { id: shipment, state: next } = addItem(state, 'shipments', 'x', {
    order: id, warehouse, lines, weight: weightOf(state, lines), status: 'picking',
    begun: state.now,
  });
  return updateOrder(next, id, (each) => (
    { ...noted(each, state.now, 'picking'), shipments: [...each.shipments, shipment] }));
}

/** The scanned pieces must be those of the shipment, in any order. */
function packed(state, { id, scanned }) {
  const shipment = state.shipments[id];
  if (shipment?.status !== 'picking') return refused(state, 'This parcel is packed already.');
  const counts = {};
  for (const barcode of scanned) {
    const variant = variantScanned(state, barcode);
    if (!variant) return refused(state, `Nothing here has the barcode ${barcode}.`);
    counts[variant.id] = (counts[variant.id] ?? 0) + 1;
  }
  const isComplete = shipment.lines.every(({ variant, quantity }) => counts[variant] === quantity)
    && Object.keys(counts).length === shipment.lines.length;
  if (!isComplete) return refused(state, 'The scanned pieces are not those of the parcel.');
  return updateItem(state, 'shipments', id, (each) => ({ ...each, status: 'packed' }));
}

function sent(state, { id, tracking }) {
  const shipment = state.shipments[id];
  if (shipment?.status !== 'packed') return refused(state, 'This parcel is not packed.');
  const { order: orderId, warehouse } = shipment;
  const order = state.orders[orderId];
  const left = shipment.lines.reduce((next, { line, variant, quantity }) => {
    const moved = withMovement(next, {
      warehouse, variant, quantity: -quantity, kind: 'sale', ref: orderId,
    });
    const used = consumed(moved, orderOwner(orderId), variant, warehouse, quantity);
    return updateLine(used, orderId, line, (each) => ({ ...each, sent: each.sent + quantity }));
  }, state);
  const cost = sumOf(shipment.lines, ({ line, quantity }) => (
    order.lines.find((each) => each.id === line).cost * quantity));
  const booked = withEntry(left, 'goodsSold', cost, orderId);
  const method = state.shippingMethods[order.shipping.method];
  const arrives = arrivalOf(method, zoneOf(order.address), state.now);
  const marked = updateItem(booked, 'shipments', id, (each) => (
    { ...each, status: 'sent', tracking, sent: state.now, arrives }));
  const told = updateOrder(marked, orderId, (each) => noted(each, state.now, `sent ${tracking}`));
  return withMail(told, order.customer, 'sent', { number: order.number, tracking, arrives });
}

function delivered(state, { id }) {
  const shipment = state.shipments[id];
  if (shipment?.status !== 'sent') return refused(state, 'This parcel is not on its way.');
  const marked = updateItem(state, 'shipments', id, (each) => (
    { ...each, status: 'delivered', delivered: state.now }));
  return closedIfDone(updateOrder(marked, shipment.order, (order) => (
    noted(order, state.now, 'delivered'))), shipment.order);
}

/** A lost parcel is sent again, from whatever is there. */
function lost(state, { id }) {
  const shipment = state.shipments[id];
  if (shipment?.status !== 'sent') return refused(state, 'This parcel is not on its way.');
  const marked = updateItem(state, 'shipments', id, (each) => ({ ...each, status: 'lost' }));
  const removed = updateOrder(marked, shipment.order, (order) => ({
    ...noted(order, state.now, 'parcel lost'),
    shipments: order.shipments.filter((each) => each !== id),
  }));
  return shipment.lines.reduce((next, { line, variant, quantity }) => {
    const open = updateLine(next, shipment.order, line, (each) => (
      { ...each, sent: each.sent - quantity }));
    const still = open.orders[shipment.order].lines.find((each) => each.id === line);
    return withReservation(open, orderOwner(shipment.order), variant, openPieces(still));
  }, removed);
}

/** Pieces that arrive go to the orders that lack them, the oldest first. */
export function withOpenOrders(state, variant) {
  return Object.values(state.orders)
    .filter(({ status, lines }) => (
      status === 'paid' && lines.some((line) => line.variant === variant && openPieces(line) > 0)))
    .sort((one, other) => one.placed - other.placed)
    .reduce((next, { id, lines }) => {
      const line = lines.find((each) => each.variant === variant);
      return withReservation(next, orderOwner(id), variant, openPieces(line));
    }, state);
}

/** Orders that wait for a warehouse, the oldest first. */
export const waitingFor = (state, warehouse) => Object.values(state.orders)
  .filter((order) => order.status === 'paid' && !order.isHeld
    && pickedFrom(state, order, warehouse).length > 0)
  .sort((one, other) => one.placed - other.placed)
  .map(({ id }) => id);

export const fulfilmentActions = {
  'shipment/begun': begun,
  'shipment/packed': packed,
  'shipment/sent': sent,
  'shipment/delivered': delivered,
  'shipment/lost': lost,
};
