// The details of a card on the board, and beside it when it is open.
import { byNumber, isOpen } from './cards.mjs';
import { progressText } from './checklist.mjs';
import { commentsOf } from './comments.mjs';
import { ago, dayOf, daysBetween, duration, MINUTE, shortDay } from './dates.mjs';
import { blockersOf, chainLength, waitingFor } from './links.mjs';
import { badgeOf } from './members.mjs';
import { minutesOn, sheetOf } from './timers.mjs';
import { numbersIn, plural, rendered, shortened } from './text.mjs';
import { sumOf } from './lists.mjs';

function dueBadge(card, today) {
  if (card.due === null) return undefined;
  const left = daysBetween(today, card.due);
  const tone = !isOpen(card) ? 'calm' : left < 0 ? 'late' : left <= 2 ? 'soon' : 'calm';
  return { text: shortDay(card.due, today), tone };
}

export function faceOf(card, content, { now, showsNumbers }) {
  const { labels, members, links, cards, comments } = content;
  const today = dayOf(now);
  const title = shortened(card.title, 80);
  const blockers = blockersOf(links, cards, card.id).length;
  return {
    id: card.id,
    title: showsNumbers ? `#${card.number} ${title}` : title,
    labels: card.labelIds.map((id) => labels.byId[id]).filter(Boolean),
    members: card.memberIds.map((id) => badgeOf(members.byId[id])),
    due: dueBadge(card, today),
    progress: progressText(card.checklist),
    comments: (comments.byCard[card.id] ?? []).length,
    note: blockers ? `waits for ${plural(blockers, 'card')}` : '',
    isUrgent: card.priority === 'urgent',
  };
}

export function detailsOf(card, content, { now }) {
  const { members, comments, links, timers, cards } = content;
  const spent = minutesOn(timers, card.id);
  const running = Object.values(timers.running).find(({ cardId }) => cardId === card.id);
  return {
    title: `#${card.number} ${card.title}`,
    description: rendered(card.description),
    created: `${members.byId[card.createdBy]?.name ?? 'The board'}, ${ago(card.createdAt, now)}`,
    comments: commentsOf(comments, card.id).map((comment) => ({
      who: members.byId[comment.by]?.name ?? 'A former member',
      when: ago(comment.at, now),
      isEdited: comment.editedAt !== null,
      html: rendered(comment.text),
      reactions: Object.entries(comment.reactions).map(([sign, ids]) => `${sign} ${ids.length}`),
    })),
    waits: blockersOf(links, cards, card.id).map((id) => cards.byId[id].title),
    names: numbersIn(card.description).map((number) => byNumber(cards, number)?.title ?? ''),
    holdsUp: waitingFor(links, card.id).length,
    chain: chainLength(links, card.id),
    time: spent ? duration(spent * MINUTE) : '',
    isRunning: running !== undefined,
  };
}

/** The hours of a person in some days, a line for each day. */
export function hours(content, memberId, from, to) {
  const sheet = sheetOf(content.timers, memberId, from, to);
  const lines = Object.keys(sheet).sort().map((day) => {
    const { minutes, cardIds } = sheet[day];
    return `${day}  ${duration(minutes * MINUTE)}  ${plural(cardIds.length, 'card')}`;
  });
  const all = sumOf(Object.values(sheet), ({ minutes }) => minutes);
  return { lines, total: duration(all * MINUTE) };
}
