// The reader's reservations, loans and list for later.
export const initialAccount = { reservations: {}, loans: {}, list: [], fees: 0 };

const without = (all, id) => {
  const { [id]: _, ...rest } = all;
  return rest;
};

export function accountReducer(state, { type, payload, meta }) {
  const { reservations, loans, list } = state;
  switch (type) {
    case 'books/reserve/pending':
      return { ...state, reservations: { ...reservations, [meta.arg]: { status: 'asked' } } };
    case 'books/reserve/fulfilled': {
      const { place } = payload;
      return {
        ...state, reservations: { ...reservations, [meta.arg]: { status: 'waiting', place } },
      };
    }
    case 'books/reserve/rejected':
    case 'books/unreserve/fulfilled':
      return { ...state, reservations: without(reservations, meta.arg) };
    case 'account/lent':
      return {
        ...state, reservations: without(reservations, payload.id),
        loans: { ...loans, [payload.id]: { due: payload.due, renewals: 0 } },
      };
    case 'account/returned':
      return { ...state, loans: without(loans, payload.id), fees: state.fees + payload.fee };
    case 'loans/renew/fulfilled': {
      const loan = loans[meta.arg];
      if (!loan) return state;
      const renewed = { due: payload.due, renewals: loan.renewals + 1 };
      return { ...state, loans: { ...loans, [meta.arg]: renewed } };
    }
    case 'list/toggled':
      return {
        ...state,
        list: list.includes(payload) ? list.filter((id) => id !== payload) : [...list, payload],
      };
    case 'account/paid':
      return { ...state, fees: 0 };
    default:
      return state;
  }
}
