// An index from words to the messages that have them, updated with each change.
import { omit, unique } from './lists.mjs';
import { matches, textOf } from './queryMatch.mjs';
import { allWords, stem, wordsOf } from './text.mjs';

export const emptyIndex = { entries: {}, size: 0 };

export function indexed(index, message) {
  const entries = { ...index.entries };
  for (const word of unique(wordsOf(textOf(message)))) {
    entries[word] = [...(Object.hasOwn(entries, word) ? entries[word] : []), message.id];
  }
  return { entries, size: index.size + 1 };
}

export function unindexed(index, message) {
  let { entries } = index;
  const emptied = [];
  entries = { ...entries };
  for (const word of unique(wordsOf(textOf(message)))) {
    const rest = (entries[word] ?? []).filter((id) => id !== message.id);
    if (rest.length) entries[word] = rest;
    else emptied.push(word);
  }
  return { entries: emptied.length ? omit(entries, ...emptied) : entries, size: index.size - 1 };
}

export function reindexed(index, before, after) {
  if (textOf(before) === textOf(after)) return index;
  return indexed(unindexed(index, before), after);
}

export function renamedInIndex(index, message, newId) {
  const entries = { ...index.entries };
  for (const word of unique(wordsOf(textOf(message)))) {
    entries[word] = entries[word].map((id) => (id === message.id ? newId : id));
  }
  return { ...index, entries };
}

/** The messages that may match, or null if the index cannot tell. */
function candidates(query, { entries }) {
  switch (query.kind) {
    case 'word': return idsOf(entries, query.stem);
    // A stem begins like its word, but may end differently.
    case 'prefix': return unique(Object.keys(entries)
      .filter((word) => word.startsWith(query.text.slice(0, 2)))
      .flatMap((word) => entries[word]));
    case 'phrase': {
      const known = query.words.flatMap((word) => wordsOf(word));
      return known.length ? smallest(known.map((word) => idsOf(entries, word))) : null;
    }
    case 'and': {
      const found = query.parts.map((part) => candidates(part, { entries })).filter(Boolean);
      return found.length ? smallest(found) : null;
    }
    case 'or': {
      const found = query.parts.map((part) => candidates(part, { entries }));
      return found.includes(null) ? null : unique(found.flat());
    }
    default: return null;
  }
}

const idsOf = (entries, word) => (Object.hasOwn(entries, word) ? entries[word] : []);

const smallest = (lists) =>
  lists.reduce((best, list) => (list.length < best.length ? list : best));

/** The ids of the messages that match, the newest first. */
export function search(query, index, messages, context) {
  const ids = candidates(query, index) ?? Object.keys(messages);
  return ids.filter((id) => messages[id] && matches(query, messages[id], context))
    .sort((one, other) => messages[other].at - messages[one].at);
}

/** Words of the index that differ by one letter from a mistyped one. */
export function suggestions(text, { entries }) {
  const [last] = allWords(text).slice(-1);
  if (!last || last.length < 4 || Object.hasOwn(entries, stem(last))) return [];
  const wanted = stem(last);
  return Object.keys(entries).filter((word) => isNear(word, wanted))
    .sort((one, other) => entries[other].length - entries[one].length).slice(0, 3);
}

function isNear(one, other) {
  if (Math.abs(one.length - other.length) > 1 || one[0] !== other[0]) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const [restOne, restOther] = [one.slice(start), other.slice(start)];
  return restOne.slice(1) === restOther.slice(1) || restOne === restOther.slice(1)
    || restOne.slice(1) === restOther || isSwapped(restOne, restOther);
}

const isSwapped = (one, other) =>
  one[0] === other[1] && one[1] === other[0] && one.slice(2) === other.slice(2);
