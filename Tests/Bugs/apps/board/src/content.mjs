// The shared content of a team: it goes to the server, and undo knows it.
import { cardsReducer, initialCards } from './cards.mjs';
import { columnsReducer, initialColumns } from './columns.mjs';
import { commentsReducer, initialComments } from './comments.mjs';
import { initialLabels, labelsReducer } from './labels.mjs';
import { initialLanes, lanesReducer } from './lanes.mjs';
import { initialLinks, linksReducer } from './links.mjs';
import { initialMembers, membersReducer } from './members.mjs';
import { initialPlacement, placementReducer } from './placement.mjs';
import { sameElements } from './lists.mjs';
import { sortedIds } from './sorting.mjs';
import { initialTimers, timersReducer } from './timers.mjs';

export const initialContent = {
  columns: initialColumns,
  lanes: initialLanes,
  placement: initialPlacement,
  cards: initialCards,
  labels: initialLabels,
  members: initialMembers,
  comments: initialComments,
  links: initialLinks,
  timers: initialTimers,
};

export function contentReducer(content, action) {
  const { columns } = content;
  const next = {
    columns: columnsReducer(columns, action),
    lanes: lanesReducer(content.lanes, action),
    placement: placementReducer(content.placement, action),
    cards: cardsReducer(content.cards, action, columns),
    labels: labelsReducer(content.labels, action),
    members: membersReducer(content.members, action),
    comments: commentsReducer(content.comments, action),
    links: linksReducer(content.links, action),
    timers: timersReducer(content.timers, action),
  };
  const isSame = Object.keys(next).every((slice) => next[slice] === content[slice]);
  return isSame ? content : next;
}

/** The actions that put each lane of a column in an order, where it is not so already. */
export function sortingActions(content, { id, by, at }) {
  const lanes = Object.entries(content.placement[id] ?? {});
  return lanes.map(([laneId, ids]) => ({ laneId, ids, sorted: sortedIds(ids, content.cards, by) }))
    .filter(({ ids, sorted }) => !sameElements(ids, sorted))
    .map(({ laneId, sorted }) => ({ type: 'columns/sorted', id, laneId, by, ids: sorted, at }));
}
