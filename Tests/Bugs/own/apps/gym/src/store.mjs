// Classes of a gym: booking, cancelling, and the credits that they cost.
import { bookingsReducer, initialBookings } from './bookings.mjs';
import { classesReducer, initialClasses } from './classes.mjs';
import { initialRequests, requestsReducer } from './requests.mjs';
import { initialWallet, walletReducer } from './wallet.mjs';

export const initialState = {
  classes: initialClasses,
  bookings: initialBookings,
  requests: initialRequests,
  wallet: initialWallet,
  screen: { day: null, openId: null, teacher: null },
  notice: null,
};

function screen(state, { type, payload }) {
  switch (type) {
    case 'screen/dayChosen': return { ...state, day: payload, openId: null };
    case 'screen/classOpened': return { ...state, openId: payload };
    case 'screen/classClosed': return { ...state, openId: null };
    case 'screen/teacherChosen': return { ...state, teacher: payload };
    default: return state;
  }
}

function notice(state, { type, error, payload }) {
  switch (type) {
    case 'bookings/book/rejected': return error.isNetwork ? state : error.message;
    case 'bookings/cancel/rejected':
    case 'wallet/buy/rejected': return error.message;
    case 'bookings/movedUp': return `You have a place now: ${payload.classId}.`;
    case 'notice/closed': return null;
    default: return state;
  }
}

export function reducer(state = initialState, action) {
  return {
    classes: classesReducer(state.classes, action),
    bookings: bookingsReducer(state.bookings, action),
    requests: requestsReducer(state.requests, action),
    wallet: walletReducer(state.wallet, action),
    screen: screen(state.screen, action),
    notice: notice(state.notice, action),
  };
}
