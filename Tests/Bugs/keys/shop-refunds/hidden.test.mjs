import assert from 'node:assert/strict';
import test from 'node:test';

const { reducer, initialState } = await import(`${process.env.APP}/src/store.mjs`);

const after = (actions, state = initialState) => actions.reduce((next, [type, payload]) => (
  reducer(next, { type, payload })), state);

const address = { name: 'Ann', street: '1 Road', code: '10115', city: 'Berlin', country: 'DE' };
const steps = [{ upTo: 30000, price: 0 }];

/** A completed order of pieces for 10.00 each, less some cents. */
function ordered(amount, quantity = 3) {
  const bought = after([
    ['staff/signedIn', { name: 'Nora', role: 'manager' }],
    ['category/added', { title: 'Gear' }],
    ['product/added', {
      title: 'Rope', brand: 'Rocca', category: 'k1', price: 1000, cost: 500, weight: 100,
    }],
    ['product/published', { id: 'p1' }],
    ['warehouse/opened', { id: 'main', title: 'Main', region: 'DE', priority: 1 }],
    ['stock/counted', { warehouse: 'main', counts: { v1: 20 } }],
    ['shipping/written', {
      method: {
        id: 'parcel', title: 'Parcel', zones: { home: { days: 2, freeFrom: null, steps } },
      },
    }],
    ['promotion/added', { promotion: { title: 'Cents', kind: 'amount', amount } }],
    ['customer/registered', { email: 'ann@mail.test', name: 'Ann' }],
    ['customer/addressed', { id: 'u1', address }],
    ['cart/opened', {}],
    ['cart/added', { cart: 'c1', variant: 'v1', quantity }],
    ['cart/signedIn', { cart: 'c1', customer: 'u1' }],
    ['order/placed', { cart: 'c1', payment: 'card' }],
    ['payment/answered', { id: 'y1', isPaid: true, reference: 't1' }],
  ]);
  const scanned = Array(quantity).fill(bought.variants.v1.barcode);
  return after([
    ['shipment/begun', { order: 'o1', warehouse: 'main' }],
    ['shipment/packed', { id: 'x1', scanned }],
    ['shipment/sent', { id: 'x1', tracking: 'T1' }],
    ['shipment/delivered', { id: 'x1' }],
  ], bought);
}

/** Sends so many pieces back, and pays for them. */
function returned(state, quantity) {
  const [line] = state.orders.o1.lines;
  const lines = [{ line: line.id, quantity, reason: 'not needed' }];
  const asked = after([['return/asked', { order: 'o1', lines }]], state);
  const { id } = Object.values(asked.returns).pop();
  return after([
    ['return/approved', { id, isApproved: true }],
    ['return/arrived', { id, warehouse: 'main', conditions: { [line.id]: 'good' } }],
    ['return/settled', { id, way: 'money' }],
  ], asked);
}

const returnedOneByOne = (state, count) => Array(count).fill(1).reduce(returned, state);

for (const cents of [0, 1, 2]) {
  test(`Three pieces for 30.00 less ${cents} cents are paid back whole, one by one`, () => {
    const start = ordered(cents);
    const { total } = start.orders.o1;
    assert.equal(total, 3000 - cents);
    const state = returnedOneByOne(start, 3);
    assert.equal(state.orders.o1.lines[0].returned, 3);
    assert.equal(state.orders.o1.lines[0].refunded, total);
    assert.equal(state.payments.y1.refunded, total);
    for (const back of Object.values(state.returns)) assert.equal(back.status, 'settled');
  });
}

test('One piece and then two are worth as much as all at once', () => {
  const start = ordered(1);
  const state = returned(returned(start, 1), 2);
  assert.equal(state.payments.y1.refunded, returned(start, 3).payments.y1.refunded);
});

test('Seven pieces are paid back whole in three parcels', () => {
  const start = ordered(3, 7);
  const state = returned(returned(returned(start, 2), 2), 3);
  assert.equal(state.payments.y1.refunded, start.orders.o1.total);
});
