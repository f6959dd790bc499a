// Notices for the person at the screen: others assigned, mentioned, moved or answered.
import { mentionedIn } from './comments.mjs';
import { dayOf, addDays } from './dates.mjs';
import { isOpen } from './cards.mjs';

export const initialNotifications = { items: [], muted: [], nextId: 1, lastReminder: null };

const LIMIT = 60;

export function notificationsReducer(notifications, action) {
  switch (action.type) {
    case 'notifications/read': {
      const items = notifications.items.map((item) =>
        (item.id === action.id ? { ...item, isRead: true } : item));
      return { ...notifications, items };
    }
    case 'notifications/allRead': {
      const items = notifications.items.map((item) =>
        (item.isRead ? item : { ...item, isRead: true }));
      return { ...notifications, items };
    }
    case 'notifications/muted':
      return notifications.muted.includes(action.cardId) ? notifications
        : { ...notifications, muted: [...notifications.muted, action.cardId] };
    case 'cards/deleted':
      return {
        ...notifications,
        items: notifications.items.filter((item) => item.cardId !== action.id),
        muted: notifications.muted.filter((id) => id !== action.id),
      };
    default:
      return notifications;
  }
}

function withItem(notifications, item) {
  if (notifications.muted.includes(item.cardId)) return notifications;
  const isKnown = notifications.items.some((each) => !each.isRead
    && each.kind === item.kind && each.cardId === item.cardId);
  if (isKnown) return notifications;
  const entry = { id: notifications.nextId, isRead: false, ...item };
  return {
    ...notifications,
    items: [...notifications.items, entry].slice(-LIMIT),
    nextId: entry.id + 1,
  };
}

/** Adds the actions of others that concern me. */
export function notified(notifications, changes, content, { by, at }) {
  const { me } = content.members;
  if (by === me) return notifications;
  let next = notifications;
  const add = (kind, cardId) => { next = withItem(next, { kind, cardId, by, at }); };
  for (const { id, kind, fields } of changes.cards) {
    const members = fields?.memberIds;
    const isNew = members?.after.includes(me) && !members.before.includes(me);
    if (kind === 'edited' && isNew) add('assigned', id);
  }
  for (const { kind, cardId, comment } of changes.comments) {
    if (kind !== 'added') continue;
    if (mentionedIn(comment, content.members).includes(me)) add('mentioned', cardId);
    else if (content.cards.byId[cardId]?.watcherIds.includes(me)) add('commented', cardId);
  }
  for (const { id, before, after } of changes.places) {
    const isMove = before && after && before.columnId !== after.columnId;
    if (isMove && content.cards.byId[id]?.watcherIds.includes(me)) add('moved', id);
  }
  return next;
}

/** Once a day: my open cards that are due tomorrow or before. */
export function reminded(notifications, content, at) {
  const today = dayOf(at);
  if (notifications.lastReminder === today) return notifications;
  const { me } = content.members;
  const due = Object.values(content.cards.byId).filter((card) => isOpen(card)
    && card.memberIds.includes(me) && card.due !== null && card.due <= addDays(today, 1));
  const next = due.reduce((all, card) =>
    withItem(all, { kind: 'due', cardId: card.id, by: null, at }), notifications);
  return { ...next, lastReminder: today };
}

export function unreadCount(notifications) {
  return notifications.items.filter((item) => !item.isRead).length;
}
