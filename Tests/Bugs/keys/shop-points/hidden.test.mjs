import assert from 'node:assert/strict';
import test from 'node:test';

const { reducer, initialState } = await import(`${process.env.APP}/src/store.mjs`);

const after = (actions, state = initialState) => actions.reduce((next, [type, payload]) => (
  reducer(next, { type, payload })), state);

const address = { name: 'Ann', street: '1 Road', code: '10115', city: 'Berlin', country: 'DE' };
const steps = [{ upTo: 30000, price: 0 }];

const DAY = 24 * 60;

/** A shop with a customer and one product of 50.00. */
const open = after([
  ['staff/signedIn', { name: 'Nora', role: 'manager' }],
  ['category/added', { title: 'Gear' }],
  ['product/added', {
    title: 'Rope', brand: 'Rocca', category: 'k1', price: 5000, cost: 500, weight: 100,
  }],
  ['product/published', { id: 'p1' }],
  ['warehouse/opened', { id: 'main', title: 'Main', region: 'DE', priority: 1 }],
  ['stock/counted', { warehouse: 'main', counts: { v1: 20 } }],
  ['shipping/written', {
    method: { id: 'parcel', title: 'Parcel', zones: { home: { days: 2, freeFrom: null, steps } } },
  }],
  ['customer/registered', { email: 'ann@mail.test', name: 'Ann' }],
  ['customer/addressed', { id: 'u1', address }],
]);

const given = (amount, days) => ['points/given', { customer: 'u1', amount, reason: 'gift', days }];
const wait = (days) => ['clock/advanced', { minutes: days * DAY }];

/** Buys one piece with points, and pays the rest. */
function bought(state, points) {
  const opened = after([['cart/opened', {}]], state);
  const { id: cart } = Object.values(opened.carts).pop();
  const placed = after([
    ['cart/added', { cart, variant: 'v1', quantity: 1 }],
    ['cart/signedIn', { cart, customer: 'u1' }],
    ['cart/pointsChosen', { cart, points }],
    ['order/placed', { cart, payment: 'card' }],
  ], opened);
  const { id } = Object.values(placed.payments).find(({ status }) => status === 'pending');
  return after([['payment/answered', { id, isPaid: true, reference: 't1' }]], placed);
}

const left = (state) => Object.values(state.pointLots)
  .reduce((sum, lot) => sum + lot.left, 0);

test('Points that expire soon are spent before older ones that last', () => {
  const start = after([given(400, 300), wait(3), given(200, 10)], open);
  const state = after([wait(20)], bought(start, 200));
  assert.equal(left(state), 400);
  assert.deepEqual(state.lostPoints, {});
});

test('More points than those that expire soon take the rest from the others', () => {
  const start = after([given(400, 300), wait(1), given(100, 20), wait(1), given(50, 5)], open);
  const state = after([wait(30)], bought(start, 250));
  assert.equal(left(state), 300);
  assert.deepEqual(state.lostPoints, {});
});

test('Points that nobody spends expire, and no others', () => {
  const state = after([given(400, 300), given(200, 10), wait(20)], open);
  assert.equal(left(state), 400);
  assert.deepEqual(state.lostPoints, { u1: 200 });
});

test('A cancelled order gives back the points to where they came from', () => {
  const start = after([given(400, 300), wait(1), given(200, 40)], open);
  const state = after([['order/cancelled', { id: 'o1' }], wait(60)], bought(start, 200));
  assert.equal(left(state), 400);
  assert.deepEqual(state.lostPoints, { u1: 200 });
});
