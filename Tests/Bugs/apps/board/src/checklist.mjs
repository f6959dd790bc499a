import { insertedAt, replacedById } from './lists.mjs';
import { patched } from './records.mjs';
import { tidied } from './text.mjs';

const LIMIT = 40;

export function checklistReducer(items, action) {
  switch (action.type) {
    case 'checklist/added':
      return added(items, action);
    case 'checklist/toggled':
      return replacedById(items, action.itemId, (item) => ({ ...item, isDone: !item.isDone }));
    case 'checklist/edited': {
      const text = tidied(action.text);
      return replacedById(items, action.itemId, (item) => (text ? patched(item, { text }) : item));
    }
    case 'checklist/moved':
      return moved(items, action);
    case 'checklist/removed':
    case 'checklist/converted':
      return items.filter((item) => item.id !== action.itemId);
    case 'checklist/cleared':
      return items.filter((item) => !item.isDone);
    default:
      return items;
  }
}

/** A pasted text of several lines makes an item of each line. */
function added(items, { itemId, text, index = items.length }) {
  const lines = text.split('\n').map((line) => tidied(line.replace(/^[-*] (\[[ x]\] )?/, '')));
  const wanted = lines.filter(Boolean).slice(0, LIMIT - items.length);
  const made = wanted.map((line, at) => ({
    id: at === 0 ? itemId : `${itemId}-${at}`,
    text: line,
    isDone: false,
  }));
  return made.reduce((all, item, at) => insertedAt(all, index + at, item), items);
}

function moved(items, { itemId, index }) {
  const item = items.find((each) => each.id === itemId);
  if (!item) return items;
  return insertedAt(items.filter((each) => each.id !== itemId), index, item);
}

export function copiedChecklist(items, cardId) {
  return items.map((item, index) => ({
    id: `${cardId}-item-${index}`,
    text: item.text,
    isDone: false,
  }));
}

export function progressOf(items) {
  const done = items.filter((item) => item.isDone).length;
  return { done, all: items.length, isComplete: items.length > 0 && done === items.length };
}

export function progressText(items) {
  const { done, all } = progressOf(items);
  return all === 0 ? '' : `${done}/${all}`;
}
