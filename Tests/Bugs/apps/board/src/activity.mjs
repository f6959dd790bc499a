// The log of a board: who did what, the newest last.
import { last } from './lists.mjs';
import { shortDay } from './dates.mjs';
import { plural, shortened } from './text.mjs';

export const initialActivity = { entries: [] };

const LIMIT = 150;
const JOIN_TIME = 5 * 60_000;

function entriesOf({ cards, places, comments }) {
  const found = [];
  for (const { id, kind, fields, card } of cards) {
    if (kind === 'edited') {
      found.push({ kind: 'edited', cardId: id, fields: Object.keys(fields) });
    } else {
      found.push({ kind, cardId: id, ...(card ? { title: card.title } : {}) });
    }
  }
  for (const { id, before, after } of places) {
    if (before && after && before.columnId !== after.columnId) {
      found.push({ kind: 'moved', cardId: id, from: before.columnId, to: after.columnId });
    }
  }
  for (const { kind, cardId } of comments) {
    if (kind !== 'edited') found.push({ kind: `comment ${kind}`, cardId });
  }
  return found;
}

/** Two edits of a card by one person within some minutes are one line. */
function joined(top, entry) {
  const isSame = top && top.kind === 'edited' && entry.kind === 'edited'
    && top.cardId === entry.cardId && top.by === entry.by && entry.at - top.at < JOIN_TIME;
  if (!isSame) return undefined;
  return { ...entry, fields: [...new Set([...top.fields, ...entry.fields])] };
}

export function logged(activity, changes, { by, at }) {
  let { entries } = activity;
  for (const each of entriesOf(changes)) {
    const entry = { ...each, by, at };
    const one = joined(last(entries), entry);
    entries = one ? [...entries.slice(0, -1), one] : [...entries, entry];
  }
  return entries === activity.entries ? activity : { entries: entries.slice(-LIMIT) };
}

const FIELD_NAMES = {
  title: 'the title', description: 'the description', due: 'the due day',
  estimate: 'the estimate', priority: 'the priority', labelIds: 'the labels',
  memberIds: 'the members', watcherIds: 'the watchers', checklist: 'the checklist',
};

/** An entry as a sentence. */
export function sentence(entry, { cards, columns, members }) {
  const who = members.byId[entry.by]?.name ?? 'Somebody';
  const title = cards.byId[entry.cardId]?.title ?? entry.title ?? 'a deleted card';
  const what = `“${shortened(title, 40)}”`;
  switch (entry.kind) {
    case 'edited': {
      const names = entry.fields.map((field) => FIELD_NAMES[field]).join(', ');
      return `${who} changed ${names} of ${what}`;
    }
    case 'moved':
      return `${who} moved ${what} to ${columns.byId[entry.to]?.title ?? 'a removed column'}`;
    case 'comment added':
      return `${who} commented on ${what}`;
    case 'comment deleted':
      return `${who} deleted a comment on ${what}`;
    default:
      return `${who} ${entry.kind} ${what}`;
  }
}

/** How much was done on each of the last days, for the summary in the morning. */
export function digest(activity, days, today) {
  return days.map(({ day, from, to }) => {
    const entries = activity.entries.filter(({ at }) => at >= from && at < to);
    const people = new Set(entries.map(({ by }) => by)).size;
    return `${shortDay(day, today)}: ${plural(entries.length, 'change')}`
      + ` by ${plural(people, 'person', 'people')}`;
  });
}
