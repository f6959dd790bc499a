// People the user writes with, learned from messages, to complete names from their first letters.
import { excluding, formatAddress, isSame, keyOf } from './addresses.mjs';
import { DAY } from './dates.mjs';
import { omit } from './lists.mjs';
import { fold } from './text.mjs';

const HALF_LIFE = 21 * DAY;
const WEIGHTS = { to: 4, cc: 2, from: 1 };

export const noContacts = { people: {}, groups: {} };

/** Scores fade: half of a score is gone after three weeks. */
const faded = ({ score, lastAt }, now) => score * 0.5 ** (Math.max(0, now - lastAt) / HALF_LIFE);

function met(people, entry, weight, now) {
  const key = keyOf(entry.address), old = people[key];
  const score = (old ? faded(old, now) : 0) + weight;
  return {
    ...people,
    [key]: {
      name: old?.isNamed ? old.name : entry.name || old?.name || '',
      address: old?.address ?? entry.address, isNamed: old?.isNamed ?? false,
      score: Math.round(score * 1000) / 1000, lastAt: Math.max(now, old?.lastAt ?? 0),
      sent: (old?.sent ?? 0) + (weight > 1 ? 1 : 0),
      received: (old?.received ?? 0) + (weight > 1 ? 0 : 1),
    },
  };
}

export function metIn(contacts, message, own, isOwn) {
  let { people } = contacts;
  if (isOwn) {
    for (const person of excluding(message.to, [own])) {
      people = met(people, person, WEIGHTS.to, message.at);
    }
    for (const person of excluding(message.cc, [own])) {
      people = met(people, person, WEIGHTS.cc, message.at);
    }
  } else {
    people = met(people, message.from, WEIGHTS.from, message.at);
  }
  return { ...contacts, people };
}

/** Someone the user wrote to, or gave a name. */
export function knows({ people }, { address }) {
  const person = people[keyOf(address)];
  return Boolean(person && (person.sent > 0 || person.isNamed));
}

/** Groups and people that match the first letters, best match first. */
export function completed({ people, groups }, text, taken, now) {
  const wanted = fold(text.trim());
  if (!wanted) return [];
  const fitting = Object.values(people)
    .filter((person) => !taken.some((other) => isSame(person, other)) && begins(person, wanted))
    .map((person) => ({ person, rank: rankOf(person, wanted, now) }))
    .sort((one, other) => other.rank - one.rank || compareText(one.person, other.person))
    .map(({ person }) => ({ text: formatAddress(person), addresses: [person] }));
  const named = Object.values(groups).filter(({ name }) => fold(name).startsWith(wanted))
    .map(({ name, keys }) => ({ text: name, addresses: keys.map((key) => people[key]) }));
  return [...named, ...fitting].slice(0, 6);
}

function begins({ name, address }, wanted) {
  return fold(address).startsWith(wanted) || fold(name).startsWith(wanted)
    || fold(name).split(/\s+/).some((word) => word.startsWith(wanted));
}

function rankOf(person, wanted, now) {
  const isExact = fold(person.name) === wanted || fold(person.address) === wanted;
  return faded(person, now) + (isExact ? 1000 : 0);
}

const compareText = (one, other) => (one.address < other.address ? -1 : 1);

function renamedPerson(state, { address, name }) {
  const key = keyOf(address), { people } = state.contacts;
  if (!people[key]) return state;
  const person = { ...people[key], name: name.trim(), isNamed: name.trim() !== '' };
  return { ...state, contacts: { ...state.contacts, people: { ...people, [key]: person } } };
}

function withGroup(state, { id, name, addresses }) {
  const keys = addresses.map(keyOf).filter((key) => state.contacts.people[key]);
  const groups = keys.length ? { ...state.contacts.groups, [id]: { id, name, keys } }
    : omit(state.contacts.groups, id);
  return { ...state, contacts: { ...state.contacts, groups } };
}

/** Merges a person with two addresses under one of them. */
function mergedPeople(state, { kept, gone }) {
  const { people, groups } = state.contacts, [keptKey, goneKey] = [keyOf(kept), keyOf(gone)];
  const [one, other] = [people[keptKey], people[goneKey]];
  if (!one || !other || keptKey === goneKey) return state;
  const lastAt = Math.max(one.lastAt, other.lastAt);
  const person = {
    ...one, lastAt, name: one.name || other.name, isNamed: one.isNamed || other.isNamed,
    score: Math.round((faded(one, lastAt) + faded(other, lastAt)) * 1000) / 1000,
    sent: one.sent + other.sent, received: one.received + other.received,
  };
  const renamed = Object.fromEntries(Object.entries(groups).map(([id, group]) => [id, {
    ...group, keys: [...new Set(group.keys.map((key) => (key === goneKey ? keptKey : key)))],
  }]));
  return {
    ...state,
    contacts: { people: { ...omit(people, goneKey), [keptKey]: person }, groups: renamed },
  };
}

export const contactHandlers = {
  'contact/renamed': renamedPerson,
  'contact/merged': mergedPeople,
  'group/written': withGroup,
};
