import { copiedChecklist } from './checklist.mjs';
import { addDays, dayOf } from './dates.mjs';
import { omitted } from './records.mjs';
import { tidied } from './text.mjs';

export const initialTemplates = { byId: {}, uses: {} };

export function templatesReducer(templates, action, content) {
  switch (action.type) {
    case 'templates/saved':
      return saved(templates, action, content);
    case 'templates/used': {
      const uses = { ...templates.uses, [action.id]: (templates.uses[action.id] ?? 0) + 1 };
      return templates.byId[action.id] ? { ...templates, uses } : templates;
    }
    case 'templates/removed':
      return {
        byId: omitted(templates.byId, action.id),
        uses: omitted(templates.uses, action.id),
      };
    default:
      return templates;
  }
}

function saved(templates, { id, cardId, name }, content) {
  const card = content.cards.byId[cardId];
  if (!card) return templates;
  const created = dayOf(card.createdAt);
  const dueAfter = card.due && card.due >= created
    ? Math.round((Date.parse(card.due) - Date.parse(created)) / 86_400_000) : null;
  const template = {
    id,
    name: tidied(name),
    title: card.title,
    description: card.description,
    priority: card.priority,
    estimate: card.estimate,
    labelIds: card.labelIds,
    items: card.checklist.map((item) => item.text),
    dueAfter,
  };
  return { ...templates, byId: { ...templates.byId, [id]: template } };
}

/** The action that makes a card of a template, with {day} and {week} in its title filled in. */
export function cardFrom(template, { id, columnId, laneId, at, by }, labels) {
  const day = dayOf(at);
  const title = template.title.replaceAll('{day}', day);
  const items = template.items.map((text, index) => ({ id: `t${index}`, text, isDone: false }));
  return {
    type: 'cards/added', id, title, columnId, laneId, index: 0, at, by,
    fields: {
      description: template.description,
      priority: template.priority,
      estimate: template.estimate,
      labelIds: template.labelIds.filter((labelId) => labels.byId[labelId]),
      checklist: copiedChecklist(items, id),
      due: template.dueAfter === null ? null : addDays(day, template.dueAfter),
    },
  };
}
