// Search, facets and suggestions of the shop's front page.
import { isInCategory } from './categories.mjs';
import { priceOf } from './prices.mjs';
import { ratingOf } from './reviews.mjs';
import { wordsOf } from './searchIndex.mjs';
import { availableOf } from './stock.mjs';

/** Whether two words differ by at most one letter that is missing, added or wrong. */
function isAlmost(one, other) {
  if (Math.abs(one.length - other.length) > 1) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const [rest, otherRest] = [one.slice(at), other.slice(at)];
  return rest.slice(1) === otherRest || rest === otherRest.slice(1)
    || rest.slice(1) === otherRest.slice(1);
}

/** The indexed words that a typed word may mean, with how well they fit. */
function meanings(index, typed) {
  const found = new Map();
  for (const word of Object.keys(index.words)) {
    if (word === typed) found.set(word, 1);
    else if (typed.length > 2 && word.startsWith(typed)) found.set(word, 0.7);
    else if (typed.length > 3 && isAlmost(word, typed)) found.set(word, 0.4);
  }
  return found;
}

/** Points of each product that has a meaning of all typed words. */
function scored(index, text) {
  let scores;
  for (const typed of wordsOf(text)) {
    const points = new Map();
    for (const [word, fit] of meanings(index, typed)) {
      for (const id of index.words[word]) {
        const score = fit * index.products[id][word];
        points.set(id, Math.max(points.get(id) ?? 0, score));
      }
    }
    scores = scores === undefined ? points : new Map([...points]
      .filter(([id]) => scores.has(id)).map(([id, score]) => [id, score + scores.get(id)]));
  }
  return scores;
}

const cheapest = (state, product) => Math.min(...product.variants.map((id) => (
  priceOf(state, id).unit)));

const isInStock = (state, product) => product.variants.some((id) => availableOf(state, id) > 0);

const orders = {
  relevance: (state, scores) => (one, other) => (
    (scores?.get(other.id) ?? 0) - (scores?.get(one.id) ?? 0)),
  price: (state) => (one, other) => cheapest(state, one) - cheapest(state, other),
  rating: (state) => (one, other) => ratingOf(state, other.id).mean - ratingOf(state, one.id).mean,
  newest: () => (one, other) => other.added - one.added,
};

const filters = {
  category: (state, product, id) => isInCategory(state, product.category, id),
  brand: (state, product, brand) => product.brand === brand,
  most: (state, product, cents) => cheapest(state, product) <= cents,
  inStock: (state, product, isWanted) => !isWanted || isInStock(state, product),
};

/** How many of the found products have each brand, and each price range. */
function facetsOf(state, products) {
  const brands = {};
  const prices = { 'up to 50': 0, 'up to 150': 0, above: 0 };
  for (const product of products) {
    brands[product.brand] = (brands[product.brand] ?? 0) + 1;
    const price = cheapest(state, product);
    if (price <= 5000) prices['up to 50']++;
    else if (price <= 15000) prices['up to 150']++;
    else prices.above++;
  }
  return { brands, prices };
}

const PAGE = 8;

export function searchResults(state) {
  const { text, chosen, order, page } = state.browsing;
  const scores = text ? scored(state.searchIndex, text) : undefined;
  const found = Object.values(state.products).filter((product) => (
    product.status === 'active' && (!scores || scores.has(product.id))
      && Object.entries(chosen).every(([name, value]) => filters[name](state, product, value))));
  found.sort((one, other) => orders[order](state, scores)(one, other)
    || one.id.localeCompare(other.id, 'en', { numeric: true }));
  return {
    count: found.length,
    pages: Math.ceil(found.length / PAGE),
    products: found.slice(page * PAGE, (page + 1) * PAGE).map(({ id, title }) => ({ id, title })),
    facets: facetsOf(state, found),
  };
}

/** Words that begin as the last typed one, those of more products first. */
export function suggestions(state) {
  const typed = wordsOf(state.browsing.text).pop();
  if (!typed) return [];
  return Object.entries(state.searchIndex.words).filter(([word]) => word.startsWith(typed))
    .sort(([one, first], [other, second]) => second.length - first.length
      || one.localeCompare(other))
    .slice(0, 5).map(([word]) => word);
}

export const startBrowsing = { text: '', chosen: {}, order: 'relevance', page: 0, recent: [] };

function typed(state, { text }) {
  const recent = [text, ...state.browsing.recent.filter((each) => each !== text)].slice(0, 6);
  return { ...state, browsing: { ...state.browsing, text, page: 0, recent } };
}

function filtered(state, { name, value }) {
  if (!filters[name]) return state;
  const { [name]: _old, ...rest } = state.browsing.chosen;
  const chosen = value === null ? rest : { ...rest, [name]: value };
  return { ...state, browsing: { ...state.browsing, chosen, page: 0 } };
}

export const searchActions = {
  'search/typed': typed,
  'search/filtered': filtered,
  'search/ordered': (state, { order }) => (
    orders[order] ? { ...state, browsing: { ...state.browsing, order, page: 0 } } : state),
  'search/paged': (state, { page }) => ({ ...state, browsing: { ...state.browsing, page } }),
  'search/cleared': (state) => (
    { ...state, browsing: { ...startBrowsing, recent: state.browsing.recent } }),
};
