// The reducer of the spreadsheet.
import { chartActions } from './charts.mjs';
import { clipboardActions } from './clipboard.mjs';
import { csvActions } from './csv.mjs';
import { selectionOfCell } from './current.mjs';
import { editorActions } from './editor.mjs';
import { fillActions } from './fill.mjs';
import { filterActions } from './filters.mjs';
import { formattingActions } from './formatting.mjs';
import { highlightActions } from './highlights.mjs';
import { emptyHistory, redo, remembered, undo } from './history.mjs';
import { noLinks } from './links.mjs';
import { nameActions } from './names.mjs';
import { noteActions } from './notes.mjs';
import { pivotActions } from './pivot.mjs';
import { searchActions } from './search.mjs';
import { selectionActions } from './selection.mjs';
import { settled } from './settle.mjs';
import { sheetActions } from './sheets.mjs';
import { sortActions } from './sort.mjs';
import { structureActions } from './structure.mjs';
import { validationActions } from './validation.mjs';
import { followed, startView, viewActions } from './view.mjs';
import { emptyWorkbook } from './workbook.mjs';

export const initialState = {
  workbook: emptyWorkbook,
  links: noLinks,
  values: { s1: {} },
  today: 0,
  active: 's1',
  selection: selectionOfCell(0, 0),
  selections: {},
  editor: null,
  clipboard: null,
  history: emptyHistory,
  search: null,
  view: startView,
  files: [],
  message: null,
};

const actions = {
  ...selectionActions,
  ...editorActions,
  ...clipboardActions,
  ...fillActions,
  ...sortActions,
  ...filterActions,
  ...structureActions,
  ...formattingActions,
  ...highlightActions,
  ...validationActions,
  ...noteActions,
  ...nameActions,
  ...searchActions,
  ...csvActions,
  ...sheetActions,
  ...pivotActions,
  ...chartActions,
  ...viewActions,
  'day/began': (state, { serial }) => ({ ...state, today: serial }),
};

const travels = { 'history/undone': undo, 'history/redone': redo };

/** An action of the user that goes into the history, if it changed the workbook. */
function performed(state, { type, payload = {} }) {
  const next = actions[type](state, payload);
  if (next === state) return state;
  const { state: current, patches } = settled(state, next);
  const shown = current.selection === state.selection ? current : followed(current);
  if (patches.length === 0) return shown;
  const entry = {
    type,
    subject: JSON.stringify([state.active, state.selection]),
    sheet: state.active,
    selection: state.selection,
    patches,
  };
  return { ...shown, history: remembered(state.history, entry) };
}

function travelled(state, change) {
  const next = change({ ...state, editor: null, message: null });
  return followed(settled(state, next).state);
}

export function reducer(state = initialState, action = {}) {
  if (travels[action.type]) return travelled(state, travels[action.type]);
  return actions[action.type] ? performed(state, action) : state;
}
