// Costs that several people share, as in a flat: who paid, for whom, and who owes whom.
import { allocated, sum } from './money.mjs';
import { mappedValues, omitted } from './records.mjs';

export const initialShared = { people: {}, costs: {}, settled: [] };

export function sharedReducer(shared, action) {
  switch (action.type) {
    case 'shared/joined':
      return {
        ...shared,
        people: { ...shared.people, [action.id]: { name: action.name, weight: 1 } },
      };
    case 'shared/weighted':
      return shared.people[action.id] ? {
        ...shared,
        people: {
          ...shared.people,
          [action.id]: { ...shared.people[action.id], weight: action.weight },
        },
      } : shared;
    case 'shared/added': {
      const { id, by, amount, date, text } = action;
      const among = action.among ?? Object.keys(shared.people);
      if (amount <= 0 || among.length === 0) return shared;
      const parts = partsFor(shared.people, among, amount);
      return { ...shared, costs: { ...shared.costs, [id]: { id, by, amount, date, text, parts } } };
    }
    case 'shared/removed':
      return { ...shared, costs: omitted(shared.costs, action.id) };
    case 'shared/settled': {
      const entry = { from: action.from, to: action.to, amount: action.amount, date: action.date };
      return { ...shared, settled: [...shared.settled, entry] };
    }
    default:
      return shared;
  }
}

function partsFor(people, among, amount) {
  const parts = allocated(amount, among.map((id) => people[id].weight));
  return Object.fromEntries(among.map((id, index) => [id, parts[index]]));
}

/** The money that each person gets back; below zero, their debt. */
export function standings(shared) {
  const balances = mappedValues(shared.people, () => 0);
  for (const { by, amount, parts } of Object.values(shared.costs)) {
    balances[by] += amount;
    for (const [id, part] of Object.entries(parts)) balances[id] -= part;
  }
  for (const { from, to, amount } of shared.settled) {
    balances[from] += amount;
    balances[to] -= amount;
  }
  return balances;
}

/** Few payments that settle all: the one who owes most pays the one who is owed most. */
export function settlement(shared) {
  const left = { ...standings(shared) };
  const payments = [];
  for (let round = 0; round < Object.keys(left).length; round += 1) {
    const ids = Object.keys(left).sort((one, other) => left[one] - left[other]);
    const [from, to] = [ids[0], ids[ids.length - 1]];
    const amount = Math.min(-left[from], left[to]);
    if (!(amount > 0)) break;
    payments.push({ from, to, amount });
    left[from] += amount;
    left[to] -= amount;
  }
  return payments;
}

export function sharedTotal(shared) {
  return sum(Object.values(shared.costs).map(({ amount }) => amount));
}
