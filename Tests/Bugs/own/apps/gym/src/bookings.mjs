// The bookings of this member, by id.
export const initialBookings = {};

export const bookingOf = ({ bookings }, classId) =>
  Object.values(bookings).find((each) => each.classId === classId && each.status !== 'cancelled');

const changed = (state, id, change) =>
  (state[id] ? { ...state, [id]: { ...state[id], ...change } } : state);

export function bookingsReducer(state, { type, payload, meta }) {
  switch (type) {
    case 'bookings/book/fulfilled': return { ...state, [payload.id]: payload };
    case 'bookings/cancel/pending': return changed(state, meta.arg, { status: 'cancelling' });
    case 'bookings/cancel/fulfilled': return changed(state, meta.arg, { status: 'cancelled' });
    case 'bookings/cancel/rejected': return changed(state, meta.arg, { status: payload.before });
    case 'bookings/movedUp': return changed(state, payload.id, { status: 'booked' });
    case 'classes/ended':
      return Object.fromEntries(
        Object.entries(state).filter(([, { classId }]) => !payload.ids.includes(classId)));
    default: return state;
  }
}
