// Replies: their recipients, and the text that they quote.
import { distinct, excluding, formatAddress, isSame, shortName } from './addresses.mjs';
import { formatLong } from './dates.mjs';
import { namedHeaders } from './threading.mjs';
import { withPrefix, wrap } from './text.mjs';

const WIDTH = 72, MOST_LEVELS = 3;

const levelOf = (line) => /^(?:> ?)*/.exec(line)[0].replace(/[^>]/g, '').length;

/** Quotes a text, without lines that were quoted three times already. */
export function quoted(text) {
  const lines = withoutSignature(text).split('\n').filter((line) => levelOf(line) < MOST_LEVELS);
  return lines.flatMap((line) => (levelOf(line) > 0 ? [`>${line}`]
    : wrap(line, WIDTH - 2).split('\n').map((part) => (part ? `> ${part}` : '>')))).join('\n');
}

function withoutSignature(text) {
  const at = text.search(/^-- ?$/m);
  return (at < 0 ? text : text.slice(0, at)).trimEnd();
}

/** The text of a message without quotations and signature. */
export function ownText(text) {
  const lines = withoutSignature(text).split('\n');
  const own = lines.filter((line, index) => levelOf(line) === 0
    && !(/ wrote:$/.test(line) && levelOf(lines[index + 1] ?? '') > 0));
  return own.join('\n').replace(/\n{3,}/g, '\n\n').trim();
}

function recipientsOf(message, own, toAll) {
  const isOwn = isSame(message.from, own);
  const first = isOwn ? message.to : message.replyTo ?? [message.from];
  if (!toAll) return { to: first, cc: [] };
  const to = distinct(excluding(isOwn ? first : [...first, ...message.to], [own]));
  return { to: to.length ? to : first, cc: excluding(distinct(message.cc), [...to, own]) };
}

export function replyTo(message, own, { toAll = false, offset, signature }) {
  const lead = `On ${formatLong(message.at, offset)}, ${shortName(message.from)} wrote:`;
  const body = ['', '', lead, quoted(message.body ?? message.snippet)].join('\n');
  return {
    ...recipientsOf(message, own, toAll), bcc: [],
    subject: withPrefix(message.subject, 'Re'),
    body: signed(body, signature), attachments: [],
    inReplyTo: message.header, references: [...namedHeaders(message), message.header],
  };
}

export function forwardOf(message, { offset, signature }) {
  const head = [
    '', '', '---------- Forwarded message ----------', `From: ${formatAddress(message.from)}`,
    `Date: ${formatLong(message.at, offset)}`, `Subject: ${message.subject}`,
    `To: ${message.to.map(formatAddress).join(', ')}`, '',
  ];
  return {
    to: [], cc: [], bcc: [], subject: withPrefix(message.subject, 'Fwd'),
    body: signed([...head, message.body ?? message.snippet].join('\n'), signature),
    attachments: message.attachments, inReplyTo: null, references: [],
  };
}

/** The signature goes under the user's own words, above what is quoted. */
export function signed(body, signature) {
  if (!signature) return body;
  const [own, ...rest] = body.split(/(?=^(?:On .* wrote:|-{10} Forwarded))/m);
  return [`${own.trimEnd()}\n\n-- \n${signature}\n`, ...rest].join('\n');
}

export function blank(signature) {
  return {
    to: [], cc: [], bcc: [], subject: '', body: signed('', signature), attachments: [],
    inReplyTo: null, references: [],
  };
}
