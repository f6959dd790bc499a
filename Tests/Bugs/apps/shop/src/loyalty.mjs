// Points: one for each ten cents that were paid. They come in lots, and each lot expires.
import { DAY } from './calendar.mjs';
import { withMail } from './outbox.mjs';
import { addItem, countIn, put, updateItem, without } from './tables.mjs';

const LIFE = 365 * DAY;
const RETURNED_LIFE = 14 * DAY;
const WARNING = 5 * DAY;
const CENTS_FOR_POINT = 10;

/** The levels of customers by what they have spent, and how many points they get. */
const levels = [
  { title: 'Base', from: 0, factor: 1 },
  { title: 'Silver', from: 50_000, factor: 1.5 },
  { title: 'Gold', from: 150_000, factor: 2 },
];

const levelFor = (customer) => levels.findLast(({ from }) => customer.spent >= from);

const isOpen = (state, lot) => lot.left > 0 && lot.expires > state.now;

/** The lots that a customer can spend from: those that expire first come first. */
const openLots = (state, customer) => Object.values(state.pointLots)
  .filter((lot) => lot.customer === customer && isOpen(state, lot))
  .sort((one, other) => one.expires - other.expires || one.earned - other.earned);

export const spendable = (state, customer) => openLots(state, customer)
  .reduce((sum, { left }) => sum + left, 0);

export function withPoints(state, customer, amount, { reason, life = LIFE }) {
  if (amount <= 0 || !state.customers[customer]) return state;
  return addItem(state, 'pointLots', 'l', {
    customer, amount, left: amount, reason, earned: state.now, expires: state.now + life,
  }).state;
}

export function pointsFor(customer, paid) {
  return customer ? Math.floor(paid / CENTS_FOR_POINT * levelFor(customer).factor) : 0;
}

/** Spends points for an order, and keeps from which lots they came. */
export function withSpending(state, customer, amount, order) {
  let [next, left] = [state, amount];
  const takings = [];
  for (const lot of openLots(state, customer)) {
    const taken = Math.min(left, lot.left);
    if (taken === 0) break;
    next = updateItem(next, 'pointLots', lot.id, (each) => ({ ...each, left: each.left - taken }));
    takings.push({ lot: lot.id, amount: taken });
    left -= taken;
  }
  if (takings.length === 0) return state;
  return { ...next, spendings: put(next.spendings, order, { customer, takings }) };
}

/** Gives back the points of a cancelled order: to their lots, or for two weeks if those expired. */
export function withoutSpending(state, order) {
  const spending = state.spendings[order];
  if (!spending) return state;
  const back = spending.takings.reduce((next, { lot, amount }) => {
    const known = next.pointLots[lot];
    if (!known || known.expires <= state.now) {
      return withPoints(next, spending.customer, amount, {
        reason: 'given back', life: RETURNED_LIFE,
      });
    }
    return updateItem(next, 'pointLots', lot, (each) => ({ ...each, left: each.left + amount }));
  }, state);
  return { ...back, spendings: without(back.spendings, order) };
}

/** Takes points for goods that came back: what the customer has, the latest first. */
export function withoutPoints(state, customer, amount) {
  let [next, left] = [state, amount];
  for (const lot of openLots(state, customer).reverse()) {
    const taken = Math.min(left, lot.left);
    next = updateItem(next, 'pointLots', lot.id, (each) => ({ ...each, left: each.left - taken }));
    left -= taken;
  }
  return next;
}

/** Removes lots that are empty or expired, and warns of those that expire soon. */
export function withDuePoints(state) {
  return Object.values(state.pointLots).reduce((next, lot) => {
    if (lot.expires <= state.now) {
      const expired = { ...next, pointLots: without(next.pointLots, lot.id) };
      return lot.left ? withLoss(expired, lot) : expired;
    }
    if (lot.left === 0 || lot.isWarned || lot.expires - state.now > WARNING) return next;
    const warned = updateItem(next, 'pointLots', lot.id, (each) => ({ ...each, isWarned: true }));
    return withMail(warned, lot.customer, 'pointsExpire', {
      points: lot.left, until: lot.expires,
    });
  }, state);
}

const withLoss = (state, { customer, left }) => (
  { ...state, lostPoints: countIn(state.lostPoints, customer, left) });

/** The text about points on a customer's page. */
export const pointsOverview = (state, customer) => ({
  level: levelFor(state.customers[customer]).title,
  points: spendable(state, customer),
  lost: state.lostPoints[customer] ?? 0,
  next: openLots(state, customer)[0]?.expires ?? null,
});

export const loyaltyActions = {
  'points/given': (state, { customer, amount, reason, days }) => (
    withPoints(state, customer, amount, { reason, life: days * DAY })),
};
