// The card that the keyboard is on.
import { visibleBoard } from './selectors.mjs';

export const initialFocus = { id: null };

function gridOf(state) {
  return visibleBoard(state).map((column) => column.lanes.flatMap((lane) => lane.cardIds));
}

function positionIn(grid, id) {
  const column = grid.findIndex((ids) => ids.includes(id));
  return column < 0 ? undefined : { column, row: grid[column].indexOf(id) };
}

function beside(grid, { column, row }, by) {
  for (let next = column + by; grid[next]; next += by) {
    if (grid[next].length) return grid[next][Math.min(row, grid[next].length - 1)];
  }
  return grid[column][row];
}

export function focusReducer(focus, action, state) {
  switch (action.type) {
    case 'focus/set':
      return { id: action.id };
    case 'focus/moved': {
      const grid = gridOf(state);
      const position = positionIn(grid, focus.id);
      if (!position) return { id: grid.flat()[0] ?? null };
      const { column, row } = position;
      switch (action.direction) {
        case 'up': return { id: grid[column][Math.max(0, row - 1)] };
        case 'down': return { id: grid[column][Math.min(grid[column].length - 1, row + 1)] };
        case 'left': return { id: beside(grid, position, -1) };
        default: return { id: beside(grid, position, 1) };
      }
    }
    case 'cards/archived':
    case 'cards/deleted':
      return focus.id === action.id ? initialFocus : focus;
    default:
      return focus;
  }
}
