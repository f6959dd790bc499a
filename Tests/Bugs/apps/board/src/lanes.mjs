import { movedTo, without } from './lists.mjs';
import { changed, omitted, patched } from './records.mjs';
import { tidied } from './text.mjs';

/** The lane for cards without one. It is always the last one and cannot be removed. */
export const REST = 'rest';

export const initialLanes = {
  byId: { rest: { id: REST, title: 'Everything else', color: 'grey', isCollapsed: false } },
  order: [REST],
};

export function lanesReducer(lanes, action) {
  const edit = (patch) => {
    const byId = changed(lanes.byId, action.id, (lane) => patched(lane, patch));
    return byId === lanes.byId ? lanes : { ...lanes, byId };
  };
  switch (action.type) {
    case 'lanes/added': {
      if (lanes.byId[action.id]) return lanes;
      const lane = {
        id: action.id,
        title: tidied(action.title),
        color: action.color ?? 'grey',
        isCollapsed: false,
      };
      return {
        byId: { ...lanes.byId, [lane.id]: lane },
        order: [...without(lanes.order, REST), lane.id, REST],
      };
    }
    case 'lanes/renamed':
      return edit({ title: tidied(action.title) });
    case 'lanes/recolored':
      return edit({ color: action.color });
    case 'lanes/collapsed':
      return edit({ isCollapsed: !lanes.byId[action.id]?.isCollapsed });
    case 'lanes/moved': {
      if (action.id === REST) return lanes;
      const others = without(lanes.order, REST);
      return { ...lanes, order: [...movedTo(others, action.id, action.index), REST] };
    }
    case 'lanes/removed':
      if (action.id === REST) return lanes;
      return { byId: omitted(lanes.byId, action.id), order: without(lanes.order, action.id) };
    default:
      return lanes;
  }
}

export function laneNamed(lanes, title) {
  const wanted = tidied(title).toLowerCase();
  return lanes.order.find((id) => lanes.byId[id].title.toLowerCase() === wanted);
}
