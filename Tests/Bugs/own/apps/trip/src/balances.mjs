// Each person's balance: above zero they get money, below they owe it.
import { divided } from './money.mjs';

/** The share of each person in an expense, in cents of the base currency. */
function sharesOf({ baseAmount, split }) {
  const ids = Object.keys(split).sort();
  const shares = divided(baseAmount, ids.map((id) => split[id]));
  return Object.fromEntries(ids.map((id, at) => [id, shares[at]]));
}

function shifted(balances, expense, sign) {
  const next = { ...balances };
  next[expense.payer] += sign * expense.baseAmount;
  for (const [id, share] of Object.entries(sharesOf(expense))) next[id] -= sign * share;
  return next;
}

export const balancesWith = (balances, expense) => shifted(balances, expense, 1);
export const balancesWithout = (balances, expense) => shifted(balances, expense, -1);

/** The fewest payments that settle the trip, nearly. */
export function settlement(balances) {
  const open = Object.entries(balances).filter(([, amount]) => amount !== 0);
  const left = Object.fromEntries(open), payments = [];
  const by = (sign) => Object.keys(left).filter((id) => sign * left[id] > 0)
    .sort((one, other) => sign * (left[other] - left[one]))[0];
  for (let from = by(-1), to = by(1); from && to; from = by(-1), to = by(1)) {
    const amount = Math.min(-left[from], left[to]);
    payments.push({ from, to, amount });
    left[from] += amount;
    left[to] -= amount;
  }
  return payments;
}
