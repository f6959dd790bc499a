import { without } from './lists.mjs';
import { changed, omitted, patched } from './records.mjs';
import { folded, tidied } from './text.mjs';

export const COLORS = ['grey', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'violet'];

export const initialLabels = {
  byId: {
    bug: { id: 'bug', name: 'bug', color: 'red' },
    feature: { id: 'feature', name: 'feature', color: 'green' },
  },
  order: ['bug', 'feature'],
};

export function labelsReducer(labels, action) {
  const edit = (patch) => {
    const byId = changed(labels.byId, action.id, (label) => patched(label, patch));
    return byId === labels.byId ? labels : { ...labels, byId };
  };
  switch (action.type) {
    case 'labels/added':
      return added(labels, action);
    case 'labels/renamed':
      return isTaken(labels, action) ? labels : edit({ name: tidied(action.name) });
    case 'labels/recolored':
      return COLORS.includes(action.color) ? edit({ color: action.color }) : labels;
    case 'labels/removed':
      return dropped(labels, action.id);
    case 'labels/merged':
      return labels.byId[action.to] && action.from !== action.to
        ? dropped(labels, action.from) : labels;
    default:
      return labels;
  }
}

function dropped(labels, id) {
  return { byId: omitted(labels.byId, id), order: without(labels.order, id) };
}

function added(labels, { id, name, color }) {
  if (labels.byId[id] || isTaken(labels, { id, name })) return labels;
  const chosen = COLORS.includes(color) ? color : freeColor(labels);
  return {
    byId: { ...labels.byId, [id]: { id, name: tidied(name), color: chosen } },
    order: [...labels.order, id],
  };
}

function isTaken(labels, { id, name }) {
  const other = labelNamed(labels, name);
  return !tidied(name) || (other !== undefined && other.id !== id);
}

export function labelNamed(labels, name) {
  const wanted = folded(tidied(name));
  return Object.values(labels.byId).find((label) => folded(label.name) === wanted);
}

/** The color that the fewest labels have. */
function freeColor(labels) {
  const used = Object.values(labels.byId).map((label) => label.color);
  const count = (color) => used.filter((each) => each === color).length;
  return COLORS.reduce((best, color) => (count(color) < count(best) ? color : best));
}
