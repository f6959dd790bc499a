// The view: place, search, page, and open conversation.
import { contextOf } from './mailbox.mjs';
import { applied, changesFor } from './gestures.mjs';
import { withNotice } from './notices.mjs';
import { describeQuery, formatQuery } from './queryFormat.mjs';
import { parseQuery } from './queryParser.mjs';
import { forgotten, savedSearch } from './savedSearches.mjs';
import { noSelection } from './selection.mjs';
import { threadIdsIn } from './threadList.mjs';

const MOST_PLACES = 12, MOST_RECENT = 8;

export const startView = {
  place: { kind: 'label', id: 'inbox' }, page: 0, openThreadId: null, back: [], recent: [],
};

function exists(state, { kind, id }) {
  if (kind === 'label') return Boolean(state.labels.byId[id]);
  return kind !== 'saved' || Boolean(state.searches.byId[id]);
}

export function shownPlace(state, place) {
  if (!exists(state, place)) return state;
  const { view } = state, { place: left, page, openThreadId } = view;
  const back = [...view.back, { place: left, page, openThreadId }].slice(-MOST_PLACES);
  return {
    ...state, selection: noSelection, view: { ...view, place, page: 0, openThreadId: null, back },
  };
}

/** Back to the last place that still exists. */
function wentBack(state) {
  const { view } = state;
  const at = view.back.findLastIndex(({ place }) => exists(state, place));
  if (at < 0) return state;
  const { place, page, openThreadId } = view.back[at];
  const isThere = openThreadId !== null && state.threads[openThreadId];
  return {
    ...state, selection: noSelection,
    view: {
      ...view, place, page, openThreadId: isThere ? openThreadId : null,
      back: view.back.slice(0, at),
    },
  };
}

function searched(state, { text }) {
  const { query, faults } = parseQuery(text, contextOf(state));
  if (faults.length) return withNotice(state, faults[0].message, { isFault: true });
  const canonical = formatQuery(query);
  const recent = [canonical, ...state.view.recent.filter((other) => other !== canonical)]
    .slice(0, MOST_RECENT);
  const next = shownPlace(state, { kind: 'search', text: canonical, query });
  return { ...next, view: { ...next.view, recent } };
}

function saved(state, { id, name, text }) {
  const { query, faults } = parseQuery(text, contextOf(state));
  if (faults.length) return withNotice(state, faults[0].message, { isFault: true });
  const title = name.trim() || describeQuery(query);
  const entry = { id, name: title, query, text: formatQuery(query) };
  return { ...state, searches: savedSearch(state, entry, contextOf(state)) };
}

export function openedThread(state, threadId) {
  if (!state.threads[threadId]) return state;
  const open = {
    ...state, view: { ...state.view, openThreadId: threadId },
    selection: { ...state.selection, cursor: threadId },
  };
  if (!state.settings.markReadOnOpen || state.threads[threadId].unread === 0) return open;
  return applied(open, changesFor(open, [threadId], { remove: ['unread'] })).state;
}

function turned(state, { by }) {
  const { view, settings } = state;
  const pages = Math.max(1, Math.ceil(threadIdsIn(state, view.place).length / settings.pageSize));
  const page = Math.max(0, Math.min(pages - 1, view.page + by));
  return page === view.page ? state
    : { ...state, selection: noSelection, view: { ...view, page } };
}

export const closedThreadView = (state) =>
  ({ ...state, view: { ...state.view, openThreadId: null } });

export const viewHandlers = {
  'view/placeShown': (state, { place }) => shownPlace(state, place),
  'view/wentBack': wentBack,
  'view/searched': searched,
  'view/pageTurned': turned,
  'view/threadOpened': (state, { threadId }) => openedThread(state, threadId),
  'view/threadClosed': closedThreadView,
  'search/saved': saved,
  'search/forgotten': (state, { id }) => ({
    ...state, searches: forgotten(state.searches, id),
    view: state.view.place.id === id ? startView : state.view,
  }),
};
