// An index of words, so that typing in the search field stays fast on large boards.
import { omitted } from './records.mjs';
import { folded, wordsOf } from './text.mjs';

export const initialIndex = { cards: {}, words: {} };

/** All words of a card: its texts, its checklist, its labels and its comments. */
function wordsOfCard({ cards, labels, comments }, id) {
  const card = cards.byId[id];
  if (!card) return [];
  const texts = [
    card.title,
    card.description,
    ...card.checklist.map((item) => item.text),
    ...card.labelIds.map((labelId) => labels.byId[labelId]?.name ?? ''),
    ...(comments.byCard[id] ?? []).map((commentId) => comments.byId[commentId].text),
  ];
  return wordsOf(texts.join(' ')).sort();
}

function withWord(words, word, id) {
  return { ...words, [word]: [...(words[word] ?? []), id] };
}

function withoutWord(words, word, id) {
  const left = words[word].filter((each) => each !== id);
  return left.length ? { ...words, [word]: left } : omitted(words, word);
}

function reindexed(index, content, id) {
  const before = index.cards[id] ?? [];
  const after = wordsOfCard(content, id);
  if (before.join(' ') === after.join(' ')) return index;
  const has = new Set(after);
  const had = new Set(before);
  let { words } = index;
  for (const word of before) {
    if (!has.has(word)) words = withoutWord(words, word, id);
  }
  for (const word of after) {
    if (!had.has(word)) words = withWord(words, word, id);
  }
  const cards = after.length ? { ...index.cards, [id]: after } : omitted(index.cards, id);
  return { cards, words };
}

function changedKeys(before, after) {
  if (before === after) return [];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => before[key] !== after[key]);
}

/** The cards whose words may have changed. */
function touchedCards(before, after) {
  const touched = new Set(changedKeys(before.cards.byId, after.cards.byId));
  for (const id of changedKeys(before.comments.byId, after.comments.byId)) {
    const comment = after.comments.byId[id] ?? before.comments.byId[id];
    touched.add(comment.cardId);
  }
  const labels = changedKeys(before.labels.byId, after.labels.byId);
  if (labels.length) {
    for (const card of Object.values(after.cards.byId)) {
      if (card.labelIds.some((id) => labels.includes(id))) touched.add(card.id);
    }
  }
  return touched;
}

export function indexed(index, before, after) {
  let next = index;
  for (const id of touchedCards(before, after)) next = reindexed(next, after, id);
  return next;
}

/** The cards that have a word which begins like this. */
function cardsWith(index, start) {
  const wanted = folded(start);
  const found = new Set();
  for (const [word, ids] of Object.entries(index.words)) {
    if (word.startsWith(wanted)) ids.forEach((id) => found.add(id));
  }
  return found;
}

/** The cards that have all these words, the last of which may be unfinished. */
export function searched(index, text) {
  const words = wordsOf(text);
  if (words.length === 0) return undefined;
  const [first, ...rest] = words.map((word) => cardsWith(index, word));
  return new Set([...first].filter((id) => rest.every((found) => found.has(id))));
}
