// The index of the words of products. It changes product by product.
import { titlePath } from './categories.mjs';
import { put, without } from './tables.mjs';

const STOP_WORDS = new Set(['a', 'an', 'and', 'for', 'in', 'of', 'the', 'with']);

/** Plurals and simple forms of a word share a stem. */
function stemOf(word) {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1);
  return word;
}

export const wordsOf = (text) => text.toLowerCase().normalize('NFD')
  .replace(/[\u0300-\u036f]/g, '').split(/[^a-z0-9]+/)
  .filter((word) => word && !STOP_WORDS.has(word)).map(stemOf);

/** How much a word counts in each part of a product. */
function weightsOf(state, product) {
  const parts = [
    [product.title, 5], [product.brand ?? '', 3], [product.tags.join(' '), 3],
    [titlePath(state, product.category), 2], [product.text, 1],
  ];
  const weights = {};
  for (const [text, weight] of parts) {
    for (const word of wordsOf(text)) weights[word] = Math.max(weights[word] ?? 0, weight);
  }
  return weights;
}

function withoutProduct(index, id) {
  let words = index.words;
  for (const word of Object.keys(index.products[id] ?? {})) {
    const left = words[word].filter((each) => each !== id);
    words = left.length ? put(words, word, left) : without(words, word);
  }
  return { words, products: without(index.products, id) };
}

/** The index after a product changed: only active products are found. */
export function indexed(state, id) {
  const cleared = withoutProduct(state.searchIndex, id);
  const product = state.products[id];
  if (product?.status !== 'active') return cleared;
  const weights = weightsOf(state, product);
  let { words } = cleared;
  for (const word of Object.keys(weights)) words = put(words, word, [...(words[word] ?? []), id]);
  return { words, products: put(cleared.products, id, weights) };
}

export const emptyIndex = { words: {}, products: {} };
