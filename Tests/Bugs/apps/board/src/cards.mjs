import { checklistReducer, copiedChecklist } from './checklist.mjs';
import { isActive, isDone } from './columns.mjs';
import { withElement, without } from './lists.mjs';
import { changed, mappedValues, omitted, patched } from './records.mjs';
import { tidied } from './text.mjs';

export const PRIORITIES = ['low', 'normal', 'high', 'urgent'];

export const initialCards = { byId: {}, lastNumber: 0 };

/** The fields that people edit, and that undo, the queue and the server know. */
export const FIELDS = ['title', 'description', 'due', 'estimate', 'priority', 'labelIds',
  'memberIds', 'watcherIds', 'checklist'];

/** The fields that are sets of ids: two people may change them at once. */
export const SETS = ['labelIds', 'memberIds', 'watcherIds'];

export function newCard({ id, number, title, at, by }) {
  return {
    id,
    number,
    title: tidied(title),
    description: '',
    due: null,
    estimate: null,
    priority: 'normal',
    labelIds: [],
    memberIds: [],
    watcherIds: by ? [by] : [],
    checklist: [],
    createdAt: at,
    createdBy: by ?? null,
    startedAt: null,
    doneAt: null,
    archivedAt: null,
    version: 0,
  };
}

export function cardsReducer(cards, action, columns) {
  const edit = (change) => edited(cards, [action.id], change);
  switch (action.type) {
    case 'cards/added':
      return added(cards, action);
    case 'cards/copied':
      return copied(cards, action);
    case 'cards/retitled':
      return tidied(action.title) ? edit(setting({ title: tidied(action.title) })) : cards;
    case 'cards/described':
      return edit(setting({ description: action.text.trim() }));
    case 'cards/dueSet':
      return edit(setting({ due: action.day }));
    case 'cards/dueCleared':
      return edit(setting({ due: null }));
    case 'cards/estimated':
      return edit(setting({ estimate: action.points >= 0 ? action.points : null }));
    case 'cards/prioritized':
      return PRIORITIES.includes(action.priority)
        ? edit(setting({ priority: action.priority })) : cards;
    case 'cards/moved':
    case 'bulk/moved':
      return edited(cards, action.ids ?? [action.id], (card) => moved(card, action, columns));
    case 'cards/archived':
    case 'bulk/archived':
      return edited(cards, action.ids ?? [action.id], setting({ archivedAt: action.at }));
    case 'cards/restored':
      return edit(setting({ archivedAt: null }));
    case 'cards/deleted':
      return { ...cards, byId: omitted(cards.byId, action.id) };
    default:
      return setsReducer(cards, action);
  }
}

/** Labels, members and watchers of cards, and their checklists. */
function setsReducer(cards, action) {
  const ids = action.ids ?? [action.cardId];
  switch (action.type) {
    case 'cards/labelled':
    case 'bulk/labelled':
      return edited(cards, ids, including('labelIds', action.labelId));
    case 'cards/unlabelled':
      return edited(cards, ids, excluding('labelIds', action.labelId));
    case 'cards/assigned':
    case 'bulk/assigned':
      return edited(cards, ids, including('memberIds', action.memberId));
    case 'cards/unassigned':
      return edited(cards, ids, excluding('memberIds', action.memberId));
    case 'cards/watched':
      return edited(cards, ids, including('watcherIds', action.memberId));
    case 'cards/unwatched':
      return edited(cards, ids, excluding('watcherIds', action.memberId));
    case 'labels/removed':
      return everywhere(cards, excluding('labelIds', action.id));
    case 'labels/merged':
      return everywhere(cards, (card) => relabelled(card, action.from, action.to));
    case 'members/left':
      return everywhere(cards, (card) =>
        excluding('watcherIds', action.id)(excluding('memberIds', action.id)(card)));
    default:
      if (!action.type.startsWith('checklist/')) return cards;
      return edited(cards, ids, (card) =>
        patched(card, { checklist: checklistReducer(card.checklist, action) }));
  }
}

export function edited(cards, ids, change) {
  const byId = ids.reduce((all, id) => changed(all, id, change), cards.byId);
  return byId === cards.byId ? cards : { ...cards, byId };
}

function everywhere(cards, change) {
  const byId = mappedValues(cards.byId, change);
  return byId === cards.byId ? cards : { ...cards, byId };
}

const setting = (patch) => (card) => patched(card, patch);

const including = (field, element) => (card) =>
  patched(card, { [field]: withElement(card[field], element) });

const excluding = (field, element) => (card) =>
  patched(card, { [field]: without(card[field], element) });

function relabelled(card, from, to) {
  if (from === to || !card.labelIds.includes(from)) return card;
  return { ...card, labelIds: withElement(without(card.labelIds, from), to) };
}

function added(cards, action) {
  if (cards.byId[action.id] || !tidied(action.title)) return cards;
  const number = cards.lastNumber + 1;
  const card = { ...newCard({ ...action, number }), ...(action.fields ?? {}) };
  return { byId: { ...cards.byId, [card.id]: card }, lastNumber: number };
}

function copied(cards, { id, newId, at, by }) {
  const original = cards.byId[id];
  if (!original) return cards;
  const number = cards.lastNumber + 1;
  const card = {
    ...newCard({ id: newId, number, title: `${original.title} (copy)`, at, by }),
    description: original.description,
    estimate: original.estimate,
    priority: original.priority,
    labelIds: original.labelIds,
    checklist: copiedChecklist(original.checklist, newId),
  };
  return { byId: { ...cards.byId, [newId]: card }, lastNumber: number };
}

/** The first move to work starts a card; a move to "done" ends it, and one back opens it again. */
function moved(card, { columnId, at }, columns) {
  if (isDone(columns, columnId)) {
    return patched(card, { startedAt: card.startedAt ?? at, doneAt: card.doneAt ?? at });
  }
  const startedAt = isActive(columns, columnId) ? card.startedAt ?? at : card.startedAt;
  return patched(card, { startedAt, doneAt: null });
}

export function isOpen(card) {
  return card.doneAt === null && card.archivedAt === null;
}

export function byNumber(cards, number) {
  return Object.values(cards.byId).find((card) => card.number === number);
}
