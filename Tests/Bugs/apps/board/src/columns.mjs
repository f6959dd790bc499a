import { insertedAt, movedTo, without } from './lists.mjs';
import { changed, omitted, patched } from './records.mjs';
import { tidied } from './text.mjs';

export const initialColumns = {
  byId: {
    todo: { id: 'todo', title: 'To do', kind: 'open', limit: null, isCollapsed: false },
    doing: { id: 'doing', title: 'Doing', kind: 'active', limit: 8, isCollapsed: false },
    review: { id: 'review', title: 'Review', kind: 'active', limit: 5, isCollapsed: false },
    done: { id: 'done', title: 'Done', kind: 'done', limit: null, isCollapsed: false },
  },
  order: ['todo', 'doing', 'review', 'done'],
};

const KINDS = ['open', 'active', 'done'];

export function columnsReducer(columns, action) {
  const edit = (patch) => {
    const byId = changed(columns.byId, action.id, (column) => patched(column, patch));
    return byId === columns.byId ? columns : { ...columns, byId };
  };
  switch (action.type) {
    case 'columns/added':
      return added(columns, action);
    case 'columns/renamed':
      return edit({ title: tidied(action.title) });
    case 'columns/limited':
      return edit({ limit: action.limit > 0 ? action.limit : null });
    case 'columns/kindChosen':
      return KINDS.includes(action.kind) ? edit({ kind: action.kind }) : columns;
    case 'columns/collapsed':
      return edit({ isCollapsed: !columns.byId[action.id]?.isCollapsed });
    case 'columns/moved': {
      const order = movedTo(columns.order, action.id, action.index);
      return { ...columns, order };
    }
    case 'columns/removed':
      return {
        byId: omitted(columns.byId, action.id),
        order: without(columns.order, action.id),
      };
    default:
      return columns;
  }
}

function added(columns, { id, title, index, kind = 'active', limit = null }) {
  if (columns.byId[id]) return columns;
  const column = { id, title: tidied(title), kind, limit, isCollapsed: false };
  return {
    byId: { ...columns.byId, [id]: column },
    order: insertedAt(columns.order, index ?? columns.order.length, id),
  };
}

export function isDone(columns, columnId) {
  return columns.byId[columnId]?.kind === 'done';
}

export function isActive(columns, columnId) {
  return columns.byId[columnId]?.kind === 'active';
}

export function firstOfKind(columns, kind) {
  return columns.order.find((id) => columns.byId[id].kind === kind);
}
