// Letters that go out when events change.
import { describeChange } from './changeText.mjs';
import { isSamePerson } from './people.mjs';

export const noMail = { outgoing: [], nextId: 1, inbox: [] };

export function posted(mail, letter) {
  const { outgoing, nextId } = mail;
  return { ...mail, outgoing: [...outgoing, { ...letter, id: nextId }], nextId: nextId + 1 };
}

export const isOwn = (state, event) => isSamePerson(event.organizer, state.account.address);

/** Sends letters about a changed event to its attendees. */
export function announced(state, before, after) {
  const event = after ?? before;
  if (!isOwn(state, event)) return after ? state : declinedBy(state, before);
  const had = before?.attendees.map(({ address }) => address) ?? [];
  const has = after?.attendees.map(({ address }) => address) ?? [];
  const gone = had.filter((address) => !has.includes(address));
  const isNews = !before || before.sequence !== after?.sequence;
  const asked = isNews ? has : has.filter((address) => !had.includes(address));
  let { mail } = state;
  const text = describeChange(before, after);
  const letter = { uid: event.uid, eventId: event.id, sequence: event.sequence, text };
  if (gone.length) mail = posted(mail, { ...letter, kind: 'cancel', to: gone });
  if (asked.length) mail = posted(mail, { ...letter, kind: 'request', to: asked });
  return mail === state.mail ? state : { ...state, mail };
}

/** Declines an invitation that the user deletes. */
function declinedBy(state, event) {
  return { ...state, mail: posted(state.mail, replyOf(state, event, 'declined', null)) };
}

export const replyOf = ({ account }, event, answer, original) => ({
  kind: 'reply', uid: event.uid, eventId: event.id, to: [event.organizer], from: account.address,
  answer, original, sequence: event.sequence,
});
