// Learns spam from the user. It remembers the words learned from each message, so that it can
// forget exactly those.
import { domainOf } from './addresses.mjs';
import { unique } from './lists.mjs';
import { wordsOf } from './text.mjs';

const MOST_WORDS = 40, LEAST_LESSONS = 6;

export const untaught = { spam: {}, good: {}, lessons: { spam: 0, good: 0 }, taught: {} };

function signsOf({ subject, body, snippet, from, listId, attachments }) {
  const words = wordsOf(`${subject} ${body ?? snippet}`).filter((word) => word.length > 2);
  const signs = unique(words).slice(0, MOST_WORDS);
  signs.push(`@${domainOf(from.address)}`);
  if (listId) signs.push('+list');
  if (attachments.length) signs.push('+file');
  if (/[A-Z]{4,}/.test(subject)) signs.push('+loud');
  return signs;
}

const countIn = (counts, sign) => (Object.hasOwn(counts, sign) ? counts[sign] : 0);

function weighed(counts, signs, by) {
  const next = { ...counts };
  for (const sign of signs) {
    const count = countIn(next, sign) + by;
    if (count > 0) next[sign] = count;
    else delete next[sign];
  }
  return next;
}

export function taught(filter, message, kind) {
  const earlier = filter.taught[message.id];
  if (earlier?.kind === kind) return filter;
  const base = earlier ? forgot(filter, message.id) : filter;
  const signs = signsOf(message);
  return {
    ...base,
    [kind]: weighed(base[kind], signs, 1),
    lessons: { ...base.lessons, [kind]: base.lessons[kind] + 1 },
    taught: { ...base.taught, [message.id]: { kind, signs } },
  };
}

export function forgot(filter, messageId) {
  const { [messageId]: lesson, ...others } = filter.taught;
  if (!lesson) return filter;
  const { kind, signs } = lesson;
  return {
    ...filter,
    [kind]: weighed(filter[kind], signs, -1),
    lessons: { ...filter.lessons, [kind]: filter.lessons[kind] - 1 },
    taught: others,
  };
}

/** The similarity of a message to reported spam, from 0 to 1. */
export function spamScore(filter, message) {
  const { spam, good } = filter.lessons;
  if (spam < LEAST_LESSONS || good < LEAST_LESSONS) return 0;
  let weight = 0;
  for (const sign of signsOf(message)) {
    const inSpam = countIn(filter.spam, sign) / spam, inGood = countIn(filter.good, sign) / good;
    if (inSpam + inGood > 0) weight += Math.log((inSpam + 0.05) / (inGood + 0.05));
  }
  return 1 / (1 + Math.exp(-weight));
}

export const SPAM_FROM = 0.93;
