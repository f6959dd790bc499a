// Files to and from other programs: prices as lists, orders for the bookkeeper.
import { formatDay, monthKey } from './calendar.mjs';
import { catalogueActions } from './catalogue.mjs';
import { formatMoney, parseMoney } from './money.mjs';
import { priceActions } from './prices.mjs';
import { informed, logged, refused } from './tables.mjs';

/** The lines of a file with semicolons; spaces around fields do not count. */
const rowsOf = (text) => text.split(/\r?\n/).filter((line) => line.trim())
  .map((line) => line.split(';').map((field) => field.trim()));

/** A price list has lines of SKU and price. Lines with faults are named, the others count. */
function pricesImported(state, { text }) {
  const bySku = new Map(Object.values(state.variants).map((variant) => [variant.sku, variant]));
  const faults = [];
  let next = state;
  for (const [at, [sku, price]] of rowsOf(text).entries()) {
    const variant = bySku.get(sku);
    const cents = parseMoney(price ?? '');
    if (!variant || cents === undefined || cents <= 0) faults.push(at + 1);
    else if (variant.price !== cents) {
      next = priceActions['price/changed'](next, { variant: variant.id, price: cents });
    }
  }
  return faults.length ? refused(next, `Lines ${faults.join(', ')} have faults.`)
    : informed(next, 'All prices were read.');
}

/** The options of a product in a file: `size=S,M color=red`. */
function optionsIn(text) {
  const entries = text.split(/\s+/).filter(Boolean).map((part) => part.split('='));
  return Object.fromEntries(entries.map(([name, values = '']) => (
    [name, values.split(',').filter(Boolean)])));
}

const categoryTitled = (state, title) => Object.values(state.categories)
  .find((category) => category.title.toLowerCase() === title.toLowerCase());

/** One product of a line: title, brand, category, price, cost, weight, options, limit. */
function importedProduct(state, [title, brand, category, price, cost, weight, options, limit]) {
  const known = categoryTitled(state, category ?? '');
  const [priceCents, costCents] = [price, cost].map((field) => parseMoney(field ?? ''));
  const grams = Number(weight);
  if (!known || priceCents === undefined || costCents === undefined || !(grams > 0)) {
    return undefined;
  }
  return catalogueActions['product/added'](state, {
    title, brand, category: known.id, price: priceCents, cost: costCents, weight: grams,
    options: optionsIn(options ?? ''), limit: limit ? Number(limit) : null,
  });
}

function productsImported(state, { text }) {
  let [next, count] = [state, 0];
  const faults = [];
  for (const [at, fields] of rowsOf(text).entries()) {
    const added = importedProduct(next, fields);
    if (!added || added.notice?.kind === 'refusal') faults.push(at + 1);
    else [next, count] = [added, count + 1];
  }
  return faults.length ? refused(next, `Lines ${faults.join(', ')} have faults.`)
    : informed(next, `${count} products were read.`);
}

const quoted = (text) => (/[;"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const orderLine = (state, order) => [
  order.number, formatDay(order.placed), order.address.name, order.region,
  formatMoney(order.total), order.status,
].map(quoted).join(';');

function ordersFile(state, month) {
  const orders = Object.values(state.orders).filter(({ placed }) => monthKey(placed) === month);
  return ['number;day;name;region;total;status', ...orders.map((order) => orderLine(state, order))]
    .join('\n');
}

function ordersExported(state, { month }) {
  const text = ordersFile(state, month);
  const file = { month, at: state.now, lines: text.split('\n').length, size: text.length };
  return { ...state, files: logged(state.files, file, 10) };
}

export const fileActions = {
  'products/imported': productsImported,
  'prices/imported': pricesImported,
  'orders/exported': ordersExported,
};
