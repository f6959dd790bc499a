// The work of the shop's staff.
import { DAY, dayOf } from '../src/calendar.mjs';
import { variantScanned } from '../src/catalogue.mjs';
import { waitingFor } from '../src/fulfilment.mjs';
import { openBalance } from '../src/giftCards.mjs';
import { invoiceText, openInvoices } from '../src/invoices.mjs';
import { balanceOf, entriesFor, isBalanced } from '../src/ledger.mjs';
import { stockValue } from '../src/purchasing.mjs';
import { growthOf, monthReport } from '../src/reports.mjs';
import { reasonsOf } from '../src/returns.mjs';
import { freeIn } from '../src/stock.mjs';
import { satisfaction, ticketQueue } from '../src/tickets.mjs';
import { receiptText } from '../src/till.mjs';
import { suggestedTransfer } from '../src/transfers.mjs';

// --- Orders

function packOne(shop, order, warehouse) {
  shop.do('shipment/begun', { order, warehouse });
  const shipment = shop.last('shipments');
  if (shipment?.order !== order || shipment.status !== 'picking') return;
  const scanned = shipment.lines.flatMap(({ variant, quantity }) => (
    Array.from({ length: quantity }, () => shop.state.variants[variant].barcode)));
  if (shop.chance(0.05)) shop.do('shipment/packed', { id: shipment.id, scanned: ['123'] });
  if (shop.chance(0.05)) shop.do('shipment/packed', { id: shipment.id, scanned: scanned.slice(1) });
  shop.do('shipment/packed', { id: shipment.id, scanned });
  shop.do('shipment/sent', { id: shipment.id, tracking: `T${shop.number(10000, 99999)}` });
}

export function packOrders(shop) {
  for (const warehouse of ['main', 'south', 'town']) {
    if (!shop.state.warehouses[warehouse]) continue;
    for (const order of waitingFor(shop.state, warehouse).slice(0, 4)) {
      packOne(shop, order, warehouse);
    }
  }
}

export function cancelSomething(shop) {
  const open = shop.all('orders').filter(({ status, shipments }) => (
    status === 'paid' && shipments.length === 0));
  const order = shop.pick(open.length ? open : shop.all('orders'));
  if (!order) return;
  if (shop.chance(0.3)) {
    shop.do('order/held', { id: order.id, isHeld: true });
    shop.do('order/noted', { id: order.id, text: 'called, calls again' });
    shop.do('order/held', { id: order.id, isHeld: false });
  } else if (shop.chance(0.5)) {
    shop.do('order/lineCancelled', { id: order.id, line: order.lines[0].id, quantity: 1 });
  } else shop.do('order/cancelled', { id: order.id });
}

// --- Returns

const siblingOf = (shop, variant) => {
  const { variants } = shop.state.products[shop.state.variants[variant].product];
  return variants.find((id) => id !== variant && freeIn(shop.state, 'main', id) > 0) ?? variant;
};

function settle(shop, back) {
  const { lines } = shop.state.orders[back.order];
  if (back.lines[0].reason === 'too small' && shop.chance(0.6)) {
    const variants = Object.fromEntries(back.lines.map(({ line }) => [
      line, siblingOf(shop, lines.find((each) => each.id === line).variant)]));
    shop.do('return/exchanged', { id: back.id, variants });
    if (shop.state.returns[back.id].status === 'settled') return;
  }
  shop.do('return/settled', { id: back.id, way: shop.pick(['money', 'money', 'card', 'credit']) });
}

export function handleReturns(shop) {
  for (const back of shop.all('returns')) {
    if (back.status === 'asked') {
      shop.do('return/approved', { id: back.id, isApproved: shop.chance(0.93) });
    } else if (back.status === 'approved' && shop.chance(0.6)) {
      const conditions = Object.fromEntries(back.lines.map(({ line }) => (
        [line, shop.chance(0.85) ? 'good' : 'damaged'])));
      shop.do('return/arrived', { id: back.id, warehouse: 'main', conditions });
    } else if (back.status === 'arrived') settle(shop, back);
  }
}

// --- Prices and promotions

export function startPromotions(shop) {
  const { now } = shop.state;
  const promotions = [
    { title: 'Ten percent in spring', kind: 'percent', percent: 10, code: 'SPRING10',
      perCustomer: 2 },
    { title: 'Five off', kind: 'amount', amount: 500, code: 'FIVE', least: 4000, limit: 12 },
    { title: 'Three socks for two', kind: 'getFree', buy: 2, free: 1, priority: 1,
      scope: { variants: ['v8', 'v9', 'v10', 'v11'] }, excludes: 'sets' },
    { title: 'Guide and map', kind: 'bundle', priority: 2, price: 3500,
      scope: { categories: ['k3'] }, excludes: 'sets',
      parts: [{ variants: ['v20'] }, { variants: ['v21'] }] },
    { title: 'More is less', kind: 'tiers', stacks: false,
      tiers: [{ from: 20000, percent: 4 }, { from: 40000, percent: 9 }] },
    { title: 'For schools', kind: 'percent', percent: 7, code: 'SCHOOL', group: 'trade' },
    { title: 'No shipping', kind: 'shipping', code: 'SHIPFREE', until: now + 25 * DAY },
    { title: 'Twice', kind: 'amount', amount: 100, code: 'five' },
    { title: 'Fall', kind: 'tiers', tiers: [{ from: 2, percent: 1 }, { from: 1, percent: 2 }] },
    { title: 'Unknown', kind: 'lottery' },
  ];
  for (const promotion of promotions) shop.do('promotion/added', { promotion });
  shop.do('promotion/paused', { id: 'd5', isPaused: true });
  shop.do('promotion/paused', { id: 'd5', isPaused: false });
  shop.do('promotion/extended', { id: 'd7', until: now + 30 * DAY });
}

export function planPrices(shop) {
  const { now } = shop.state;
  shop.do('sale/added', {
    title: 'Boots', scope: { categories: ['k5'] }, percent: 15,
    from: now + DAY, until: now + 9 * DAY,
  });
  shop.do('sale/added', { title: 'Wrong', scope: {}, percent: 5, from: now, until: now });
  shop.do('prices/planned', {
    at: now + 6 * DAY, scope: { brands: ['Rocca'] }, percent: 4, title: 'Rocca, spring',
  });
  shop.do('sale/added', {
    title: 'Wool', scope: { tags: ['wool'] }, percent: 10, from: now, until: null,
  });
}

export function changePrices(shop) {
  shop.do('prices/changed', { scope: { brands: ['Lux'] }, percent: 6, title: 'Lux, spring' });
  shop.do('prices/changed', { scope: { brands: ['None'] }, percent: 6, title: 'Nothing' });
  const [headlamp] = shop.find('products', 'Headlamp').variants;
  shop.do('price/changed', { variant: headlamp, price: 3790 });
  shop.do('price/changed', { variant: headlamp, price: -1 });
}

export function revertPrices(shop) {
  const change = shop.find('priceChanges', 'Lux, spring');
  shop.do('prices/reverted', { id: change.id });
  shop.do('prices/reverted', { id: change.id });
  shop.do('sale/ended', { id: shop.find('sales', 'Wool').id });
}

export function importPrices(shop) {
  const [{ sku }, { sku: other }] = shop.all('variants');
  shop.do('prices/imported', { text: `${sku};134.90\n\nNOTHING;3.00\n${other};much` });
  shop.do('prices/imported', { text: `${sku};1,134.90\n${sku};129.90` });
  shop.do('products/imported', {
    text: 'Trail poles;Norvik;Gear;59.90;24.00;520;size=110,120\nNothing;X;Nowhere;1;1;1',
  });
  shop.do('products/imported', { text: 'Trail map;Kartaz;Books;9.90;3.00;90;;5' });
  for (const { id } of shop.all('products').slice(-2)) shop.do('product/published', { id });
}

export function bonusPoints(shop) {
  for (const { id } of shop.all('customers').slice(0, 5)) {
    shop.do('points/given', { customer: id, amount: 300, reason: 'birthday', days: 20 });
  }
}

export function retireThings(shop) {
  const boot = shop.find('products', 'Mountain boot');
  shop.do('variant/retired', { id: boot.variants[0] });
  const guide = shop.find('products', 'Trail guide');
  shop.do('product/edited', { id: guide.id, changes: { title: 'Walking guide', tags: ['walks'] } });
  shop.do('product/edited', { id: guide.id, changes: { title: ' ' } });
  const jacket = shop.find('products', 'Rain jacket');
  shop.do('product/extended', { id: jacket.id, option: 'size', value: 'XL' });
  shop.do('product/extended', { id: jacket.id, option: 'size', value: 'XL' });
  shop.do('product/retired', { id: shop.find('products', 'Trail poles').id });
}

// --- Goods

export function buyGoods(shop) {
  shop.do('purchase/ordered', { supplier: shop.pick(['north', 'rock']) });
}

export function receiveGoods(shop) {
  for (const purchase of shop.all('purchases').filter(({ status }) => status === 'ordered')) {
    if (shop.state.now - purchase.at < 4 * DAY) continue;
    const counts = Object.fromEntries(purchase.lines.map(({ variant, quantity, received }) => (
      [variant, shop.chance(0.8) ? quantity - received : shop.number(0, quantity - received)])));
    shop.do('purchase/received', { id: purchase.id, warehouse: 'main', counts });
    if (shop.state.now - purchase.at > 9 * DAY) shop.do('purchase/closed', { id: purchase.id });
  }
}

export function moveGoods(shop) {
  for (const transfer of shop.all('transfers').filter(({ status }) => status === 'onTheWay')) {
    const counts = Object.fromEntries(transfer.lines.map(({ variant, quantity }) => (
      [variant, shop.chance(0.95) ? quantity : quantity - 1])));
    shop.do('transfer/arrived', { id: transfer.id, counts });
  }
  const plan = suggestedTransfer(shop.state, shop.state.warehouses.town ? 'town' : 'south');
  if (plan) shop.do('transfer/sent', { ...plan, lines: plan.lines.slice(0, 5) });
  else shop.do('transfer/sent', { from: 'main', to: 'main', lines: [] });
}

export function countTown(shop) {
  moveGoods(shop);
  shop.do('stocktake/begun', { warehouse: 'town' });
  const take = shop.last('stocktakes');
  if (take?.status !== 'open') return;
  shop.do('stocktake/closed', { id: take.id });
  for (const variant of take.left) {
    const { onHand } = shop.state.levels[`town/${variant}`];
    const count = shop.chance(0.9) ? onHand : Math.max(0, onHand - shop.number(1, 4));
    shop.do('stocktake/counted', { id: take.id, variant, count });
    if (shop.state.stocktakes[take.id].recounts.includes(variant)) {
      shop.do('stocktake/counted', { id: take.id, variant, count });
    }
  }
  shop.do('stocktake/closed', { id: take.id });
}

export function rearrange(shop) {
  const variant = 'v12';
  shop.do('stock/moved', { from: 'main', to: 'south', variant, quantity: 1 });
  shop.do('stock/moved', { from: 'main', to: 'south', variant, quantity: 900 });
  shop.do('stock/scrapped', { warehouse: 'main', variant: 'v13', quantity: 1, reason: 'water' });
  shop.do('warehouse/closed', { id: 'town' });
  const card = shop.all('giftCards').find(({ balance }) => balance > 0);
  if (card) shop.do('giftCard/voided', { code: card.code });
  shop.do('customer/grouped', { id: 'u6', group: 'trade' });
  shop.do('customer/blocked', { id: 'u8', isBlocked: false });
  shop.do('customer/credited', { id: 'u5', amount: 500 });
}

// --- The shop in town

export function openTown(shop) {
  shop.do('warehouse/opened', { id: 'town', title: 'Town', region: 'DE', priority: 3 });
  moveGoods(shop);
}

export function sellInTown(shop) {
  if (!shop.state.warehouses.town) return;
  shop.do('till/opened', { cash: 20000 });
  const receipts = shop.number(1, 2);
  for (let at = 0; at < receipts; at++) {
    for (const { id, barcode } of shop.all('variants')) {
      const isThere = freeIn(shop.state, 'town', id) > 0;
      if ((isThere && shop.chance(0.12)) || shop.chance(0.01)) shop.do('till/scanned', { barcode });
    }
    variantScanned(shop.state, '2000000000000');
    const { lines } = shop.state.till;
    if (lines.length && shop.chance(0.3)) {
      shop.do('till/reduced', { variant: lines[0].variant, percent: 20 });
    }
    if (shop.chance(0.1)) shop.do('till/emptied');
    shop.do('till/paid', { cash: shop.number(2, 12) * 5000 });
    const receipt = shop.last('receipts');
    if (receipt) receiptText(shop.state, receipt.id);
  }
  shop.do('till/closed', { counted: shop.state.till.cash - shop.pick([0, 0, 50]) });
}

export function manageRentals(shop) {
  const today = dayOf(shop.state.now);
  for (const { id, status, from, days } of shop.all('bookings')) {
    if (status === 'booked' && from <= today) shop.do('rental/handedOut', { id });
    else if (status === 'out' && from + days <= today && shop.chance(0.7)) {
      shop.do('rental/broughtBack', { id, damage: shop.pick([0, 0, 0, 1500]) });
    } else if (status === 'out' && shop.chance(0.1)) {
      shop.do('rental/prolonged', { id, days: days + 2 });
    }
  }
}

// --- Letters and figures

export function answerQuestions(shop) {
  const queue = ticketQueue(shop.state);
  if (queue.length === 0) return;
  const { id } = queue[0];
  shop.do('ticket/taken', { id });
  if (shop.chance(0.5)) {
    shop.do('ticket/answered', { id, macro: shop.pick(['onItsWay', 'refunded', 'thanks']) });
  } else shop.do('ticket/answered', { id, text: 'We look into it.' });
  if (shop.chance(0.6)) shop.do('ticket/closed', { id, stars: shop.pick([null, 3, 5]) });
  const open = shop.all('tickets').filter(({ status }) => status !== 'closed');
  const double = open.find((ticket, at) => open.findIndex((other) => (
    other.customer === ticket.customer)) < at);
  if (!double) return;
  const into = open.find(({ customer }) => customer === double.customer);
  shop.do('ticket/merged', { id: double.id, into: into.id });
}

export function judgeReviews(shop) {
  for (const { id } of shop.all('reviews').filter(({ status }) => status === 'waiting')) {
    shop.do('review/judged', { id, isShown: shop.chance(0.85) });
  }
}

export function monthEnd(shop) {
  const { state } = shop;
  for (const month of ['2026-03', '2026-04']) {
    monthReport(state, month);
    shop.do('orders/exported', { month });
  }
  growthOf(state, '2026-03', '2026-04');
  for (const { id } of shop.all('invoices')) invoiceText(state, id);
  for (const { id } of shop.all('variants')) reasonsOf(state, id);
  const order = shop.last('orders');
  entriesFor(state, order.id);
  const open = shop.all('invoices').find(({ status }) => status === 'open');
  if (open) shop.do('invoice/deferred', { id: open.id, days: 5 });
  satisfaction(state);
  return [
    isBalanced(state), balanceOf(state, 'bank'), stockValue(state), openInvoices(state),
    openBalance(state),
  ];
}
