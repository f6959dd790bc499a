// Lists of tickets by name, such as "assignee:ann". A list that is out of date is `stale`: the
// screen shows it and fetches it again.
import { listsOf } from './tickets.mjs';

export const initialLists = {};

/** The lists that an action makes stale. `tickets` is as before the action. */
function touched({ type, payload, meta }, tickets) {
  switch (type) {
    case 'tickets/pushed':
      return [...listsOf(tickets[payload.id]), ...listsOf(payload)];
    case 'tickets/create/fulfilled':
      return listsOf(payload);
    case 'tickets/assign/fulfilled':
    case 'tickets/setStatus/fulfilled':
    case 'tickets/tag/fulfilled':
      return [...listsOf(tickets[payload.id]), ...listsOf(payload)];
    case 'tickets/merge/fulfilled': {
      const { gone, keep } = meta.arg;
      return [...listsOf(tickets[gone]), ...listsOf(tickets[keep]), ...listsOf(payload)];
    }
    default:
      return [];
  }
}

const staled = (state, names) => names.reduce((lists, name) => {
  const list = lists[name];
  return list && !list.isStale ? { ...lists, [name]: { ...list, isStale: true } } : lists;
}, state);

const changed = (state, name, change) =>
  ({ ...state, [name]: { ids: [], isStale: false, ...state[name], ...change } });

export function listsReducer(state, action, tickets) {
  const { type, payload, meta } = action;
  switch (type) {
    case 'lists/fetch/pending':
      return changed(state, meta.arg, {
        status: state[meta.arg] ? 'refreshing' : 'loading', requestId: meta.requestId,
        isStale: false,
      });
    case 'lists/fetch/fulfilled':
      if (state[meta.arg]?.requestId !== meta.requestId) return state;
      return changed(state, meta.arg, {
        status: 'ready', requestId: null, ids: payload.map(({ id }) => id),
      });
    case 'lists/fetch/rejected':
      if (state[meta.arg]?.requestId !== meta.requestId) return state;
      return changed(state, meta.arg, { status: 'failed', requestId: null, isStale: true });
    case 'lists/dropped': {
      const { [payload]: _, ...rest } = state;
      return rest;
    }
    default:
      return staled(state, touched(action, tickets));
  }
}

/** Whether the screen has to fetch a list before it shows it. */
export const needsFetch = (list) => !list || list.isStale || list.status === 'failed';
