// The settings of this screen: zoom, place, tool, grid.
export const initialView = {
  zoom: 1, x: 0, y: 0, tool: 'select', grid: { isOn: true, size: 8 }, hover: null, panel: 'style',
};

const within = (value, least, most) => Math.min(most, Math.max(least, value));

export function viewReducer(state, action) {
  switch (action.type) {
    case 'zoomed': return { ...state, zoom: within(state.zoom * action.by, 0.1, 8) };
    case 'zoom reset': return { ...state, zoom: 1, x: 0, y: 0 };
    case 'panned': return { ...state, x: state.x + action.dx, y: state.y + action.dy };
    case 'tool chosen': return { ...state, tool: action.tool };
    case 'grid switched': return { ...state, grid: { ...state.grid, isOn: !state.grid.isOn } };
    case 'hovered': return state.hover === action.id ? state : { ...state, hover: action.id };
    case 'panel opened': return { ...state, panel: action.panel };
    default: return state;
  }
}
