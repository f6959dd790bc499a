// Invitations: the user's answers, and letters from others.
import { isOwn, posted, replyOf } from './announcements.mjs';
import { committed } from './commit.mjs';
import { isEqual } from './lists.mjs';
import { withFault, withNotice } from './notices.mjs';
import {
  ANSWERS, findAttendee, isSamePerson, parsePeople, unanswered, withAttendee,
} from './people.mjs';
import { occurrenceOf } from './occurrences.mjs';

/** The user answers for the whole series or for one day. */
function answered(state, { id, original = null, answer }) {
  const event = state.events[id];
  if (!event || !ANSWERS.includes(answer) || isOwn(state, event)) return state;
  const after = withAttendee(event, state.account.address, (own) => withAnswer(own, {
    answer, original, sequence: event.sequence, at: state.now,
  }));
  const next = committed(state, [{ id, after: { ...after, isBusy: answer !== 'declined' } }]);
  return { ...next, mail: posted(next.mail, replyOf(state, event, answer, original)) };
}

function withAnswer(person, { answer, original, sequence, at }) {
  const given = { ...person, answeredAt: at, sequence };
  return original === null ? { ...given, answer, days: {} }
    : { ...given, days: { ...person.days, [original]: answer } };
}

function invited(state, { id, text }) {
  const event = state.events[id], { people, faults } = parsePeople(text);
  if (!event) return state;
  if (faults.length) return withFault(state, `Not an address: ${faults[0]}`);
  const fresh = people.filter(({ address }) => !findAttendee(event, address)
    && !isSamePerson(address, state.account.address));
  const after = { ...event, attendees: [...event.attendees, ...fresh] };
  return committed(state, [{ id, after }], { text: `Invited to ${event.title}` });
}

function uninvited(state, { id, address }) {
  const event = state.events[id];
  if (!event) return state;
  const attendees = event.attendees.filter((one) => !isSamePerson(one.address, address));
  return committed(state, [{ id, after: { ...event, attendees } }],
    { text: `No longer invited to ${event.title}` });
}

// --- Letters from others

function received(state, letter) {
  switch (letter.kind) {
    case 'request': return withRequest(state, letter);
    case 'cancel': return withCancellation(state, letter);
    case 'reply': return withReply(state, letter);
    default: return { ...state, mail: { ...state.mail, inbox: [...state.mail.inbox, letter] } };
  }
}

const byUid = (state, uid) => Object.values(state.events).find((event) => event.uid === uid);

/** Handles a new or changed invitation. Letters may arrive in the wrong order. */
function withRequest(state, { event: incoming }) {
  const known = byUid(state, incoming.uid);
  if (known && incoming.sequence <= known.sequence) return state;
  const isMoved = known && ['start', 'minutes', 'rule', 'zone']
    .some((key) => !isEqual(known[key], incoming[key]));
  const attendees = !known || isMoved ? unanswered(incoming.attendees) : incoming.attendees
    .map((one) => findAttendee(known, one.address) ?? one);
  const after = {
    ...incoming, attendees, id: known?.id ?? incoming.uid,
    calendarId: known?.calendarId ?? state.settings.invitationCalendar,
    alarms: known?.alarms ?? [10], category: known?.category ?? null,
  };
  const next = committed(state, [{ id: after.id, after }], { isFromOutside: true });
  const what = isMoved ? 'Moved' : known ? 'Changed' : 'Invitation';
  return withNotice(next, `${what}: ${after.title}`);
}

function withCancellation(state, { uid, original = null, sequence }) {
  const event = byUid(state, uid);
  if (!event || sequence < event.sequence) return state;
  const after = original === null ? null
    : { ...event, sequence, skipped: [...event.skipped, original].sort() };
  const next = committed(state, [{ id: event.id, after }], { isFromOutside: true });
  return withNotice(next, `Cancelled: ${event.title}`);
}

/** Handles an answer. Answers to an older state of the event do not count. */
function withReply(state, { uid, from, answer, original = null, sequence, at }) {
  const event = byUid(state, uid), person = event && findAttendee(event, from);
  if (!person || !isOwn(state, event) || sequence < event.sequence) return state;
  if (person.answeredAt !== null && at < person.answeredAt) return state;
  const after = withAttendee(event, from,
    (one) => withAnswer(one, { answer, original, sequence, at }));
  const next = committed(state, [{ id: event.id, after }], { isFromOutside: true });
  return withNotice(next, `${person.name || from}: ${answer}`);
}

/** Accepts or rejects another time that an invited person proposed. */
function proposalJudged(state, { letterId, isAccepted }) {
  const { inbox } = state.mail, letter = inbox.find(({ id }) => id === letterId);
  if (!letter) return state;
  const rest = { ...state, mail: { ...state.mail, inbox: inbox.filter((one) => one !== letter) } };
  const event = byUid(state, letter.uid);
  if (!isAccepted || !event) return rest;
  const original = letter.original ?? event.start, day = occurrenceOf(event, original);
  const changes = { ...event.changes, [original]: {
    ...event.changes[original], start: letter.start, minutes: letter.minutes ?? day.minutes,
  } };
  const after = event.rule ? { ...event, changes } : { ...event, start: letter.start };
  return committed(rest, [{ id: event.id, after }], { text: `Moved: ${event.title}` });
}

export const invitationHandlers = {
  'invitation/answered': answered,
  'invitation/sent': invited,
  'invitation/withdrawn': uninvited,
  'invitation/received': received,
  'invitation/proposalJudged': proposalJudged,
  'mail/delivered': (state, { ids }) => ({
    ...state, mail: {
      ...state.mail, outgoing: state.mail.outgoing.filter(({ id }) => !ids.includes(id)),
    },
  }),
};
