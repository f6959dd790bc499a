// The lines of a transaction. Each moves an amount of the account's currency; `base` is its worth
// in the base currency, and the lines of a transaction are worth nothing together.
import { BASE, converted, sum } from './money.mjs';
import { rateOn } from './rates.mjs';

/** Lines as people enter them: at most one may lack its amount, which is then what is missing. */
export function builtPostings(lines, date, accounts, rates) {
  const known = lines.filter(({ amount }) => amount !== null && amount !== undefined);
  const open = lines.find(({ amount }) => amount === null || amount === undefined);
  if (lines.length - known.length > 1) return { problem: 'Only one line may be without amount.' };
  const made = known.map((line) => posting(line, date, accounts, rates));
  if (made.some((each) => each === undefined)) return { problem: 'A rate is missing.' };
  if (open) {
    const rest = restOf(open, -sum(made.map(({ base }) => base)), date, accounts, rates);
    if (!rest) return { problem: 'A rate is missing.' };
    made.push(rest);
  }
  return finished(made, accounts);
}

function posting({ account, amount, base, isCleared = false, memo = '' }, date, accounts, rates) {
  const { currency } = accounts.byId[account];
  const rate = rateOn(rates, currency, date);
  if (rate === undefined) return undefined;
  return { account, amount, base: base ?? converted(amount, currency, rate), isCleared, memo };
}

/** The line that takes what the others leave, in the currency of its account. */
function restOf(line, base, date, accounts, rates) {
  const { currency } = accounts.byId[line.account];
  if (currency === BASE) return { isCleared: false, memo: '', ...line, amount: base, base };
  const rate = rateOn(rates, currency, date);
  if (rate === undefined) return undefined;
  const amount = Math.round(base / rate);
  return { isCleared: false, memo: '', ...line, amount, base };
}

/** Lines in one currency must add up; between currencies, the rest is a gain or a loss. */
function finished(postings, accounts) {
  const rest = sum(postings.map(({ base }) => base));
  if (rest === 0) return { postings };
  const currencies = new Set(postings.map(({ account }) => accounts.byId[account].currency));
  if (currencies.size === 1 && currencies.has(BASE)) return { problem: 'The lines do not add up.' };
  return { postings: balanced(postings, accounts) };
}

/** The same lines with a last one that makes up for differences between rates. */
function balanced(postings, accounts) {
  const own = postings.filter(({ account }) => account !== 'gains');
  const rest = sum(own.map(({ base }) => base));
  if (rest === 0) return own;
  const home = own.findLastIndex(({ account }) =>
    accounts.byId[account].currency === BASE && accounts.byId[account].type === 'expense');
  // A purchase abroad is worth its cost: it makes no gain.
  if (home >= 0) {
    const { amount, base } = own[home];
    return own.with(home, { ...own[home], amount: amount - rest, base: base - rest });
  }
  return [...own, { account: 'gains', amount: -rest, base: -rest, isCleared: false, memo: '' }];
}

/** The worth of the lines with the rates of now. */
export function revalued(postings, date, accounts, rates) {
  let isChanged = false;
  const next = postings.map((each) => {
    const { currency } = accounts.byId[each.account];
    if (currency === BASE) return each;
    const base = converted(each.amount, currency, rateOn(rates, currency, date));
    isChanged ||= base !== each.base;
    return base === each.base ? each : { ...each, base };
  });
  return isChanged ? balanced(next, accounts) : postings;
}

export function amountOn(postings, accountId) {
  return sum(postings.filter(({ account }) => account === accountId).map(({ amount }) => amount));
}

export function isForeign(postings, accounts, currency) {
  return postings.some(({ account }) => accounts.byId[account]?.currency === currency);
}
