// Reviews of products, read by staff before others see them.
import { addItem, refused, updateItem } from './tables.mjs';

const hasBought = (state, customer, product) => Object.values(state.orders)
  .some((order) => order.customer === customer && order.status === 'completed'
    && order.lines.some(({ variant }) => state.variants[variant].product === product));

function written(state, { customer, product, stars, text }) {
  if (!hasBought(state, customer, product)) return refused(state, 'Only buyers write reviews.');
  if (!(stars >= 1 && stars <= 5)) return refused(state, 'A review has one to five stars.');
  const known = Object.values(state.reviews)
    .find((review) => review.customer === customer && review.product === product);
  if (known) {
    return updateItem(state, 'reviews', known.id, (review) => (
      { ...review, stars, text, status: 'waiting' }));
  }
  return addItem(state, 'reviews', 'w', {
    customer, product, stars, text, at: state.now, status: 'waiting', helpful: [],
  }).state;
}

const judged = (state, { id, isShown }) => updateItem(state, 'reviews', id, (review) => (
  { ...review, status: isShown ? 'shown' : 'hidden' }));

const praised = (state, { id, customer }) => updateItem(state, 'reviews', id, (review) => (
  review.helpful.includes(customer) ? review
    : { ...review, helpful: [...review.helpful, customer] }));

export const shownReviews = (state, product) => Object.values(state.reviews)
  .filter((review) => review.product === product && review.status === 'shown')
  .sort((one, other) => other.helpful.length - one.helpful.length || other.at - one.at);

/** The mean of the stars, with one decimal, and how many there are. */
export function ratingOf(state, product) {
  const reviews = shownReviews(state, product);
  const sum = reviews.reduce((total, { stars }) => total + stars, 0);
  const mean = reviews.length ? Math.round(sum / reviews.length * 10) / 10 : 0;
  return { count: reviews.length, mean };
}

export const reviewActions = {
  'review/written': written,
  'review/judged': judged,
  'review/praised': praised,
};
