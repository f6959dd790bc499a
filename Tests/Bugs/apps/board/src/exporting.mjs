import { progressText } from './checklist.mjs';
import { commentsOf } from './comments.mjs';
import { formattedCsv } from './csv.mjs';
import { dayOf } from './dates.mjs';
import { cell } from './placement.mjs';
import { minutesOn } from './timers.mjs';

const HEADERS = ['number', 'title', 'column', 'lane', 'labels', 'members', 'due',
  'estimate', 'priority', 'checklist', 'minutes', 'created', 'description'];

function cardsInOrder({ columns, lanes, placement, cards }) {
  return columns.order.flatMap((columnId) => lanes.order.flatMap((laneId) =>
    cell(placement, columnId, laneId).map((id) => ({
      card: cards.byId[id],
      column: columns.byId[columnId].title,
      lane: lanes.byId[laneId].title,
    }))));
}

export function exportedCsv(content) {
  const { labels, members, timers } = content;
  const rows = cardsInOrder(content).map(({ card, column, lane }) => [
    card.number,
    card.title,
    column,
    lane,
    card.labelIds.map((id) => labels.byId[id].name).join(' | '),
    card.memberIds.map((id) => members.byId[id].handle).join(' | '),
    card.due ?? '',
    card.estimate ?? '',
    card.priority,
    card.checklist.map((item) => `[${item.isDone ? 'x' : ' '}] ${item.text}`).join('\n'),
    minutesOn(timers, card.id),
    dayOf(card.createdAt),
    card.description,
  ]);
  return formattedCsv([HEADERS, ...rows]);
}

/** A board as a text that people paste into a message. */
export function exportedMarkdown(content) {
  const { columns, members } = content;
  const lines = [];
  for (const columnId of columns.order) {
    const { title } = columns.byId[columnId];
    const own = cardsInOrder(content).filter(({ column }) => column === title);
    lines.push(`## ${title} (${own.length})`, '');
    for (const { card } of own) {
      const names = card.memberIds.map((id) => members.byId[id].name).join(', ');
      const progress = progressText(card.checklist);
      const notes = [names, card.due, progress].filter(Boolean).join('; ');
      lines.push(`- #${card.number} ${card.title}${notes ? ` (${notes})` : ''}`);
      const comments = commentsOf(content.comments, card.id).length;
      if (comments) lines.push(`  ${comments} comments`);
    }
    lines.push('');
  }
  return lines.join('\n');
}
