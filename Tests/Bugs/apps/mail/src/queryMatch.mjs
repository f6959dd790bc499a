// Matches messages against the tree of a search.
import { mentions } from './addresses.mjs';
import { kindOf } from './attachments.mjs';
import { before, DAY } from './dates.mjs';
import { findLabel, isWithin } from './labelNames.mjs';
import { allWords, fold, wordsOf } from './text.mjs';

/** `context`: `now`, `offset`, the labels, and `threads` with their mutes. */
export function matches(query, message, context) {
  switch (query.kind) {
    case 'all': return true;
    case 'and': return query.parts.every((part) => matches(part, message, context));
    case 'or': return query.parts.some((part) => matches(part, message, context));
    case 'not': return !matches(query.part, message, context);
    case 'word': return wordsOf(textOf(message)).includes(query.stem);
    case 'prefix': return allWords(textOf(message)).some((word) => word.startsWith(query.text));
    case 'phrase': return hasPhrase(allWords(textOf(message)), query.words);
    case 'is': return isInState(query.state, message, context);
    case 'has': return hasFile(query.file, message);
    case 'before': return message.at < query.at;
    case 'after': return message.at >= query.at;
    case 'on': return message.at >= query.at && message.at < query.at + DAY;
    case 'older_than': return message.at < before(context.now, query.span, context.offset);
    case 'newer_than': return message.at >= before(context.now, query.span, context.offset);
    case 'larger': return message.size > query.size;
    case 'smaller': return message.size < query.size;
    default: return matchesField(query, message, context);
  }
}

/** The text that search words are looked up in. */
export function textOf({ subject, from, to, cc, body, snippet, attachments }) {
  const people = [from, ...to, ...cc].map(({ name, address }) => `${name} ${address}`);
  const files = attachments.map(({ name }) => name);
  return [subject, ...people, ...files, body ?? snippet].join('\n');
}

function hasPhrase(words, phrase) {
  return words.some((_, start) => phrase.every((word, index) => words[start + index] === word));
}

function isInState(state, message, { threads }) {
  switch (state) {
    case 'unread': return message.labels.includes('unread');
    case 'read': return !message.labels.includes('unread');
    case 'starred': return message.labels.includes('starred');
    case 'sent': return message.labels.includes('sent');
    case 'snoozed': return message.labels.includes('snoozed');
    case 'muted': return threads[message.threadId]?.isMuted ?? false;
    default: return message.listId !== null;
  }
}

function hasFile(kind, { attachments }) {
  if (kind === 'attachment') return attachments.length > 0;
  return attachments.some((file) => kindOf(file) === kind);
}

function matchesField({ name, text }, message, { labels }) {
  switch (name) {
    case 'from': return mentions(message.from, text);
    case 'to': return message.to.some((person) => mentions(person, text));
    case 'cc': return message.cc.some((person) => mentions(person, text));
    case 'with':
      return [message.from, ...message.to, ...message.cc]
        .some((person) => mentions(person, text));
    case 'subject': return fold(message.subject).includes(fold(text));
    case 'filename':
      return message.attachments.some((file) => fold(file.name).includes(fold(text)));
    case 'list': return message.listId !== null && fold(message.listId).includes(fold(text));
    default: {
      const label = findLabel(labels, text);
      if (!label) return false;
      const isWhole = name === 'label';
      return message.labels.some((id) => id === label.id
        || (isWhole && isWithin(labels, id, label.id)));
    }
  }
}

/** Tells whether the result of a query changes with time. */
export function dependsOnTime(query) {
  if (query.kind === 'older_than' || query.kind === 'newer_than') return true;
  if (query.kind === 'not') return dependsOnTime(query.part);
  return (query.parts ?? []).some(dependsOnTime);
}
