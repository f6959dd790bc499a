// The conversations of a place: of a label, of a saved search, or of a search.
import { contextOf } from './mailbox.mjs';
import { grouped } from './lists.mjs';
import { search } from './searchIndex.mjs';

const HIDING = ['spam', 'trash'];

/** Spam and deleted messages appear only in their own places. */
function isHidden({ labels }, place) {
  return HIDING.some((id) => labels.includes(id) && place.id !== id);
}

/** The messages of a place. */
function messageIdsIn(state, place) {
  switch (place.kind) {
    case 'label':
      return Object.values(state.messages)
        .filter((message) => message.labels.includes(place.id) && !isHidden(message, place))
        .map(({ id }) => id);
    case 'saved': return state.searches.members[place.id] ?? [];
    default:
      return search(place.query, state.index, state.messages, contextOf(state))
        .filter((id) => !isHidden(state.messages[id], place));
  }
}

export function threadIdsIn(state, place) {
  const messages = messageIdsIn(state, place).map((id) => state.messages[id]).filter(Boolean);
  return [...grouped(messages, ({ threadId }) => threadId).keys()]
    .filter((id) => state.threads[id])
    .sort((one, other) => state.threads[other].lastAt - state.threads[one].lastAt
      || (one < other ? -1 : 1));
}

export function shownThreadIds(state) {
  const { place, page } = state.view, { pageSize } = state.settings;
  return threadIdsIn(state, place).slice(page * pageSize, (page + 1) * pageSize);
}
