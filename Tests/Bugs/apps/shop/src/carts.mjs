// Carts: visitors' future purchases. Items in a cart are reserved for a while.
import { DAY } from './calendar.mjs';
import { isForSale, productOf, titleOf } from './catalogue.mjs';
import { isCode } from './giftCards.mjs';
import { withMail } from './outbox.mjs';
import { obstacle, promotionWithCode } from './promotions.mjs';
import {
  cartOwner, expiredOwners, reservedFor, transferred, withExpiry, withReservation,
  withoutReservations,
} from './reservations.mjs';
import { availableOf } from './stock.mjs';
import { addItem, informed, numbered, refused, updateItem, without } from './tables.mjs';

const HELD = 45;
const FORGOTTEN = DAY;
const KEPT = 10 * DAY;

const updateCart = (state, id, change) => updateItem(state, 'carts', id, change);

/** The cart was used: its pieces stay reserved for a while from now on. */
function touched(state, id) {
  const next = updateCart(state, id, (cart) => (
    { ...cart, touched: state.now, isReminded: false }));
  return withExpiry(next, cartOwner(id), state.now + HELD);
}

function opened(state, { customer = null }) {
  return addItem(state, 'carts', 'c', {
    customer, lines: [], coupons: [], cards: [], points: 0, address: null, method: null, note: null,
    touched: state.now, isReminded: false,
  }).state;
}

const lineWith = (cart, variant) => cart.lines.find((line) => line.variant === variant);

/** How many pieces one order may have. */
const limitOf = (state, variant) => productOf(state, variant).limit ?? 99;

/** The lines of a cart with another quantity of a variant: none at zero. */
function withQuantity(state, id, variant, quantity) {
  const { id: fresh, state: counted } = lineWith(state.carts[id], variant)
    ? { id: null, state } : numbered(state, 'i');
  return updateCart(counted, id, (cart) => {
    const lines = fresh ? [...cart.lines, { id: fresh, variant, quantity }]
      : cart.lines.map((line) => (line.variant === variant ? { ...line, quantity } : line));
    return { ...cart, lines: lines.filter((line) => line.quantity > 0) };
  });
}

/** Sets a quantity as far as there are pieces, and reserves them. */
function changedTo(state, id, variant, wanted) {
  const owner = cartOwner(id);
  const most = Math.min(
    limitOf(state, variant), reservedFor(state, owner, variant) + availableOf(state, variant));
  const quantity = Math.max(0, Math.min(wanted, most));
  const filled = withQuantity(state, id, variant, quantity);
  const next = touched(withReservation(filled, owner, variant, quantity), id);
  return quantity < wanted
    ? informed(next, `Only ${quantity} of ${titleOf(state, variant)} can be ordered.`) : next;
}

function added(state, { cart: id, variant, quantity = 1 }) {
  const cart = state.carts[id];
  if (!cart) return refused(state, 'This cart is gone.');
  if (!isForSale(state, variant)) return refused(state, 'This is not for sale.');
  return changedTo(state, id, variant, (lineWith(cart, variant)?.quantity ?? 0) + quantity);
}

function changed(state, { cart: id, line, quantity }) {
  const known = state.carts[id]?.lines.find((each) => each.id === line);
  return known ? changedTo(state, id, known.variant, quantity) : state;
}

// --- Sign in

/** Puts the lines of a visitor's cart into the one that the customer has already. */
function merged(state, source, target) {
  const owner = cartOwner(target.id);
  const moved = transferred(state, cartOwner(source.id), owner);
  const filled = source.lines.reduce((next, { variant, quantity }) => {
    const known = lineWith(next.carts[target.id], variant)?.quantity ?? 0;
    const wanted = Math.min(known + quantity, limitOf(next, variant));
    return withReservation(
      withQuantity(next, target.id, variant, wanted), owner, variant, wanted);
  }, moved);
  const joined = updateCart(filled, target.id, (cart) => ({
    ...cart,
    coupons: [...new Set([...cart.coupons, ...source.coupons])],
    cards: [...new Set([...cart.cards, ...source.cards])],
    note: cart.note ?? source.note,
  }));
  return touched({ ...joined, carts: without(joined.carts, source.id) }, target.id);
}

export const cartOfCustomer = (state, customer) => Object.values(state.carts)
  .find((cart) => cart.customer === customer);

function signedIn(state, { cart: id, customer }) {
  const cart = state.carts[id];
  if (!cart || cart.customer !== null || !state.customers[customer]) return state;
  const own = cartOfCustomer(state, customer);
  if (own) return merged(state, cart, own);
  return touched(updateCart(state, id, (each) => ({ ...each, customer })), id);
}

// --- Codes

function couponTyped(state, { cart: id, code }) {
  const cart = state.carts[id];
  const promotion = promotionWithCode(state, code);
  if (!cart || !promotion) return refused(state, `There is no code “${code}”.`);
  const reason = obstacle(state, promotion, state.customers[cart.customer]);
  if (reason) return refused(state, reason);
  if (cart.coupons.includes(promotion.code)) return refused(state, 'The code is in the cart.');
  return touched(updateCart(state, id, (each) => (
    { ...each, coupons: [...each.coupons, promotion.code] })), id);
}

function cardTyped(state, { cart: id, code: typed }) {
  const code = typed.trim().toUpperCase();
  if (!isCode(code)) return refused(state, 'A sign of this code is wrong.');
  const card = state.giftCards[code];
  if (!card || card.isVoid) return refused(state, 'We do not know this gift card.');
  return touched(updateCart(state, id, (cart) => (
    cart.cards.includes(code) ? cart : { ...cart, cards: [...cart.cards, code] })), id);
}

const chosen = (name) => (state, payload) => touched(updateCart(state, payload.cart, (cart) => (
  { ...cart, [name]: payload[name] })), payload.cart);

// --- Time

/** Pieces that were held for too long can be bought by others; the lines stay. */
export const withoutOldHolds = (state) => expiredOwners(state).reduce((next, owner) => (
  withoutReservations(next, owner)), state);

/** Reserves again what a cart had to give back, as far as it is there. */
export function heldAgain(state, id) {
  return state.carts[id].lines.reduce((next, { variant, quantity }) => (
    reservedFor(next, cartOwner(id), variant) >= quantity ? next
      : changedTo(next, id, variant, quantity)), state);
}

export function withoutOldCarts(state) {
  return Object.values(state.carts).reduce((next, cart) => {
    const age = state.now - cart.touched;
    if (age > KEPT || (age > FORGOTTEN && cart.lines.length === 0)) {
      const freed = withoutReservations(next, cartOwner(cart.id));
      return { ...freed, carts: without(freed.carts, cart.id) };
    }
    if (age < FORGOTTEN || cart.isReminded || cart.lines.length === 0) return next;
    const reminded = updateCart(next, cart.id, (each) => ({ ...each, isReminded: true }));
    return withMail(reminded, cart.customer, 'forgotten', { count: cart.lines.length });
  }, state);
}

export const cartActions = {
  'cart/opened': opened,
  'cart/added': added,
  'cart/changed': changed,
  'cart/signedIn': signedIn,
  'cart/couponTyped': couponTyped,
  'cart/couponRemoved': (state, { cart, code }) => updateCart(state, cart, (each) => (
    { ...each, coupons: each.coupons.filter((other) => other !== code) })),
  'cart/cardTyped': cardTyped,
  'cart/pointsChosen': chosen('points'),
  'cart/addressChosen': chosen('address'),
  'cart/methodChosen': chosen('method'),
  'cart/noted': chosen('note'),
};
