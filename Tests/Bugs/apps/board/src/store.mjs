// The whole state: what the team shares (`content`), and what only this screen has.
import { initialActivity, logged } from './activity.mjs';
import { automationReducer, followUps, initialAutomation, ran } from './automation.mjs';
import { changesBetween, isNothing } from './changes.mjs';
import { contentReducer, initialContent, sortingActions } from './content.mjs';
import { dayOf } from './dates.mjs';
import { dragReducer, dropAction, initialDrag } from './drag.mjs';
import { filtersReducer, initialFilters } from './filters.mjs';
import { focusReducer, initialFocus } from './focus.mjs';
import { forgotten, initialHistory, isUndoable, recorded, stepped } from './history.mjs';
import { importedCards } from './importing.mjs';
import { acknowledged, pulled } from './merge.mjs';
import {
  initialNotifications, notificationsReducer, notified, reminded,
} from './notifications.mjs';
import { initialPrefs, prefsReducer } from './prefs.mjs';
import { enqueued, initialQueue, queueReducer } from './queue.mjs';
import { quickAction } from './quickAdd.mjs';
import { dueCards, initialRecurring, recurringReducer } from './recurring.mjs';
import { indexed, initialIndex } from './search.mjs';
import { initialSelection, selectionReducer } from './selection.mjs';
import { counted, initialStats, statsReducer } from './stats.mjs';
import { cardFrom, initialTemplates, templatesReducer } from './templates.mjs';
import { problemOf } from './validation.mjs';

export const initialState = {
  now: 0,
  content: initialContent,
  history: initialHistory,
  queue: initialQueue,
  index: initialIndex,
  automation: initialAutomation,
  activity: initialActivity,
  notifications: initialNotifications,
  stats: initialStats,
  templates: initialTemplates,
  recurring: initialRecurring,
  filters: initialFilters,
  selection: initialSelection,
  drag: initialDrag,
  focus: initialFocus,
  prefs: initialPrefs,
  notice: null,
  lastImport: null,
};

const MOST_FOLLOW_UPS = 20;

export function reducer(state = initialState, action) {
  const timed = action.at > state.now ? { ...state, now: action.at } : state;
  const { content } = timed;
  switch (action.type) {
    case 'history/undone':
      return travelled(timed, 'back', action);
    case 'history/redone':
      return travelled(timed, 'forth', action);
    case 'sync/pulled':
      return received(timed, action);
    case 'sync/acknowledged': {
      const next = performed(timed, action);
      return { ...next, content: acknowledged(next.content, action.versions) };
    }
    case 'drag/dropped': {
      const move = dropAction(timed.drag, content.placement, action.at);
      const next = { ...timed, drag: null };
      return move ? performed(next, { ...move, by: action.by }) : next;
    }
    case 'quick/entered':
      return performed(timed, quickAction(action, content, dayOf(action.at)));
    case 'columns/sortChosen':
      return sortingActions(content, action).reduce(performed, timed);
    case 'templates/used': {
      const template = timed.templates.byId[action.id];
      if (!template) return timed;
      const add = cardFrom(template, { ...action, id: action.cardId }, content.labels);
      return performed(performed(timed, action), add);
    }
    case 'transfer/imported':
      return imported(timed, action);
    case 'clock/ticked':
      return ticked(timed, action);
    default:
      return performed(timed, action);
  }
}

function screenReducer(state, action) {
  return {
    ...state,
    queue: queueReducer(state.queue, action),
    automation: automationReducer(state.automation, action),
    notifications: notificationsReducer(state.notifications, action),
    stats: statsReducer(state.stats, action, state.content),
    templates: templatesReducer(state.templates, action, state.content),
    recurring: recurringReducer(state.recurring, action),
    filters: filtersReducer(state.filters, action, state.now),
    selection: selectionReducer(state.selection, action),
    drag: dragReducer(state.drag, action),
    focus: focusReducer(state.focus, action, state),
    prefs: prefsReducer(state.prefs, action),
    notice: action.type === 'notice/closed' ? null : state.notice,
  };
}

/** An action of a person: checked, done, continued by rules, remembered and sent. */
function performed(state, action) {
  const problem = problemOf(state.content, action);
  if (problem) return { ...state, notice: { text: problem, at: action.at ?? state.now } };
  const screen = screenReducer(state, action);
  const first = contentReducer(state.content, action);
  if (first === state.content) return screen;
  const result = continued(screen, state.content, first, action);
  const next = settled(result.state, state.content, result.content, result.changes, action);
  const history = isUndoable(action)
    ? recorded(next.history, action, result.changes) : next.history;
  return { ...next, history, queue: enqueued(next.queue, result.changes) };
}

/** Runs the rules of the board until they have nothing to add. */
function continued(state, before, first, action) {
  let { automation } = state;
  let content = first;
  let last = changesBetween(before, first, action);
  const moved = new Set(last.places.map(({ id }) => id));
  let left = MOST_FOLLOW_UPS;
  let todo = followUps(automation, last, content, state.now);
  while (todo.length && left > 0) {
    const [{ ruleId, action: next }, ...rest] = todo;
    const after = contentReducer(content, next);
    last = changesBetween(content, after, next);
    last.places.forEach(({ id }) => moved.add(id));
    content = after;
    automation = ran(automation, ruleId);
    todo = [...rest, ...followUps(automation, last, content, state.now)];
    left -= 1;
  }
  const changes = changesBetween(before, content, { type: 'all', movedIds: [...moved] });
  return { state: { ...state, automation }, content, changes };
}

/** The state with new content, and all that follows from it. */
function settled(state, before, content, changes, { by, at }) {
  const who = { by: by ?? content.members.me, at: at ?? state.now };
  return {
    ...state,
    content,
    index: indexed(state.index, before, content),
    stats: counted(state.stats, { cards: before.cards }, { cards: content.cards }),
    activity: isNothing(changes) ? state.activity : logged(state.activity, changes, who),
    notifications: notified(state.notifications, changes, content, who),
  };
}

function travelled(state, direction, action) {
  const { content, history } = stepped(state.content, state.history, direction, action.at);
  if (history === state.history) return state;
  const from = direction === 'back' ? state.history.past : state.history.future;
  const entry = from[from.length - 1];
  const movedIds = entry.places.map(({ id }) => id);
  const changes = changesBetween(state.content, content, { type: 'all', movedIds });
  const next = settled({ ...state, history }, state.content, content, changes, action);
  return { ...next, queue: enqueued(next.queue, changes) };
}

function received(state, action) {
  const { content, queue } = pulled(state.content, state.queue, action.changes);
  const deleted = action.changes.filter(({ kind }) => kind === 'deleted')
    .map(({ cardId }) => cardId);
  const movedIds = action.changes.filter(({ kind }) => kind === 'moved')
    .map(({ cardId }) => cardId);
  const changes = changesBetween(state.content, content, { type: 'all', movedIds });
  const next = settled({ ...state, queue }, state.content, content, changes, action);
  return deleted.length ? { ...next, history: forgotten(next.history, deleted) } : next;
}

function imported(state, action) {
  const { actions, report } = importedCards(action.text, state.content, {
    prefix: action.id, at: action.at, by: action.by, today: dayOf(action.at),
  });
  const next = actions.reduce(performed, state);
  return { ...next, lastImport: { ...report, at: action.at } };
}

function ticked(state, { at }) {
  const { actions, recurring } = dueCards(state.recurring, state.templates, state.content, at);
  const next = actions.reduce(performed, { ...state, recurring });
  return { ...next, notifications: reminded(next.notifications, next.content, at) };
}
