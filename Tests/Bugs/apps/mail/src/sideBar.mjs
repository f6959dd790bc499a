// The side bar: places with their counts, labels as a tree, saved searches.
import { countOf } from './counters.mjs';
import { depthOf, isWithin, nameParts, SYSTEM } from './labelNames.mjs';

const PLACES = ['inbox', 'starred', 'snoozed', 'sent', 'spam', 'trash'];
const BY_TOTAL = ['starred', 'snoozed', 'sent', 'trash'];

/** The number beside a place: its unread messages; for some places, all. */
function badge(state, id) {
  const { total, unread } = countOf(state.counters, id);
  return BY_TOTAL.includes(id) ? total : unread;
}

function labelRow(state, id) {
  const label = state.labels.byId[id];
  const inner = state.labels.order.filter((other) => isWithin(state.labels, other, id));
  const hidden = inner.reduce((sum, other) => sum + badge(state, other), 0);
  return {
    place: { kind: 'label', id }, title: nameParts(label.name).at(-1), color: label.color,
    depth: depthOf(label.name), count: badge(state, id), countWithin: hidden,
  };
}

function searchRow(state, id) {
  const { name } = state.searches.byId[id], members = state.searches.members[id];
  const unread = members.filter((messageId) => state.messages[messageId].labels.includes('unread'));
  return { place: { kind: 'saved', id }, title: name, count: unread.length, total: members.length };
}

export function sideBar(state) {
  return {
    places: PLACES.map((id) => ({
      place: { kind: 'label', id }, title: SYSTEM[id], count: badge(state, id),
    })),
    labels: state.labels.order.map((id) => labelRow(state, id)),
    searches: state.searches.order.map((id) => searchRow(state, id)),
    drafts: state.drafts.order.length,
    waiting: state.outbox.queue.length,
  };
}

/** The title of the window. */
export function windowTitle(state) {
  const { unread } = countOf(state.counters, 'inbox');
  return `${unread ? `(${unread}) ` : ''}${state.account.name || 'Mail'}`;
}
