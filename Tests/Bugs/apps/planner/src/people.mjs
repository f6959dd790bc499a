// Attendees: addresses, and answers for a series or single days.
import { listed, mapValues } from './lists.mjs';

export const ANSWERS = ['needsAction', 'accepted', 'tentative', 'declined'];

export const isSamePerson = (one, other) => one.toLowerCase() === other.toLowerCase();

export const attendee = ({ name = '', address, isOptional = false }) =>
  ({ name, address, isOptional, answer: 'needsAction', days: {}, answeredAt: null, sequence: 0 });

export const findAttendee = ({ attendees }, address) =>
  attendees.find((one) => isSamePerson(one.address, address));

export function withAttendee(event, address, update) {
  return {
    ...event, attendees: event.attendees
      .map((one) => (isSamePerson(one.address, address) ? update(one) : one)),
  };
}

/** The answer for one day: its own where there is one. */
export const answerOn = ({ answer, days }, original) => days[original] ?? answer;

export const unanswered = (attendees) =>
  attendees.map((one) => ({ ...one, answer: 'needsAction', days: {}, answeredAt: null }));

/** `2 yes, 1 no, 3 open` */
export function answerLine(event, original) {
  const counts = mapValues(
    { accepted: 'yes', tentative: 'maybe', declined: 'no', needsAction: 'open' },
    (word, answer) => {
      const people = event.attendees.filter((one) => answerOn(one, original) === answer);
      return people.length ? `${people.length} ${word}` : '';
    });
  return Object.values(counts).filter(Boolean).join(', ');
}

export function namesOf(event) {
  return listed(event.attendees.map(({ name, address }) => name || address.split('@')[0]));
}

export const isAddress = (text) => /^[^\s@,]+@[^\s@,]+\.[a-z]{2,}$/i.test(text.trim());

export function parsePeople(text) {
  const people = [], faults = [];
  for (const part of text.split(/[,;]/).map((item) => item.trim()).filter(Boolean)) {
    const found = /^(.*?)\s*<([^<>]+)>$/.exec(part);
    const [name, address] = found ? [found[1].replace(/^"|"$/g, ''), found[2]] : ['', part];
    if (isAddress(address)) people.push(attendee({ name, address: address.trim() }));
    else faults.push(part);
  }
  return { people, faults };
}
