// Prices: the regular one, sales, lists for groups of customers, planned and bulk changes.
import { isWithin } from './calendar.mjs';
import { isInCategory } from './categories.mjs';
import { percentOf, shelfPrice } from './money.mjs';
import { addItem, informed, refused, updateItem, without } from './tables.mjs';

/** Whether a scope names a variant: by itself, its brand, or a category above it. */
export function isInScope(state, scope, id) {
  const variant = state.variants[id];
  const product = state.products[variant.product];
  return scope.all === true
    || (scope.variants ?? []).includes(id)
    || (scope.brands ?? []).includes(product.brand)
    || (scope.tags ?? []).some((tag) => product.tags.includes(tag))
    || (scope.categories ?? []).some((each) => isInCategory(state, product.category, each));
}

/** The lowest price among the sales that run now. */
function salePrice(state, id) {
  const prices = Object.values(state.sales)
    .filter((sale) => isWithin(state.now, sale) && isInScope(state, sale.scope, id))
    .map((sale) => shelfPrice(
      state.variants[id].price - percentOf(state.variants[id].price, sale.percent)));
  return prices.length ? Math.min(...prices) : undefined;
}

/** The price of a group: written for the variant, or a percentage below the regular one. */
function listPrice(state, id, group) {
  const list = state.priceLists[group];
  if (!list) return undefined;
  const { price } = state.variants[id];
  return list.entries[id] ?? price - percentOf(price, list.percent);
}

/** The price of one piece now, and the reason. The lowest of all prices that apply counts. */
export function priceOf(state, id, group = null) {
  const regular = state.variants[id].price;
  const candidates = [
    { unit: regular, reason: 'regular' },
    { unit: salePrice(state, id), reason: 'sale' },
    { unit: listPrice(state, id, group), reason: 'list' },
  ].filter(({ unit }) => unit !== undefined);
  const best = candidates.reduce((low, each) => (each.unit < low.unit ? each : low));
  return { ...best, regular };
}

// --- Changes of regular prices

function withPrices(state, title, entries) {
  const real = entries.filter(({ before, after }) => before !== after);
  if (real.length === 0) return refused(state, 'No price would change.');
  const priced = real.reduce((next, { variant, after }) => (
    updateItem(next, 'variants', variant, (each) => ({ ...each, price: after }))), state);
  return addItem(priced, 'priceChanges', 'b', {
    title, at: state.now, entries: real, reverted: null,
  }).state;
}

const entriesIn = (state, scope, change) => Object.values(state.variants)
  .filter(({ id, status }) => status === 'active' && isInScope(state, scope, id))
  .map(({ id, price }) => ({ variant: id, before: price, after: change(price) }));

function changedOne(state, { variant, price }) {
  const before = state.variants[variant]?.price;
  if (!Number.isInteger(price) || price <= 0) return refused(state, 'A price is above zero.');
  return withPrices(state, 'by hand', [{ variant, before, after: price }]);
}

function changedMany(state, { scope, percent, title }) {
  return withPrices(state, title, entriesIn(state, scope, (price) => (
    shelfPrice(price + percentOf(price, percent)))));
}

/** Takes back a change: prices that were changed again since then stay. */
function reverted(state, { id }) {
  const change = state.priceChanges[id];
  if (!change || change.reverted !== null) return refused(state, 'This change is taken back.');
  const back = change.entries.filter(({ variant, after }) => (
    state.variants[variant].price === after));
  const priced = back.reduce((next, { variant, before }) => (
    updateItem(next, 'variants', variant, (each) => ({ ...each, price: before }))), state);
  const marked = updateItem(priced, 'priceChanges', id, (each) => (
    { ...each, reverted: state.now }));
  const kept = change.entries.length - back.length;
  return informed(marked, kept ? `${kept} prices have changed since then and stay.`
    : 'All prices are as before.');
}

const planned = (state, { at, scope, percent, title }) => addItem(
  state, 'plannedPrices', 'q', { at, scope, percent, title }).state;

/** Makes the planned changes whose time has come, the earliest first. */
export function withDuePrices(state) {
  const due = Object.values(state.plannedPrices).filter(({ at }) => at <= state.now)
    .sort((one, other) => one.at - other.at);
  return due.reduce((next, plan) => changedMany(
    { ...next, plannedPrices: without(next.plannedPrices, plan.id) }, plan), state);
}

// --- Sales and lists

function saleAdded(state, { title, scope, percent, from, until }) {
  if (until !== null && until <= from) return refused(state, 'A sale ends after it begins.');
  return addItem(state, 'sales', 's', { title, scope, percent, from, until }).state;
}

const listed = (state, { group, percent, entries }) => ({
  ...state, priceLists: { ...state.priceLists, [group]: { group, percent, entries } },
});

function listEntry(state, { group, variant, price }) {
  const list = state.priceLists[group];
  if (!list) return refused(state, 'There is no such price list.');
  const entries = price === null ? without(list.entries, variant)
    : { ...list.entries, [variant]: price };
  return listed(state, { ...list, entries });
}

/** The regular prices that a variant had, for the page of a product. */
export const priceHistory = (state, variant) => Object.values(state.priceChanges)
  .flatMap((change) => change.entries.filter((entry) => entry.variant === variant)
    .map(({ before, after }) => ({ at: change.at, title: change.title, before, after })))
  .sort((one, other) => one.at - other.at);

export const priceActions = {
  'price/changed': changedOne,
  'prices/changed': changedMany,
  'prices/reverted': reverted,
  'prices/planned': planned,
  'sale/added': saleAdded,
  'sale/ended': (state, { id }) => updateItem(state, 'sales', id, (sale) => (
    { ...sale, until: state.now })),
  'list/written': listed,
  'list/entry': listEntry,
};
