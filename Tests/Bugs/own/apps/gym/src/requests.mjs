// For each class, the request to book it: it runs (`pending`) or waits for another attempt
// (`waiting`) after the connection failed.
export const initialRequests = {};

const without = (state, classId) => {
  const { [classId]: _, ...rest } = state;
  return rest;
};

export function requestsReducer(state, { type, payload, meta, error }) {
  switch (type) {
    case 'bookings/book/pending': {
      const { classId, attempt } = meta.arg;
      return { ...state, [classId]: { status: 'pending', requestId: meta.requestId, attempt } };
    }
    case 'bookings/book/fulfilled':
      return without(state, meta.arg.classId);
    case 'bookings/book/rejected': {
      const { classId, attempt } = meta.arg;
      if (!error.willRetry) return without(state, classId);
      return { ...state, [classId]: { status: 'waiting', requestId: null, attempt } };
    }
    case 'requests/dropped':
      return state[payload]?.status === 'waiting' ? without(state, payload) : state;
    default:
      return state;
  }
}
