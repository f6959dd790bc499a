// The state of the mail program, and its reducer.
import { clockHandlers } from './clock.mjs';
import { commandHandlers } from './commands.mjs';
import { contactHandlers, noContacts } from './contacts.mjs';
import { emptyCounters } from './counters.mjs';
import { draftHandlers, noDrafts } from './drafts.mjs';
import { keyHandlers, noKeys } from './keys.mjs';
import { labelHandlers, startLabels } from './labels.mjs';
import { noticeHandlers } from './notices.mjs';
import { emptyOutbox } from './outbox.mjs';
import { noRules, ruleHandlers } from './rules.mjs';
import { noSearches } from './savedSearches.mjs';
import { emptyIndex } from './searchIndex.mjs';
import { noSelection, selectionHandlers } from './selection.mjs';
import { settingHandlers, startSettings } from './settings.mjs';
import { untaught } from './spamFilter.mjs';
import { neverSynced, syncHandlers } from './sync.mjs';
import { templateHandlers } from './templates.mjs';
import { emptyThreading } from './threading.mjs';
import { transferHandlers } from './transfer.mjs';
import { emptyUndo, undoHandlers } from './undo.mjs';
import { noVacation, vacationHandlers } from './vacation.mjs';
import { startView, viewHandlers } from './view.mjs';

export const initialState = {
  now: 0,
  account: { name: '', address: '' },
  settings: startSettings,
  messages: {},
  threads: {},
  threading: emptyThreading,
  labels: startLabels,
  counters: emptyCounters,
  index: emptyIndex,
  searches: noSearches,
  rules: noRules,
  spamFilter: untaught,
  contacts: noContacts,
  templates: {},
  drafts: noDrafts,
  vacation: noVacation,
  snoozes: [],
  outbox: emptyOutbox,
  sync: neverSynced,
  undo: emptyUndo,
  selection: noSelection,
  view: startView,
  keys: noKeys,
  notices: [],
};

const handlers = {
  ...clockHandlers, ...commandHandlers, ...contactHandlers, ...draftHandlers, ...keyHandlers,
  ...labelHandlers, ...noticeHandlers, ...ruleHandlers, ...selectionHandlers, ...settingHandlers,
  ...syncHandlers, ...templateHandlers, ...transferHandlers, ...undoHandlers, ...vacationHandlers,
  ...viewHandlers,
  'account/opened': (state, { name, address }) => ({ ...state, account: { name, address } }),
};

/** Actions are `{ type, payload, at }`; `at` is the moment by the user's clock. */
export function reducer(state = initialState, { type, payload = {}, at }) {
  if (!Object.hasOwn(handlers, type)) return state;
  return handlers[type]({ ...state, now: at }, { ...payload, before: state.now });
}
