// The visits of the shop's customers.
import { DAY, dayOf } from '../src/calendar.mjs';
import { cartOfCustomer } from '../src/carts.mjs';
import { categoryMenu } from '../src/categories.mjs';
import { rentalCalendar } from '../src/rentals.mjs';
import { accountPage, cartPage, orderPage, productPage } from '../src/screens.mjs';
import { searchResults, suggestions } from '../src/search.mjs';
import { availableOf } from '../src/stock.mjs';
import { answerPayments } from './outside.mjs';

const WEB = 'visitor';

const people = (shop) => shop.all('customers').filter(({ isBlocked }) => !isBlocked);

const forSale = (shop) => shop.all('variants').filter(({ id, status, product }) => (
  status === 'active' && shop.state.products[product].status === 'active'
    && availableOf(shop.state, id) > 0));

const openCart = (shop) => {
  shop.do('cart/opened', {}, WEB);
  return shop.last('carts').id;
};

const limited = (shop) => forSale(shop).filter(({ product }) => shop.state.products[product].limit);

/** Puts some things into a cart: now and then one of those that are scarce. */
function fill(shop, cart) {
  const count = shop.number(1, 3);
  for (let at = 0; at < count; at++) {
    const rare = limited(shop);
    const goods = rare.length && shop.chance(0.45) ? rare : forSale(shop);
    if (goods.length === 0) return;
    const { id: variant } = shop.pick(goods);
    shop.do('cart/added', { cart, variant, quantity: shop.pick([1, 1, 1, 2, 2, 3]) }, WEB);
  }
}

/** Signs in: a cart from an earlier visit is waiting, perhaps. */
function signIn(shop, cart, customer) {
  shop.do('cart/signedIn', { cart, customer }, WEB);
  return cartOfCustomer(shop.state, customer)?.id ?? cart;
}

function typeCodes(shop, cart) {
  if (shop.chance(0.3)) {
    const code = shop.pick(['spring10', 'FIVE', 'SCHOOL', 'nothing', 'SHIPFREE']);
    shop.do('cart/couponTyped', { cart, code }, WEB);
    if (shop.chance(0.2)) shop.do('cart/couponRemoved', { cart, code: 'SPRING10' }, WEB);
  }
  const cards = shop.all('giftCards').filter(({ balance }) => balance > 0);
  if (cards.length && shop.chance(0.25)) {
    shop.do('cart/cardTyped', { cart, code: shop.pick(cards).code.toLowerCase() }, WEB);
  }
  if (shop.chance(0.05)) shop.do('cart/cardTyped', { cart, code: 'AAAA' }, WEB);
  if (shop.chance(0.2)) {
    shop.do('cart/pointsChosen', { cart, points: shop.number(1, 4) * 100 }, WEB);
  }
}

function checkOut(shop, cart) {
  cartPage(shop.state, cart);
  if (shop.chance(0.3)) {
    shop.do('cart/methodChosen', { cart, method: shop.pick(['parcel', 'express']) }, WEB);
  }
  if (shop.chance(0.1)) shop.do('cart/noted', { cart, note: 'a gift' }, WEB);
  const payment = shop.state.customers[shop.state.carts[cart].customer]?.group ? 'invoice' : 'card';
  shop.do('order/placed', { cart, payment }, WEB);
  if (shop.chance(0.7)) answerPayments(shop);
  const order = shop.last('orders');
  if (order) orderPage(shop.state, order.id);
}

export function buy(shop) {
  const cart = openCart(shop);
  fill(shop, cart);
  const { lines } = shop.state.carts[cart];
  if (lines.length && shop.chance(0.2)) {
    shop.do('cart/changed', { cart, line: lines[0].id, quantity: shop.number(0, 4) }, WEB);
  }
  if (shop.chance(0.08)) shop.do('order/placed', { cart, payment: 'card' }, WEB);
  const { id: customer } = shop.pick(people(shop));
  const own = signIn(shop, cart, customer);
  typeCodes(shop, own);
  checkOut(shop, own);
}

/** Fills a cart and goes away; the cart waits for the next visit. */
export function leaveCart(shop) {
  const cart = openCart(shop);
  fill(shop, cart);
  signIn(shop, cart, shop.pick(people(shop)).id);
}

export function browse(shop) {
  const text = shop.pick(['shoes', 'sock', 'trial guide', 'rock', 'snow']);
  shop.do('search/typed', { text }, WEB);
  suggestions(shop.state);
  searchResults(shop.state);
  if (shop.chance(0.5)) {
    const filter = shop.pick([{ name: 'brand', value: 'Norvik' }, { name: 'most', value: 15000 },
      { name: 'inStock', value: true }, { name: 'category', value: 'k1' }]);
    shop.do('search/filtered', filter, WEB);
    shop.do('search/ordered', { order: shop.pick(['price', 'rating', 'newest']) }, WEB);
    searchResults(shop.state);
    if (shop.chance(0.5)) shop.do('search/filtered', { ...filter, value: null }, WEB);
  }
  categoryMenu(shop.state);
  productPage(shop.state, shop.pick(shop.all('products')).id);
  if (shop.chance(0.3)) shop.do('search/paged', { page: 1 }, WEB);
  shop.do('search/cleared', undefined, WEB);
  accountPage(shop.state, shop.pick(people(shop)).id);
}

// --- After the order

const completed = (shop) => shop.all('orders').filter(({ status }) => status === 'completed');

/** Sends back one piece, or all of a line. */
function sendBack(shop, order, reason) {
  const lines = order.lines.filter(({ sent, returned }) => sent > returned);
  if (lines.length === 0) return;
  const line = shop.pick(lines);
  const quantity = shop.chance(0.75) ? 1 : line.sent - line.returned;
  shop.do('return/asked', { order: order.id, lines: [{ line: line.id, quantity, reason }] }, WEB);
}

export function askReturn(shop) {
  const orders = completed(shop);
  if (orders.length === 0) return;
  const begun = orders.filter(({ lines }) => lines.some((line) => (
    line.returned > 0 && line.returned < line.sent)));
  const order = shop.pick(begun.length && shop.chance(0.5) ? begun : orders);
  sendBack(shop, order, shop.pick(['too small', 'damaged', 'not needed']));
}

export function earlyReturn(shop) {
  const order = shop.last('orders');
  if (order) shop.do('return/asked', { order: order.id, lines: [] }, WEB);
}

/** The school buys many of one thing, on an invoice. */
export function schoolOrder(shop) {
  const cart = openCart(shop);
  for (const title of ['Climbing harness', 'Carabiner']) {
    const [variant] = shop.find('products', title).variants;
    shop.do('cart/added', { cart, variant, quantity: 3 }, WEB);
  }
  const own = signIn(shop, cart, 'u8');
  shop.do('cart/couponTyped', { cart: own, code: 'SCHOOL' }, WEB);
  checkOut(shop, own);
}

/** The course is over: the school sends back one piece of each line, again and again. */
export function schoolReturn(shop) {
  const order = completed(shop).find(({ customer, lines }) => (
    customer === 'u8' && lines.some(({ sent, returned }) => sent > returned)));
  if (!order) return;
  const lines = order.lines.filter(({ sent, returned }) => sent > returned)
    .map(({ id }) => ({ line: id, quantity: 1, reason: 'not needed' }));
  shop.do('return/asked', { order: order.id, lines }, WEB);
}

export function spendPoints(shop) {
  for (const { id: customer } of people(shop).slice(0, 5)) {
    const cart = openCart(shop);
    fill(shop, cart);
    const own = signIn(shop, cart, customer);
    shop.do('cart/pointsChosen', { cart: own, points: shop.number(2, 5) * 100 }, WEB);
    checkOut(shop, own);
    accountPage(shop.state, customer);
  }
}

export function writeReview(shop) {
  const order = shop.pick(completed(shop));
  const customer = order?.customer ?? 'u1';
  const variant = order ? shop.pick(order.lines).variant : 'v1';
  const { product } = shop.state.variants[variant];
  const stars = shop.number(0, 5);
  shop.do('review/written', { customer, product, stars, text: 'As it should be.' }, WEB);
  const reviews = shop.all('reviews');
  if (reviews.length) {
    shop.do('review/praised', {
      id: shop.pick(reviews).id, customer: shop.pick(people(shop)).id,
    }, WEB);
  }
}

export function askQuestion(shop) {
  const order = shop.pick(shop.all('orders'));
  const text = shop.pick(['Where is my parcel? It is late!', 'I want a refund, the size is wrong.',
    'Can I pay with points?', 'Do you rent a tent?', 'Hello']);
  const customer = order?.customer ?? 'u2';
  shop.do('ticket/asked', { customer, text, order: order?.id ?? null }, WEB);
}

export function wish(shop) {
  const customer = shop.pick(people(shop)).id;
  const variant = shop.pick(shop.all('variants')).id;
  const isGone = availableOf(shop.state, variant) === 0;
  shop.do(isGone ? 'wish/awaited' : 'wish/added', { customer, variant }, WEB);
  const known = shop.state.wishes[customer];
  if (known?.length > 2) shop.do('wish/removed', { customer, variant: known[0].variant }, WEB);
  if (shop.chance(0.2)) shop.do('wish/awaited', { customer, variant }, WEB);
}

export function rent(shop) {
  const item = shop.pick(['tent', 'stove']);
  rentalCalendar(shop.state, item, 7);
  const today = dayOf(shop.state.now);
  shop.do('rental/booked', {
    item, customer: shop.pick(people(shop)).id, from: today + shop.number(0, 3),
    days: shop.number(1, 9), units: shop.number(1, 2),
  }, WEB);
  const booking = shop.last('bookings');
  if (booking && shop.chance(0.15)) shop.do('rental/cancelled', { id: booking.id }, WEB);
}

export function subscribe(shop) {
  const [variant] = shop.find('products', shop.pick(['Gas cartridge', 'Merino socks'])).variants;
  const known = shop.all('subscriptions');
  if (known.length > 2) {
    const { id } = shop.pick(known);
    if (shop.chance(0.4)) return shop.do('subscription/ended', { id }, WEB);
    if (shop.chance(0.5)) return shop.do('subscription/skipped', { id }, WEB);
    return shop.do('subscription/changed', { id, quantity: 1, every: 14 }, WEB);
  }
  return shop.do('subscription/begun', {
    customer: shop.pick(people(shop)).id, variant, quantity: shop.number(1, 2),
    every: shop.pick([7, 7, 9]),
  }, WEB);
}

export function giftCard(shop) {
  const amount = shop.pick([200, 2500, 5000]);
  shop.do('giftCard/bought', { customer: shop.pick(people(shop)).id, amount }, WEB);
}

export function changeAddress(shop) {
  const customer = shop.pick(people(shop));
  const [address] = customer.addresses;
  const street = `${shop.number(1, 99)} Lake Road`;
  if (shop.chance(0.5)) {
    shop.do('customer/addressChanged', { id: customer.id, address: { ...address, street } }, WEB);
  } else {
    shop.do('customer/addressed', { id: customer.id, address: { ...address, street } }, WEB);
    const { addresses } = shop.state.customers[customer.id];
    const main = addresses[addresses.length - 1].id;
    shop.do('customer/mainChosen', { id: customer.id, address: main }, WEB);
  }
  const cart = cartOfCustomer(shop.state, customer.id);
  if (cart) shop.do('cart/addressChosen', { cart: cart.id, address: address.id }, WEB);
  if (shop.chance(0.3)) shop.wait(DAY / 24);
}
