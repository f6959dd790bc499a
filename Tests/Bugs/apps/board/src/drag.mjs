// A card under the pointer: it moves when it is dropped, and where the pointer was last.
import { placeOf } from './placement.mjs';

export const initialDrag = null;

export function dragReducer(drag, action) {
  switch (action.type) {
    case 'drag/started':
      return { ids: action.ids, over: null };
    case 'drag/over':
      return drag && { ...drag, over: placeUnder(action) };
    case 'drag/left':
      return drag && { ...drag, over: null };
    case 'drag/dropped':
    case 'drag/cancelled':
      return null;
    default:
      return drag;
  }
}

/** The upper half of a card is the place before it, the lower half that behind it. */
function placeUnder({ columnId, laneId, index, isLowerHalf }) {
  return { columnId, laneId, index: isLowerHalf ? index + 1 : index };
}

/** The action of a drop; undefined when the card was dropped outside. */
export function dropAction(drag, placement, at) {
  if (!drag?.over) return undefined;
  if (drag.ids.length > 1) return { type: 'bulk/moved', ids: drag.ids, ...drag.over, at };
  const [id] = drag.ids;
  const before = placeOf(placement, id);
  const isSameCell = before?.columnId === drag.over.columnId
    && before.laneId === drag.over.laneId;
  // The pointer counts the card itself, which leaves its place.
  const index = isSameCell && before.index < drag.over.index
    ? drag.over.index - 1 : drag.over.index;
  return { type: 'cards/moved', id, ...drag.over, index, at };
}
