// Actions that people cannot do, and the message on the screen.
import { isDay } from './dates.mjs';
import { REST } from './lanes.mjs';
import { wouldCircle } from './links.mjs';
import { cell } from './placement.mjs';
import { plural, tidied } from './text.mjs';

const LONGEST_TITLE = 200;
const LONGEST_TEXT = 20_000;

function columnIsFull({ columns, placement, lanes }, columnId, ids) {
  const { limit } = columns.byId[columnId];
  if (limit === null) return false;
  const there = lanes.order.flatMap((laneId) => cell(placement, columnId, laneId));
  const coming = ids.filter((id) => !there.includes(id)).length;
  return coming > 0 && there.length + coming > limit * 2;
}

function moveProblem(content, ids, { columnId, laneId }) {
  if (ids.some((id) => !content.cards.byId[id])) return 'This card was deleted.';
  if (ids.some((id) => content.cards.byId[id].archivedAt !== null)) {
    return 'Restore an archived card before you move it.';
  }
  if (!content.columns.byId[columnId]) return 'This column was removed.';
  if (!content.lanes.byId[laneId ?? REST]) return 'This lane was removed.';
  if (columnIsFull(content, columnId, ids)) {
    const { title, limit } = content.columns.byId[columnId];
    return `${title} has twice its limit of ${plural(limit, 'card')}: finish some first.`;
  }
  return undefined;
}

function textProblem(text, most, what) {
  if (!tidied(text)) return `${what} cannot be empty.`;
  return text.length > most ? `${what} is longer than ${most} characters.` : undefined;
}

function cardProblem(content, action) {
  const id = action.cardId ?? action.id;
  const card = content.cards.byId[id];
  if (!card) return 'This card was deleted.';
  switch (action.type) {
    case 'cards/retitled':
      return textProblem(action.title, LONGEST_TITLE, 'A title');
    case 'cards/dueSet':
      return isDay(action.day) ? undefined : 'Type a day, as 2026-12-24 or “next week”.';
    case 'cards/labelled':
      return content.labels.byId[action.labelId] ? undefined : 'This label was removed.';
    case 'cards/assigned':
      return content.members.byId[action.memberId]?.isActive
        ? undefined : 'This person has left the board.';
    case 'cards/restored':
      return card.archivedAt === null ? 'This card is not in the archive.' : undefined;
    case 'cards/archived':
      return card.archivedAt === null ? undefined : 'This card is in the archive already.';
    case 'comments/added':
      return textProblem(action.text, LONGEST_TEXT, 'A comment');
    default:
      return undefined;
  }
}

function columnProblem({ columns, placement }, { type, id }) {
  if (!columns.byId[id]) return 'This column was removed.';
  if (type !== 'columns/removed') return undefined;
  if (columns.order.length === 1) return 'A board needs a column.';
  const isEmpty = Object.keys(placement[id] ?? {}).length === 0;
  return isEmpty ? undefined : 'Move the cards of this column before you remove it.';
}

/** Why an action is refused; undefined when it is fine. */
export function problemOf(content, action) {
  switch (action.type) {
    case 'cards/added':
      return textProblem(action.title, LONGEST_TITLE, 'A title')
        ?? (content.columns.byId[action.columnId] ? undefined : 'This column was removed.');
    case 'cards/moved':
      return moveProblem(content, [action.id], action);
    case 'bulk/moved':
      return moveProblem(content, action.ids, action);
    case 'links/added':
      return wouldCircle(content.links, action.id, action.on)
        ? 'These cards would wait for each other.' : undefined;
    case 'columns/added':
      return undefined;
    default:
      if (/^columns\/(renamed|limited|moved|removed)$/.test(action.type)) {
        return columnProblem(content, action);
      }
      return /^(cards|checklist|comments\/added)/.test(action.type)
        ? cardProblem(content, action) : undefined;
  }
}
