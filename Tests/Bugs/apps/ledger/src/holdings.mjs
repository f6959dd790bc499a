// Shares and funds: bought in lots, sold from the oldest lot on.
import { sum } from './money.mjs';

export const initialHoldings = { lots: {}, prices: {}, sales: [] };

export function holdingsReducer(holdings, action) {
  switch (action.type) {
    case 'holdings/bought': {
      const { symbol, count, cost, date } = action;
      if (count <= 0) return holdings;
      const before = holdings.lots[symbol] ?? [];
      const lots = [...before, { date, count, cost }]
        .sort((one, other) => (one.date < other.date ? -1 : Number(one.date > other.date)));
      return { ...holdings, lots: { ...holdings.lots, [symbol]: lots } };
    }
    case 'holdings/sold':
      return sold(holdings, action);
    case 'holdings/priced': {
      const { symbol, date, price } = action;
      const known = holdings.prices[symbol];
      if (known && known.date > date) return holdings;
      return { ...holdings, prices: { ...holdings.prices, [symbol]: { date, price } } };
    }
    case 'holdings/split': {
      const lots = (holdings.lots[action.symbol] ?? [])
        .map((lot) => ({ ...lot, count: lot.count * action.factor }));
      return { ...holdings, lots: { ...holdings.lots, [action.symbol]: lots } };
    }
    default:
      return holdings;
  }
}

function sold(holdings, { symbol, count, proceeds, date }) {
  const lots = holdings.lots[symbol] ?? [];
  if (count <= 0 || count > countOf(holdings, symbol)) return holdings;
  let left = count;
  let cost = 0;
  const rest = [];
  for (const lot of lots) {
    const taken = Math.min(left, lot.count);
    const part = Math.round((lot.cost * taken) / lot.count);
    left -= taken;
    cost += part;
    if (taken < lot.count) rest.push({ ...lot, count: lot.count - taken, cost: lot.cost - part });
  }
  const sale = { symbol, count, date, proceeds, cost, gain: proceeds - cost };
  return {
    ...holdings,
    lots: { ...holdings.lots, [symbol]: rest },
    sales: [...holdings.sales, sale],
  };
}

export function countOf(holdings, symbol) {
  return sum((holdings.lots[symbol] ?? []).map(({ count }) => count));
}

/** The lots, their cost, and their worth at the last known prices. */
export function portfolio(holdings) {
  return Object.keys(holdings.lots).map((symbol) => {
    const count = countOf(holdings, symbol);
    const cost = sum(holdings.lots[symbol].map((lot) => lot.cost));
    const price = holdings.prices[symbol]?.price;
    const worth = price === undefined ? cost : Math.round(count * price);
    return { symbol, count, cost, worth, gain: worth - cost };
  }).filter(({ count }) => count > 0);
}

export function gainsIn(holdings, year) {
  return sum(holdings.sales.filter(({ date }) => date.startsWith(year)).map(({ gain }) => gain));
}

/** A purchase or a sale as a transaction between the bank and the depot. */
export function holdingBooking(action, holdings) {
  const { symbol, date, account, id } = action;
  const shared = { type: 'transactions/entered', id, date, payee: symbol };
  const source = { kind: 'holding', symbol };
  if (action.type === 'holdings/bought') {
    const lines = [{ account, amount: -action.cost }, { account: 'depot', amount: action.cost }];
    return { ...shared, source, lines };
  }
  const sale = holdings.sales[holdings.sales.length - 1];
  const lines = [
    { account, amount: sale.proceeds },
    { account: 'depot', amount: -sale.cost },
    { account: 'gains', amount: -sale.gain },
  ];
  return { ...shared, source, lines: lines.filter(({ amount }) => amount !== 0) };
}
