// An editor for diagrams, for `useReducer(reducer, initialState)`.
import { edited, isEdit } from './edits.mjs';
import { initialHistory, recorded, redone, undone } from './history.mjs';
import { initialView, viewReducer } from './view.mjs';

export const initialState = {
  doc: { shapes: {}, order: [], connectors: {}, groups: {} },
  history: initialHistory,
  selection: [],
  view: initialView,
};

const existing = (selection, { shapes }) => selection.every((id) => shapes[id])
  ? selection : selection.filter((id) => shapes[id]);

export function reducer(state = initialState, action) {
  if (isEdit(action.type)) {
    const { doc, undo } = edited(state.doc, action);
    if (doc === state.doc) return state;
    return {
      ...state, doc, history: recorded(state.history, action, undo),
      selection: action.type === 'shape added' ? [action.shape.id] : existing(state.selection, doc),
    };
  }
  switch (action.type) {
    case 'undo': return travelled(state, undone(state));
    case 'redo': return travelled(state, redone(state));
    case 'selected':
      return { ...state, selection: existing(action.ids, state.doc) };
    case 'selection extended':
      return state.selection.includes(action.id) || !state.doc.shapes[action.id] ? state
        : { ...state, selection: [...state.selection, action.id] };
    case 'selection cleared': return { ...state, selection: [] };
    default: {
      const view = viewReducer(state.view, action);
      return view === state.view ? state : { ...state, view };
    }
  }
}

const travelled = (state, { doc, history }) =>
  ({ ...state, doc, history, selection: existing(state.selection, doc) });
