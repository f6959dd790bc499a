// The credits of this member.
export const initialWallet = { credits: 20, history: [], isBuying: false };

const LINES = 20;

function booked(state, amount, reason) {
  const history = [{ amount, reason }, ...state.history].slice(0, LINES);
  return { ...state, credits: state.credits + amount, history };
}

export function walletReducer(state, { type, payload, meta }) {
  switch (type) {
    case 'bookings/book/fulfilled': return booked(state, -payload.cost, payload.classId);
    case 'bookings/cancel/fulfilled':
      return payload.refund ? booked(state, payload.refund, `cancelled ${meta.arg}`) : state;
    case 'wallet/buy/pending': return { ...state, isBuying: true };
    case 'wallet/buy/fulfilled':
      return { ...booked(state, payload.credits, 'bought'), isBuying: false };
    case 'wallet/buy/rejected': return { ...state, isBuying: false };
    default: return state;
  }
}
