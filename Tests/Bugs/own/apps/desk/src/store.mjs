// A help desk: tickets, and lists of them that are kept until they are out of date.
import { initialLists, listsReducer } from './lists.mjs';
import { initialTickets, ticketsReducer } from './tickets.mjs';

export const initialState = {
  me: 'ann',
  tickets: initialTickets,
  lists: initialLists,
  view: { list: null, ticket: null, reply: '' },
  running: {},
  notice: null,
};

function view(state, { type, payload }) {
  switch (type) {
    case 'view/listOpened': return { ...state, list: payload, ticket: null };
    case 'view/ticketOpened': return { ...state, ticket: payload };
    case 'view/ticketClosed': return { ...state, ticket: null };
    case 'view/replyTyped': return { ...state, reply: payload };
    case 'tickets/reply/pending': return { ...state, reply: '' };
    default: return state;
  }
}

/** The requests that run, by id. */
function running(state, { type, meta }) {
  if (!meta?.requestId) return state;
  if (type.endsWith('/pending')) {
    return { ...state, [meta.requestId]: type.replace('/pending', '') };
  }
  const { [meta.requestId]: _, ...rest } = state;
  return rest;
}

function notice(state, { type, error }) {
  if (type.endsWith('/rejected')) return error.message;
  return type === 'notice/closed' ? null : state;
}

export function reducer(state = initialState, action) {
  return {
    me: state.me,
    tickets: ticketsReducer(state.tickets, action),
    lists: listsReducer(state.lists, action, state.tickets),
    view: view(state.view, action),
    running: running(state.running, action),
    notice: notice(state.notice, action),
  };
}
