// A family's budget for each thing in each month, and the rest of it.
import { addMonths, monthOf, monthsBetween } from './dates.mjs';
import { inMonth } from './balances.mjs';
import { sum } from './money.mjs';
import { omitted } from './records.mjs';

export const initialBudgets = { plans: {}, keeps: {}, spent: {}, left: {} };

export function budgetsReducer(budgets, action) {
  switch (action.type) {
    case 'budgets/planned':
      return planned(budgets, action.account, action.month, action.amount);
    case 'budgets/copied': {
      const from = addMonths(action.month, -1);
      return Object.keys(budgets.plans).reduce((all, account) => {
        const amount = planFor(all, account, from);
        return amount ? planned(all, account, action.month, amount) : all;
      }, budgets);
    }
    case 'budgets/shifted': {
      const { from, to, month, amount } = action;
      if (amount <= 0 || from === to) return budgets;
      const less = planned(budgets, from, month, planFor(budgets, from, month) - amount);
      return planned(less, to, month, planFor(less, to, month) + amount);
    }
    case 'budgets/kept':
      return { ...budgets, keeps: { ...budgets.keeps, [action.account]: action.isKept } };
    case 'budgets/dropped':
    case 'accounts/removed': {
      const id = action.account ?? action.id;
      return {
        plans: omitted(budgets.plans, id),
        keeps: omitted(budgets.keeps, id),
        spent: omitted(budgets.spent, id),
        left: omitted(budgets.left, id),
      };
    }
    default:
      return budgets;
  }
}

function planned(budgets, account, month, amount) {
  const plan = { ...budgets.plans[account], [month]: amount };
  return { ...budgets, plans: { ...budgets.plans, [account]: plan } };
}

function planFor(budgets, account, month) {
  return budgets.plans[account]?.[month] ?? 0;
}

/** The first month of each planned account that changed transactions are in. */
function touchedMonths(budgets, changes) {
  const first = {};
  for (const { before, after } of changes) {
    for (const transaction of [before, after]) {
      if (!transaction) continue;
      const month = monthOf(transaction.date);
      for (const { account } of transaction.postings) {
        if (!budgets.plans[account]) continue;
        if (!first[account] || month < first[account]) first[account] = month;
      }
    }
  }
  return first;
}

/** Accounts whose plan changed are worked out anew from the first month of their plan. */
function changedPlans(before, after) {
  const first = {};
  for (const account of Object.keys(after.plans)) {
    const isSame = before.plans[account] === after.plans[account]
      && before.keeps[account] === after.keeps[account];
    if (!isSame) first[account] = Object.keys(after.plans[account]).sort()[0];
  }
  return first;
}

/** The months of one account from a month on: what was spent, and what is left at their ends. */
function workedOut(budgets, balances, account, from, to) {
  const spent = { ...budgets.spent[account] };
  const left = { ...budgets.left[account] };
  // A month in which nothing happened has no entry yet.
  const next = Object.keys(left).sort().map((month) => addMonths(month, 1)).pop();
  const months = monthsBetween(next && next < from ? next : from, to);
  for (const month of months) {
    spent[month] = inMonth(balances, account, month);
    const kept = budgets.keeps[account] ? left[addMonths(month, -1)] ?? 0 : 0;
    left[month] = kept + planFor(budgets, account, month) - spent[month];
  }
  return {
    ...budgets,
    spent: { ...budgets.spent, [account]: spent },
    left: { ...budgets.left, [account]: left },
  };
}

/** Budgets after changes, up to the last month that anything is known of. */
export function rebudgeted(before, after, changes, balances, today) {
  const first = { ...changedPlans(before, after) };
  for (const [account, month] of Object.entries(touchedMonths(after, changes))) {
    if (!first[account] || month < first[account]) first[account] = month;
  }
  let next = after;
  for (const [account, from] of Object.entries(first)) {
    const months = [monthOf(today), ...Object.keys(after.plans[account]),
      ...Object.keys(after.left[account] ?? {})];
    const to = months.sort()[months.length - 1];
    next = workedOut(next, balances, account, from, to);
  }
  return next;
}

/** The table of a month: a line for each planned account, and their sums. */
export function budgetTable(budgets, month) {
  const lines = Object.keys(budgets.plans).map((account) => ({
    account,
    plan: planFor(budgets, account, month),
    spent: budgets.spent[account]?.[month] ?? 0,
    left: budgets.left[account]?.[month] ?? 0,
    kept: budgets.keeps[account] ? budgets.left[account]?.[addMonths(month, -1)] ?? 0 : 0,
  }));
  const total = (field) => sum(lines.map((line) => line[field]));
  return { lines, plan: total('plan'), spent: total('spent'), left: total('left') };
}

/** The planned accounts that are over their budget in a month, the worst first. */
export function overspent(budgets, month) {
  return budgetTable(budgets, month).lines.filter(({ left }) => left < 0)
    .sort((one, other) => one.left - other.left)
    .map(({ account, left }) => ({ account, by: -left }));
}
