import assert from 'node:assert/strict';
import test from 'node:test';

const { reducer, initialState } = await import(`${process.env.APP}/src/store.mjs`);

const after = (actions, state = initialState) => actions.reduce((next, [type, payload]) => (
  reducer(next, { type, payload })), state);

const address = { name: 'Ann', street: '1 Road', code: '10115', city: 'Berlin', country: 'DE' };
const steps = [{ upTo: 30000, price: 0 }];

/** A shop with ten pieces of `v1`, of which an order may have three, and a customer. */
const open = after([
  ['staff/signedIn', { name: 'Nora', role: 'manager' }],
  ['category/added', { title: 'Maps' }],
  ['product/added', {
    title: 'Map', brand: 'Kartaz', category: 'k1', price: 2000, cost: 500, weight: 100, limit: 3,
  }],
  ['product/published', { id: 'p1' }],
  ['warehouse/opened', { id: 'main', title: 'Main', region: 'DE', priority: 1 }],
  ['stock/counted', { warehouse: 'main', counts: { v1: 10 } }],
  ['shipping/written', {
    method: { id: 'parcel', title: 'Parcel', zones: { home: { days: 2, freeFrom: null, steps } } },
  }],
  ['customer/registered', { email: 'ann@mail.test', name: 'Ann' }],
  ['customer/addressed', { id: 'u1', address }],
]);

const cart = (quantity) => (state) => {
  const opened = reducer(state, { type: 'cart/opened', payload: {} });
  const { id } = Object.values(opened.carts).pop();
  return after([
    ['cart/added', { cart: id, variant: 'v1', quantity }],
    ['cart/signedIn', { cart: id, customer: 'u1' }],
  ], opened);
};

const reserved = (state) => state.levels['main/v1'].reserved;

/** Pays for the order, and sends all of it. */
const sent = (state) => {
  const placed = after([['order/placed', { cart: 'c1', payment: 'card' }]], state);
  const paid = after([
    ['payment/answered', { id: 'y1', isPaid: true, reference: 't1' }],
    ['shipment/begun', { order: 'o1', warehouse: 'main' }],
  ], placed);
  const { lines } = paid.shipments.x1;
  const scanned = lines.flatMap(({ variant, quantity }) => (
    Array(quantity).fill(paid.variants[variant].barcode)));
  return after([
    ['shipment/packed', { id: 'x1', scanned }],
    ['shipment/sent', { id: 'x1', tracking: 'T1' }],
    ['shipment/delivered', { id: 'x1' }],
  ], paid);
};

test('After two visits a cart holds no more pieces than its line has', () => {
  const state = cart(2)(cart(2)(open));
  assert.equal(state.carts.c1.lines[0].quantity, 3);
  assert.equal(reserved(state), 3);
});

test('Nothing stays reserved when the order of two visits was sent', () => {
  const state = sent(cart(3)(cart(1)(open)));
  assert.equal(state.orders.o1.status, 'completed');
  assert.equal(reserved(state), 0);
  assert.deepEqual(state.reservations, {});
  assert.equal(state.levels['main/v1'].onHand, 7);
});

test('A cart of two visits below the limit holds all pieces', () => {
  const state = cart(1)(cart(1)(open));
  assert.equal(state.carts.c1.lines[0].quantity, 2);
  assert.equal(reserved(state), 2);
});

test('A visit after the hold ran out reserves what the line has', () => {
  const later = after([['clock/advanced', { minutes: 120 }]], cart(3)(open));
  assert.equal(reserved(later), 0);
  assert.equal(reserved(cart(2)(later)), 3);
});
