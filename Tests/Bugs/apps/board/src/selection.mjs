import { between, toggled, withElement, withoutAll } from './lists.mjs';

export const initialSelection = { ids: [], anchor: null };

export function selectionReducer(selection, action) {
  switch (action.type) {
    case 'selection/toggled':
      return { ids: toggled(selection.ids, action.id), anchor: action.id };
    case 'selection/ranged':
      return ranged(selection, action);
    case 'selection/cleared':
      return selection.ids.length ? initialSelection : selection;
    case 'cards/archived':
    case 'cards/deleted':
      return freed(selection, [action.id]);
    case 'bulk/archived':
      return freed(selection, action.ids);
    default:
      return selection;
  }
}

/** With Shift: all cards from the last chosen one to this one, as they are on the screen. */
function ranged(selection, { id, visible }) {
  if (!selection.anchor) return { ids: withElement(selection.ids, id), anchor: id };
  const range = between(visible, selection.anchor, id);
  return { ids: range.reduce(withElement, selection.ids), anchor: selection.anchor };
}

function freed(selection, ids) {
  const left = withoutAll(selection.ids, ids);
  if (left === selection.ids) return selection;
  return { ids: left, anchor: left.includes(selection.anchor) ? selection.anchor : null };
}
