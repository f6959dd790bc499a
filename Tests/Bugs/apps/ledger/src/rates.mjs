// The worth of a currency's unit in the base currency, day by day, with gaps.
import { BASE, CURRENCIES } from './money.mjs';
import { addDays, daysBetween, isDay } from './dates.mjs';

export const initialRates = { byCurrency: {} };

export function ratesReducer(rates, action) {
  switch (action.type) {
    case 'rates/set':
      return withRate(rates, action.currency, action.date, action.rate);
    case 'rates/removed': {
      const list = listOf(rates, action.currency).filter(({ date }) => date !== action.date);
      return { byCurrency: { ...rates.byCurrency, [action.currency]: list } };
    }
    case 'rates/pasted':
      return parsedRates(action.text).rows.reduce((all, { currency, date, rate }) =>
        withRate(all, currency, date, rate), rates);
    default:
      return rates;
  }
}

const listOf = (rates, currency) => rates.byCurrency[currency] ?? [];

/** How many entries of a list in order are on this day or before. */
function countUpTo(list, date) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle].date <= date) low = middle + 1;
    else high = middle;
  }
  return low;
}

function withRate(rates, currency, date, rate) {
  if (!CURRENCIES.includes(currency) || currency === BASE || !(rate > 0)) return rates;
  const list = listOf(rates, currency);
  const at = countUpTo(list, date);
  const isThere = at > 0 && list[at - 1].date === date;
  const before = list.slice(0, isThere ? at - 1 : at);
  const next = [...before, { date, rate }, ...list.slice(at)];
  return { byCurrency: { ...rates.byCurrency, [currency]: next } };
}

/** The last rate up to a day; the first one for days before all others. */
export function rateOn(rates, currency, date) {
  if (currency === BASE) return 1;
  const list = listOf(rates, currency);
  const at = countUpTo(list, date);
  return (list[at - 1] ?? list[0])?.rate;
}

/** The days for which a rate is the last one: from its own up to the day before the next. */
export function reachOf(rates, currency, date) {
  const list = listOf(rates, currency);
  const next = list[countUpTo(list, date)];
  const isFirst = countUpTo(list, date) <= 1;
  return { from: isFirst ? '0000-01-01' : date, to: next ? addDays(next.date, -1) : '9999-12-31' };
}

/** Times of more than a week without a rate, for the hint beside the table. */
export function gapsIn(rates, currency) {
  const list = listOf(rates, currency);
  return list.slice(1).map(({ date }, index) => ({ from: list[index].date, to: date }))
    .filter(({ from, to }) => daysBetween(from, to) > 7);
}

/** A pasted table: a day, a currency and a rate on each line. */
export function parsedRates(text) {
  const rows = [];
  const problems = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (!line.trim()) continue;
    const [date, currency, value] = line.trim().split(/[\s;]+/);
    const rate = Number(value?.replace(',', '.'));
    const isFine = isDay(date) && CURRENCIES.includes(currency) && rate > 0;
    if (isFine) rows.push({ date, currency, rate });
    else problems.push({ line: index + 1, text: line.trim() });
  }
  return { rows, problems };
}
