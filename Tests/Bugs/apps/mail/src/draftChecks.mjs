// Checks before a message is sent.
import { domainOf } from './addresses.mjs';
import {
  encodedSize, formatSize, isDangerous, LARGEST_MESSAGE, promisesFile, sizeOf,
} from './attachments.mjs';
import { ownText } from './quoting.mjs';
import { listed } from './text.mjs';

const MANY = 12;

/** `{ faults, doubts }`: faults prevent sending, the user can confirm doubts. */
export function checked(draft, { account, contacts }) {
  const faults = [], doubts = [], people = [...draft.to, ...draft.cc, ...draft.bcc];
  if (people.length === 0) faults.push('Whom does it go to?');
  if (draft.wrong.length) faults.push(`Not an address: ${listed(draft.wrong)}.`);
  const size = encodedSize(sizeOf(draft.attachments)) + draft.body.length;
  if (size > LARGEST_MESSAGE) {
    faults.push(`${formatSize(size)} is more than ${formatSize(LARGEST_MESSAGE)}.`);
  }
  const bad = draft.attachments.filter(isDangerous);
  if (bad.length) faults.push(`Programs cannot be sent: ${listed(bad.map(({ name }) => name))}.`);
  if (!draft.subject.trim()) doubts.push('Send it without a subject?');
  const own = ownText(draft.body);
  if (!own && draft.attachments.length === 0) doubts.push('Send it without a word?');
  if (promisesFile(own) && draft.attachments.length === 0) doubts.push('Is a file missing?');
  if (draft.to.length + draft.cc.length > MANY) {
    doubts.push(`Shall all ${draft.to.length + draft.cc.length} see each other's addresses?`);
  }
  const outside = strangers(people, account, contacts);
  if (outside.length && outside.length < people.length) {
    doubts.push(`${listed(outside.map(({ address }) => address))} is outside of your company.`);
  }
  return { faults, doubts };
}

function strangers(people, account, { people: known }) {
  return people.filter(({ address }) => domainOf(address) !== domainOf(account.address)
    && !known[address.toLowerCase()]);
}
