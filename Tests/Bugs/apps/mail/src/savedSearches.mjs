// Saved searches, shown in the side bar like folders. Their members are kept: a changed message is
// matched again, and all messages are when a search depends on time.
import { inserted, omit, without } from './lists.mjs';
import { dependsOnTime, matches } from './queryMatch.mjs';
import { search } from './searchIndex.mjs';

export const noSearches = { byId: {}, order: [], members: {} };

function isVisible({ labels }) {
  return !labels.includes('spam') && !labels.includes('trash');
}

export function filed(searches, before, after, context) {
  let { members } = searches;
  for (const id of searches.order) {
    const ids = members[id], { id: messageId } = after ?? before;
    const had = ids.includes(messageId);
    const has = after !== null && isVisible(after)
      && matches(searches.byId[id].query, after, context);
    if (had !== has) {
      members = {
        ...members, [id]: has ? [messageId, ...ids] : without(ids, [messageId]),
      };
    }
  }
  return members === searches.members ? searches : { ...searches, members };
}

function membersOf(query, messages, context) {
  return Object.values(messages)
    .filter((message) => isVisible(message) && matches(query, message, context))
    .sort((one, other) => other.at - one.at).map(({ id }) => id);
}

export function filedAll(searches, messages, context, isDue = () => true) {
  const members = { ...searches.members };
  for (const id of searches.order.filter((item) => isDue(searches.byId[item]))) {
    members[id] = membersOf(searches.byId[id].query, messages, context);
  }
  return { ...searches, members };
}

export const filedByTime = (searches, messages, context) =>
  filedAll(searches, messages, context, ({ query }) => dependsOnTime(query));

export function savedSearch(state, { id, name, query, text }, context) {
  const { searches, messages, index } = state;
  const names = (one, other) => (searches.byId[one]?.name ?? name)
    .localeCompare(searches.byId[other]?.name ?? name, 'en');
  const found = search(query, index, messages, context)
    .filter((messageId) => isVisible(messages[messageId]));
  return {
    byId: { ...searches.byId, [id]: { id, name, query, text } },
    order: searches.order.includes(id) ? searches.order : inserted(searches.order, id, names),
    members: { ...searches.members, [id]: found },
  };
}

export function forgotten(searches, id) {
  return {
    byId: omit(searches.byId, id), order: without(searches.order, [id]),
    members: omit(searches.members, id),
  };
}
