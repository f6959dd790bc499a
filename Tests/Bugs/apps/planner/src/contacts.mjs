// People the user meets, learned from events, to complete names from their first letters.
import { DAY } from './civil.mjs';
import { isSamePerson } from './people.mjs';

const HALF_LIFE = 30 * DAY;

export const noContacts = {};

const faded = ({ score, at }, now) => score * 0.5 ** ((now - at) / HALF_LIFE);

/** Counts a meeting for each of the people that an event has and had not before. */
export function metIn(contacts, before, after, now) {
  const known = before?.attendees.map(({ address }) => address.toLowerCase()) ?? [];
  const fresh = (after?.attendees ?? [])
    .filter(({ address }) => !known.includes(address.toLowerCase()));
  return fresh.reduce((result, { name, address }) => {
    const key = address.toLowerCase(), old = result[key];
    const score = Math.round(((old ? faded(old, now) : 0) + 1) * 1000) / 1000;
    return { ...result, [key]: { address, name: name || old?.name || '', score, at: now } };
  }, contacts);
}

/** The people whose name or address begins so, those met lately first. */
export function completed(contacts, text, taken, now) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  return Object.values(contacts)
    .filter(({ address }) => !taken.some((one) => isSamePerson(one.address, address)))
    .filter(({ name, address }) => address.toLowerCase().startsWith(wanted)
      || name.toLowerCase().split(' ').some((part) => part.startsWith(wanted)))
    .sort((one, other) => faded(other, now) - faded(one, now)
      || (one.address < other.address ? -1 : 1))
    .slice(0, 5).map(({ name, address }) => (name ? `${name} <${address}>` : address));
}
