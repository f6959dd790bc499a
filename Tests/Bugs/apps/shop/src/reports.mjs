// Figures of each month, kept up to date with each order and return.
import { monthKey } from './calendar.mjs';
import { pathOf } from './categories.mjs';
import { productOf } from './catalogue.mjs';
import { sumOf } from './money.mjs';
import { countIn, put } from './tables.mjs';

const emptyMonth = {
  orders: 0, revenue: 0, tax: 0, discounts: 0, refunds: 0,
  byCategory: {}, byRegion: {}, byVariant: {},
};

const monthOf = (state, key) => state.months[key] ?? emptyMonth;

const topCategory = (state, variant) => pathOf(state, productOf(state, variant).category)[0];

function withLines(state, month, lines, sign) {
  return lines.reduce((next, { variant, quantity, amount }) => ({
    ...next,
    byCategory: countIn(next.byCategory, topCategory(state, variant), sign * amount),
    byVariant: countIn(next.byVariant, variant, sign * quantity),
  }), month);
}

/** Adds an order to its month, or takes it out again. */
function counted(state, order, sign) {
  const key = monthKey(order.placed);
  const month = monthOf(state, key);
  const tax = sumOf(order.lines, (line) => line.tax) + order.shipping.tax;
  const lines = order.lines.map(({ variant, quantity, net }) => (
    { variant, quantity, amount: net }));
  const next = withLines(state, {
    ...month,
    orders: month.orders + sign,
    revenue: month.revenue + sign * (order.total - tax),
    tax: month.tax + sign * tax,
    discounts: month.discounts + sign * sumOf(order.discounts, ({ amount }) => amount),
    byRegion: countIn(month.byRegion, order.region, sign * order.total),
  }, lines, sign);
  return { ...state, months: put(state.months, key, next) };
}

export const withSale = (state, order) => counted(state, order, 1);
export const withoutSale = (state, order) => counted(state, order, -1);

/** A return counts in the month in which it is settled. */
export function withReturn(state, order, lines, amount) {
  const key = monthKey(state.now);
  const month = monthOf(state, key);
  const back = lines.map(({ line, quantity, amount: worth }) => (
    { variant: order.lines.find((each) => each.id === line).variant, quantity, amount: worth }));
  const next = withLines(state, { ...month, refunds: month.refunds + amount }, back, -1);
  return { ...state, months: put(state.months, key, next) };
}

const ranked = (table) => Object.entries(table).sort(([one, first], [other, second]) => (
  second - first || one.localeCompare(other)));

/** The figures of a month as the page of the owner shows them. */
export function monthReport(state, key) {
  const month = monthOf(state, key);
  return {
    orders: month.orders,
    revenue: month.revenue,
    mean: month.orders ? Math.round(month.revenue / month.orders) : 0,
    returned: month.revenue ? Math.round(month.refunds / month.revenue * 1000) / 10 : 0,
    categories: ranked(month.byCategory).map(([id, amount]) => (
      { title: state.categories[id].title, amount })),
    regions: ranked(month.byRegion),
    best: ranked(month.byVariant).slice(0, 5),
  };
}

/** The growth from one month to the next, in percent. */
export function growthOf(state, before, after) {
  const [old, fresh] = [monthOf(state, before).revenue, monthOf(state, after).revenue];
  return old === 0 ? null : Math.round((fresh - old) / old * 1000) / 10;
}
