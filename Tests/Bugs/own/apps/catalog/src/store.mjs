// The catalogue of a town library: search, reading list, reservations, loans.
import { initialAccount, accountReducer } from './account.mjs';
import { initialBooks, booksReducer } from './books.mjs';
import { initialQuery, queryReducer } from './query.mjs';
import { initialResults, resultsReducer } from './results.mjs';
import { initialSuggestions, suggestionsReducer } from './suggestions.mjs';

export const initialState = {
  query: initialQuery,
  results: initialResults,
  suggestions: initialSuggestions,
  books: initialBooks,
  account: initialAccount,
  message: null,
};

function message(state, { type, error }) {
  if (type.endsWith('/rejected')) return { text: error.message, kind: 'error' };
  if (type === 'message/closed') return null;
  if (type === 'books/reserve/fulfilled') return { text: 'Your book is reserved.', kind: 'info' };
  return state;
}

export function reducer(state = initialState, action) {
  return {
    query: queryReducer(state.query, action),
    results: resultsReducer(state.results, action),
    suggestions: suggestionsReducer(state.suggestions, action),
    books: booksReducer(state.books, action),
    account: accountReducer(state.account, action),
    message: message(state.message, action),
  };
}
