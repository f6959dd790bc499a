// The marked conversations of the list, and the cursor.
import { union, without } from './lists.mjs';
import { shownThreadIds } from './threadList.mjs';

export const noSelection = { ids: [], anchor: null, cursor: null };

function toggled(state, { threadId }) {
  const { ids } = state.selection;
  const next = ids.includes(threadId) ? without(ids, [threadId]) : [...ids, threadId];
  return { ...state, selection: { ids: next, anchor: threadId, cursor: threadId } };
}

/** Marks all threads from the anchor to a thread. */
function extended(state, { threadId }) {
  const shown = shownThreadIds(state), { ids, anchor } = state.selection;
  const from = shown.indexOf(anchor), to = shown.indexOf(threadId);
  if (from < 0 || to < 0) return toggled(state, { threadId });
  const range = shown.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ...state, selection: { ids: union(ids, range), anchor, cursor: threadId } };
}

function chosen(state, { which }) {
  const threads = shownThreadIds(state).map((id) => state.threads[id]);
  const fits = {
    all: () => true, none: () => false, unread: ({ unread }) => unread > 0,
    read: ({ unread }) => unread === 0, starred: ({ labels }) => labels.includes('starred'),
  }[which];
  return { ...state, selection: { ...noSelection, ids: threads.filter(fits).map(({ id }) => id) } };
}

export function movedCursor(state, by) {
  const shown = shownThreadIds(state);
  if (shown.length === 0) return state;
  const at = shown.indexOf(state.selection.cursor);
  const next = at < 0 ? 0 : Math.max(0, Math.min(shown.length - 1, at + by));
  return { ...state, selection: { ...state.selection, cursor: shown[next] } };
}

/** The targets of a command: marked threads, else the open one, else the one at the cursor. */
export function targetsOf({ selection, view, threads }) {
  const marked = selection.ids.filter((id) => threads[id]);
  if (marked.length) return marked;
  const one = view.openThreadId ?? selection.cursor;
  return one && threads[one] ? [one] : [];
}

export const selectionHandlers = {
  'selection/toggled': toggled,
  'selection/extended': extended,
  'selection/chosen': chosen,
};
