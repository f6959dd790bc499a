// The form for one expense.
import { centsFrom } from './money.mjs';

export const initialDraft = {
  id: null, what: '', amount: '', currency: 'EUR', payer: null, split: {}, isRefund: false,
};

export function draftReducer(state, action, { people, expenses }) {
  switch (action.type) {
    case 'draft/opened': {
      const split = Object.fromEntries(Object.keys(people).map((id) => [id, people[id].weight]));
      return { ...initialDraft, id: action.id, payer: action.payer, split };
    }
    case 'draft/edited': {
      const old = expenses[action.id];
      if (!old) return state;
      const amount = (Math.abs(old.amount) / 100).toFixed(2);
      return { ...old, id: action.id, amount, isRefund: old.amount < 0 };
    }
    case 'draft/typed': return { ...state, [action.field]: action.text };
    case 'draft/payerChosen': return { ...state, payer: action.id };
    case 'draft/refundSwitched': return { ...state, isRefund: !state.isRefund };
    case 'draft/shareSwitched': {
      const { [action.id]: share, ...others } = state.split;
      const weight = people[action.id].weight;
      return { ...state, split: share ? others : { ...others, [action.id]: weight } };
    }
    case 'draft/shareSet':
      return { ...state, split: { ...state.split, [action.id]: action.weight } };
    case 'draft/closed': return initialDraft;
    default: return state;
  }
}

/** The expense of a form, or what is missing. */
export function expenseFrom({ id, what, amount, currency, payer, split, isRefund }, { rates }) {
  const cents = centsFrom(amount);
  if (!id) return { problem: 'No expense is open.' };
  if (!what.trim()) return { problem: 'What was it for?' };
  if (cents === null || cents <= 0) return { problem: 'The amount is missing.' };
  if (!rates[currency]) return { problem: `The rate of ${currency} is unknown.` };
  if (!Object.keys(split).length) return { problem: 'Nobody shares this.' };
  return { expense: { what, amount: isRefund ? -cents : cents, currency, payer, split } };
}
