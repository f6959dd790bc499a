import { dayOf } from './dates.mjs';
import { toggled, without } from './lists.mjs';
import { omitted } from './records.mjs';
import { parsedQuery } from './query.mjs';
import { tidied } from './text.mjs';

export const initialFilters = {
  text: '', query: { groups: [], problems: [] }, labelIds: [], memberIds: [], saved: {},
  recent: [],
};

export function filtersReducer(filters, action, now) {
  switch (action.type) {
    case 'filters/typed':
      return typed(filters, action.text, now);
    case 'filters/labelToggled':
      return { ...filters, labelIds: toggled(filters.labelIds, action.id) };
    case 'filters/memberToggled':
      return { ...filters, memberIds: toggled(filters.memberIds, action.id) };
    case 'filters/cleared':
      return { ...remembered(filters), ...emptied() };
    case 'filters/saved': {
      const { text, labelIds, memberIds } = filters;
      const name = tidied(action.name);
      return name ? {
        ...filters, saved: { ...filters.saved, [name]: { text, labelIds, memberIds } },
      } : filters;
    }
    case 'filters/applied': {
      const saved = filters.saved[action.name];
      if (!saved) return filters;
      return typed({ ...filters, ...saved }, saved.text, now);
    }
    case 'filters/forgotten':
      return { ...filters, saved: omitted(filters.saved, action.name) };
    case 'labels/removed':
      return withoutLabel(filters, action.id);
    case 'labels/merged':
      return action.from === action.to ? filters : withoutLabel(filters, action.from);
    case 'members/left':
      return { ...filters, memberIds: without(filters.memberIds, action.id) };
    default:
      return filters;
  }
}

function emptied() {
  const { text, query, labelIds, memberIds } = initialFilters;
  return { text, query, labelIds, memberIds };
}

function typed(filters, text, now) {
  return { ...filters, text, query: parsedQuery(text, dayOf(now)) };
}

function remembered(filters) {
  const text = tidied(filters.text);
  if (!text) return filters;
  return { ...filters, recent: [text, ...without(filters.recent, text)].slice(0, 8) };
}

function withoutLabel(filters, id) {
  const labelIds = without(filters.labelIds, id);
  let isChanged = labelIds !== filters.labelIds;
  const saved = {};
  for (const [name, each] of Object.entries(filters.saved)) {
    const left = without(each.labelIds, id);
    saved[name] = left === each.labelIds ? each : { ...each, labelIds: left };
    isChanged ||= left !== each.labelIds;
  }
  return isChanged ? { ...filters, labelIds, saved } : filters;
}

export function isFiltering(filters) {
  return filters.query.groups.length > 0 || filters.labelIds.length > 0
    || filters.memberIds.length > 0;
}

/** Whether the chosen labels and members let a card through: one of each is enough. */
export function passesChoices(filters, card) {
  const hasLabel = filters.labelIds.length === 0
    || filters.labelIds.some((id) => card.labelIds.includes(id));
  const hasMember = filters.memberIds.length === 0
    || filters.memberIds.some((id) => card.memberIds.includes(id));
  return hasLabel && hasMember;
}
