// The classes of the coming days.
export const initialClasses = {};

const seats = (state, id, taken) =>
  (state[id] ? { ...state, [id]: { ...state[id], taken } } : state);

export function classesReducer(state, { type, payload, meta }) {
  switch (type) {
    case 'classes/loaded':
      return { ...state, ...Object.fromEntries(payload.map((each) => [each.id, each])) };
    case 'classes/seatsChanged': return seats(state, payload.id, payload.taken);
    case 'classes/ended':
      return Object.fromEntries(
        Object.entries(state).filter(([id]) => !payload.ids.includes(id)));
    case 'bookings/book/fulfilled':
      return seats(state, meta.arg.classId, payload.taken);
    default: return state;
  }
}
