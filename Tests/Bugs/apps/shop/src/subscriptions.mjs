// Subscriptions: the same goods again and again, for a little less.
import { DAY } from './calendar.mjs';
import { cartActions } from './carts.mjs';
import { isForSale, titleOf } from './catalogue.mjs';
import { checkoutActions } from './checkout.mjs';
import { withMail } from './outbox.mjs';
import { availableOf } from './stock.mjs';
import { addItem, refused, updateItem, without } from './tables.mjs';

const POSTPONED = 2 * DAY;
const RHYTHMS = [7, 14, 28];

function begun(state, { customer, variant, quantity, every }) {
  if (!RHYTHMS.includes(every)) return refused(state, 'We send each 7, 14 or 28 days.');
  if (!isForSale(state, variant) || !state.customers[customer]) {
    return refused(state, 'This cannot be sent regularly.');
  }
  return addItem(state, 'subscriptions', 'sb', {
    customer, variant, quantity, every, next: state.now + every * DAY, sent: 0, failures: 0,
    status: 'active',
  }).state;
}

const update = (state, id, change) => updateItem(state, 'subscriptions', id, change);

/** Tries to order what is due; undefined if that is not possible now. */
function orderedFor(state, { customer, variant, quantity }) {
  if (availableOf(state, variant) < quantity || !isForSale(state, variant)) return undefined;
  const opened = cartActions['cart/opened'](state, {});
  const cart = `c${opened.counters.c}`;
  const owned = updateItem(opened, 'carts', cart, (each) => ({ ...each, customer }));
  const filled = cartActions['cart/added'](owned, { cart, variant, quantity });
  const placed = checkoutActions['order/placed'](
    { ...filled, notice: null }, { cart, payment: 'card' });
  return placed.carts[cart] ? undefined : placed;
}

/** A delivery that fails is tried again soon; after three failures the subscription ends. */
function postponed(state, subscription) {
  const failures = subscription.failures + 1;
  const next = update(state, subscription.id, (each) => ({
    ...each, failures, next: state.now + POSTPONED, status: failures > 2 ? 'ended' : 'active',
  }));
  return withMail(next, subscription.customer, 'postponed', {
    title: titleOf(state, subscription.variant),
  });
}

export function withDueSubscriptions(state) {
  return Object.values(state.subscriptions)
    .filter(({ status, next }) => status === 'active' && next <= state.now)
    .reduce((next, subscription) => {
      const ordered = orderedFor(next, subscription);
      if (!ordered) return postponed(next, subscription);
      return update(ordered, subscription.id, (each) => ({
        ...each, sent: each.sent + 1, failures: 0, next: each.next + each.every * DAY,
      }));
    }, state);
}

const skipped = (state, { id }) => update(state, id, (each) => (
  { ...each, next: each.next + each.every * DAY }));

function changed(state, { id, quantity, every }) {
  const subscription = state.subscriptions[id];
  if (!subscription || quantity < 1 || !RHYTHMS.includes(every)) {
    return refused(state, 'This cannot be changed so.');
  }
  const last = subscription.next - subscription.every * DAY;
  return update(state, id, (each) => (
    { ...each, quantity, every, next: Math.max(state.now, last + every * DAY) }));
}

export const subscriptionActions = {
  'subscription/begun': begun,
  'subscription/skipped': skipped,
  'subscription/changed': changed,
  'subscription/ended': (state, { id }) => (
    { ...state, subscriptions: without(state.subscriptions, id) }),
};
