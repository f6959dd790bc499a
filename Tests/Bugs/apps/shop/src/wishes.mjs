// Wish lists, and customers who wait until something is in stock again.
import { titleOf } from './catalogue.mjs';
import { withMail } from './outbox.mjs';
import { availableOf } from './stock.mjs';
import { put, refused, without } from './tables.mjs';

const wishesOf = (state, customer) => state.wishes[customer] ?? [];

const withWishes = (state, customer, wishes) => ({
  ...state,
  wishes: wishes.length ? put(state.wishes, customer, wishes) : without(state.wishes, customer),
});

function added(state, { customer, variant }) {
  const wishes = wishesOf(state, customer);
  if (wishes.some((wish) => wish.variant === variant)) return refused(state, 'It is on the list.');
  return withWishes(state, customer, [...wishes, { variant, at: state.now, isWaiting: false }]);
}

function awaited(state, { customer, variant }) {
  if (availableOf(state, variant) > 0) return refused(state, 'It is in stock.');
  const known = wishesOf(state, customer).filter((wish) => wish.variant !== variant);
  return withWishes(state, customer, [...known, { variant, at: state.now, isWaiting: true }]);
}

/** Writes to those who wait for a variant, once for each wait. */
export function withNotices(state, variant) {
  if (availableOf(state, variant) === 0) return state;
  return Object.entries(state.wishes).reduce((next, [customer, wishes]) => {
    if (!wishes.some((wish) => wish.variant === variant && wish.isWaiting)) return next;
    const calm = wishes.map((wish) => (
      wish.variant === variant ? { ...wish, isWaiting: false } : wish));
    return withMail(withWishes(next, customer, calm), customer, 'backInStock', {
      title: titleOf(state, variant),
    });
  }, state);
}

export const wishActions = {
  'wish/added': added,
  'wish/awaited': awaited,
  'wish/removed': (state, { customer, variant }) => withWishes(
    state, customer, wishesOf(state, customer).filter((wish) => wish.variant !== variant)),
};
