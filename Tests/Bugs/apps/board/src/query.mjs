// Typed filters of a board: `label:bug -@ann due<3d is:blocked "exact words" or …`.
import { blockersOf } from './links.mjs';
import { PRIORITIES } from './cards.mjs';
import { addDays, dayOf, parsedDay } from './dates.mjs';
import { folded, slug, tidied } from './text.mjs';
import { searched } from './search.mjs';

const TERM = /(-)?(?:"([^"]*)"|([a-z]+)(:|<=|>=|<|>)("[^"]*"|\S+)|@(\S+)|#(\d+)|(\S+))/g;

const NUMBERS = ['estimate', 'age', 'comments'];

/** The terms of a query: groups joined by "or", of which each holds terms that must all fit. */
export function parsedQuery(text, today) {
  const groups = [[]];
  const problems = [];
  for (const match of tidied(text).matchAll(TERM)) {
    if (match[8] && folded(match[8]) === 'or' && !match[1]) {
      groups.push([]);
      continue;
    }
    const term = termOf(match, today);
    if (term.problem) {
      problems.push(term.problem);
    } else {
      groups[groups.length - 1].push({ ...term, isNot: Boolean(match[1]) });
    }
  }
  return { groups: groups.filter((group) => group.length), problems };
}

function termOf([, , exact, field, sign, value, handle, number, word], today) {
  if (exact !== undefined) return { kind: 'exact', text: folded(exact) };
  if (handle) return { kind: 'member', value: folded(handle) };
  if (number) return { kind: 'number', value: Number(number) };
  if (word) return { kind: 'word', text: word };
  return fieldTerm(field, sign, value.replaceAll('"', ''), today);
}

function fieldTerm(field, sign, value, today) {
  switch (field) {
    case 'label':
    case 'lane':
    case 'column':
      return { kind: field, value: slug(value) };
    case 'member':
      return { kind: 'member', value: folded(value) };
    case 'is':
      return STATES[value] ? { kind: 'is', value } : { problem: `is:${value} is unknown` };
    case 'priority':
      return PRIORITIES.includes(value)
        ? { kind: 'priority', sign, value: PRIORITIES.indexOf(value) }
        : { problem: `priority is one of ${PRIORITIES.join(', ')}` };
    case 'due':
      return dueTerm(sign, value, today);
    default:
      if (!NUMBERS.includes(field)) return { problem: `${field} is unknown` };
      return Number.isFinite(Number(value))
        ? { kind: field, sign, value: Number(value) }
        : { problem: `${field} needs a number` };
  }
}

function dueTerm(sign, value, today) {
  if (value === 'none') return { kind: 'noDue' };
  const day = parsedDay(value, today);
  return day ? { kind: 'due', sign, value: day } : { problem: `"${value}" is no day` };
}

const STATES = {
  open: ({ card }) => card.doneAt === null,
  done: ({ card }) => card.doneAt !== null,
  mine: ({ card, content }) => card.memberIds.includes(content.members.me),
  watched: ({ card, content }) => card.watcherIds.includes(content.members.me),
  unassigned: ({ card }) => card.memberIds.length === 0,
  blocked: ({ card, content }) => blockersOf(content.links, content.cards, card.id).length > 0,
  overdue: ({ card, today }) => card.due !== null && card.doneAt === null && card.due < today,
  soon: ({ card, today }) =>
    card.due !== null && card.doneAt === null && card.due <= addDays(today, 3),
};

function compared(left, sign, right) {
  switch (sign) {
    case '<': return left < right;
    case '<=': return left <= right;
    case '>': return left > right;
    case '>=': return left >= right;
    default: return left === right;
  }
}

function isLabelled({ card, content }, value) {
  return card.labelIds.some((id) => slug(content.labels.byId[id]?.name ?? '') === value);
}

function hasMember({ card, content }, value) {
  return card.memberIds.some((id) => content.members.byId[id]?.handle.startsWith(value));
}

const MATCHES = {
  exact: ({ card }, term) => folded(`${card.title}\n${card.description}`).includes(term.text),
  word: ({ card, found }, term) => found(term.text)?.has(card.id) ?? true,
  number: ({ card }, term) => card.number === term.value,
  member: (subject, term) => hasMember(subject, term.value),
  label: (subject, term) => isLabelled(subject, term.value),
  lane: ({ place, content }, term) =>
    slug(content.lanes.byId[place?.laneId]?.title ?? '') === term.value,
  column: ({ place, content }, term) =>
    slug(content.columns.byId[place?.columnId]?.title ?? '') === term.value,
  is: (subject, term) => STATES[term.value](subject),
  priority: ({ card }, term) =>
    compared(PRIORITIES.indexOf(card.priority), term.sign, term.value),
  due: ({ card }, term) => card.due !== null && compared(card.due, term.sign, term.value),
  noDue: ({ card }) => card.due === null,
  estimate: ({ card }, term) =>
    card.estimate !== null && compared(card.estimate, term.sign, term.value),
  age: ({ card, now }, term) =>
    compared(Math.floor((now - card.createdAt) / 86_400_000), term.sign, term.value),
  comments: ({ card, content }, term) =>
    compared((content.comments.byCard[card.id] ?? []).length, term.sign, term.value),
};

/** A function that says whether a card at a place fits a query. */
export function matcher(query, content, index, now) {
  const cache = new Map();
  const found = (text) => {
    if (!cache.has(text)) cache.set(text, searched(index, text));
    return cache.get(text);
  };
  const today = dayOf(now);
  return (card, place) => {
    if (query.groups.length === 0) return true;
    const subject = { card, place, content, found, now, today };
    return query.groups.some((group) =>
      group.every((term) => MATCHES[term.kind](subject, term) !== term.isNot));
  };
}
