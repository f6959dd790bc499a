// The requests of the page.
import { bookingOf } from './bookings.mjs';

const ATTEMPTS = 3, PAUSE = 4000;

const idOf = () => Math.random().toString(36).slice(2, 14);

/** Whether this attempt to book a class may be sent. */
function mayBook(state, classId, attempt) {
  if (bookingOf(state, classId)) return false;
  const status = state.requests[classId]?.status;
  return attempt > 1 ? status === 'waiting' : status !== 'pending';
}

/** Books a class. It tries again by itself when the connection fails. */
export function book(classId, attempt = 1) {
  return async function bookClass(dispatch, getState, api) {
    if (!mayBook(getState(), classId, attempt)) return;
    const meta = { arg: { classId, attempt }, requestId: idOf() };
    dispatch({ type: 'bookings/book/pending', meta });
    try {
      const payload = await api.book(classId);
      dispatch({ type: 'bookings/book/fulfilled', payload, meta });
    } catch ({ message, isNetwork = false }) {
      const willRetry = isNetwork && attempt < ATTEMPTS;
      const error = { message, isNetwork, willRetry };
      dispatch({ type: 'bookings/book/rejected', error, meta });
      if (!willRetry) return;
      await api.wait(PAUSE * attempt);
      dispatch(book(classId, attempt + 1));
    }
  };
}

export function cancel(id) {
  return async function cancelBooking(dispatch, getState, api) {
    const before = getState().bookings[id]?.status;
    if (before !== 'booked' && before !== 'listed') return;
    const meta = { arg: id, requestId: idOf() };
    dispatch({ type: 'bookings/cancel/pending', meta });
    try {
      const payload = await api.cancel(id);
      dispatch({ type: 'bookings/cancel/fulfilled', payload, meta });
    } catch ({ message }) {
      const type = 'bookings/cancel/rejected';
      dispatch({ type, payload: { before }, error: { message }, meta });
    }
  };
}

export function buy(credits) {
  return async function buyCredits(dispatch, getState, api) {
    if (getState().wallet.isBuying) return;
    const meta = { arg: credits, requestId: idOf() };
    dispatch({ type: 'wallet/buy/pending', meta });
    try {
      const payload = await api.buy(credits);
      dispatch({ type: 'wallet/buy/fulfilled', payload, meta });
    } catch ({ message }) {
      dispatch({ type: 'wallet/buy/rejected', error: { message }, meta });
    }
  };
}
