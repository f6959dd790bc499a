// Payments of people on a trip, and their debts. Amounts are cents.
import { balancesWith, balancesWithout } from './balances.mjs';
import { draftReducer, expenseFrom, initialDraft } from './draft.mjs';
import { inBase } from './money.mjs';

export const initialState = {
  base: 'EUR',
  rates: { EUR: 1 },
  people: {},
  expenses: {},
  journal: [],
  payments: [],
  balances: {},
  draft: initialDraft,
  filter: { personId: null, text: '' },
  notice: null,
};

const asBase = (state, expense) =>
  ({ ...expense, baseAmount: inBase(expense.amount, expense.currency, state.rates) });

function added(state, id, given) {
  const expense = asBase(state, given);
  return {
    ...state, expenses: { ...state.expenses, [id]: expense }, journal: [...state.journal, id],
    balances: balancesWith(state.balances, expense),
  };
}

function changed(state, id, given) {
  const expense = asBase(state, given);
  const rest = balancesWithout(state.balances, state.expenses[id]);
  return {
    ...state, expenses: { ...state.expenses, [id]: expense }, balances: balancesWith(rest, expense),
  };
}

function removed(state, id) {
  const { [id]: gone, ...expenses } = state.expenses;
  if (!gone) return state;
  return {
    ...state, expenses, journal: state.journal.filter((each) => each !== id),
    balances: balancesWithout(state.balances, gone),
  };
}

function saved(state) {
  const { expense, problem } = expenseFrom(state.draft, state);
  if (problem) return { ...state, notice: problem };
  const { id } = state.draft;
  const next = state.expenses[id] ? changed(state, id, expense) : added(state, id, expense);
  return { ...next, draft: initialDraft, notice: null };
}

function paid(state, { from, to, amount, at }) {
  if (from === to || amount <= 0) return state;
  const { balances } = state;
  return {
    ...state, payments: [...state.payments, { from, to, amount, at }],
    balances: { ...balances, [from]: balances[from] + amount, [to]: balances[to] - amount },
  };
}

export function reducer(state = initialState, action) {
  const { type, id } = action;
  switch (type) {
    case 'people/added':
      return {
        ...state, people: { ...state.people, [id]: { name: action.name, weight: 1 } },
        balances: { ...state.balances, [id]: 0 },
      };
    case 'people/weighed':
      return {
        ...state,
        people: { ...state.people, [id]: { ...state.people[id], weight: action.weight } },
      };
    case 'rates/fetched': return { ...state, rates: { ...state.rates, ...action.rates } };
    case 'expenses/removed': return removed(state, id);
    case 'payments/made': return paid(state, action);
    case 'draft/saved': return saved(state);
    case 'filter/set': return { ...state, filter: { ...state.filter, ...action.filter } };
    case 'notice/closed': return { ...state, notice: null };
    default: {
      const draft = draftReducer(state.draft, action, state);
      return draft === state.draft ? state : { ...state, draft };
    }
  }
}
