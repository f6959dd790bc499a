// Mailboxes as files that other programs read: one message after the other, each with its headers.
import { formatAddress, parseAddresses } from './addresses.mjs';
import { formatHeaderDate, parseHeaderDate } from './dates.mjs';
import { decodedBody, decodedHeader, encodedBody, encodedHeader, folded, unfolded }
  from './encoding.mjs';

const STATUS = { unread: 'O', read: 'RO' };

export function writeMbox(messages, labels, offset) {
  return messages.map((message) => entryOf(message, labels, offset)).join('\n');
}

function entryOf(message, labels, offset) {
  const names = message.labels.filter((id) => id !== 'unread')
    .map((id) => labels.byId[id]?.name ?? id);
  const headers = [
    ['From', encodedPeople([message.from])],
    ['To', encodedPeople(message.to)],
    ['Cc', encodedPeople(message.cc)],
    ['Subject', encodedHeader(message.subject)],
    ['Date', formatHeaderDate(message.at, offset)],
    ['Message-ID', message.header],
    ['In-Reply-To', message.inReplyTo ?? ''],
    ['References', message.references.join(' ')],
    ['List-Id', message.listId ?? ''],
    ['X-Labels', encodedHeader(names.join(', '))],
    ['Status', message.labels.includes('unread') ? STATUS.unread : STATUS.read],
    ['Content-Transfer-Encoding', 'quoted-printable'],
  ].filter(([, value]) => value !== '');
  const first = `From ${message.from.address} ${formatHeaderDate(message.at, 0)}`;
  const body = encodedBody(message.body ?? message.snippet).replace(/^(>*From )/gm, '>$1');
  return [first, ...headers.map(([name, value]) => folded(name, value)), '', body, ''].join('\n');
}

const encodedPeople = (people) => people.map((person) => formatAddress({
  ...person, name: person.name && encodedHeader(person.name),
})).join(', ');

/** `{ entries, faults }`: the messages of a file, and a sentence for each that cannot be read. */
export function readMbox(text) {
  const entries = [], faults = [];
  const parts = text.replace(/\r\n/g, '\n').split(/^(?=From \S+ )/m).filter((part) => part.trim());
  for (const [index, part] of parts.entries()) {
    const entry = readEntry(part);
    if (entry.fault) faults.push(`Message ${index + 1}: ${entry.fault}`);
    else entries.push(entry);
  }
  return { entries, faults };
}

function readEntry(part) {
  const start = part.indexOf('\n') + 1, gap = part.indexOf('\n\n', start);
  if (!part.startsWith('From ') || gap < 0) return { fault: 'it has no headers.' };
  const headers = readHeaders(part.slice(start, gap));
  const at = parseHeaderDate(headers.date ?? '');
  const { addresses: [from] } = parseAddresses(decodedHeader(headers.from ?? ''));
  if (!from) return { fault: 'its sender cannot be read.' };
  if (at === null) return { fault: 'its date cannot be read.' };
  if (!headers['message-id']) return { fault: 'it has no id.' };
  const people = (name) => parseAddresses(decodedHeader(headers[name] ?? '')).addresses;
  const raw = part.slice(gap + 2).replace(/^>(>*From )/gm, '$1').replace(/\n+$/, '');
  const body = headers['content-transfer-encoding'] === 'quoted-printable' ? decodedBody(raw) : raw;
  return {
    header: headers['message-id'].trim(), inReplyTo: headers['in-reply-to']?.trim() ?? null,
    references: (headers.references ?? '').split(/\s+/).filter(Boolean),
    from, to: people('to'), cc: people('cc'), bcc: [], at, body,
    subject: decodedHeader(headers.subject ?? ''), listId: headers['list-id'] ?? null,
    labelNames: decodedHeader(headers['x-labels'] ?? '').split(',').map((name) => name.trim())
      .filter(Boolean),
    isUnread: !(headers.status ?? 'RO').includes('R'), attachments: [], size: part.length,
  };
}

function readHeaders(text) {
  const headers = {};
  for (const line of unfolded(text).split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return headers;
}
