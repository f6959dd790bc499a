// The tickets that this screen knows, as the server told them last.
export const initialTickets = {};

const withAll = (state, tickets) => tickets.reduce(
  (all, ticket) => ({ ...all, [ticket.id]: { ...all[ticket.id], ...ticket } }), state);

export function ticketsReducer(state, { type, payload, meta }) {
  switch (type) {
    case 'lists/fetch/fulfilled': return withAll(state, payload);
    case 'tickets/pushed': return withAll(state, [payload]);
    case 'tickets/assign/fulfilled':
    case 'tickets/setStatus/fulfilled':
    case 'tickets/tag/fulfilled':
    case 'tickets/create/fulfilled':
    case 'tickets/reply/fulfilled': return withAll(state, [payload]);
    case 'tickets/merge/fulfilled': {
      const { gone, keep } = meta.arg;
      const merged = { id: gone, status: 'merged', mergedInto: keep };
      return withAll(state, [payload, merged]);
    }
    default: return state;
  }
}

/** The names of the lists that a ticket is in. */
export function listsOf(ticket) {
  if (!ticket || ticket.status === 'merged') return [];
  return [`assignee:${ticket.assignee}`, `status:${ticket.status}`,
    ...ticket.tags.map((tag) => `tag:${tag}`)];
}
