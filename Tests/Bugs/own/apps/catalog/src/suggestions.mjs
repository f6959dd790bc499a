// The words that appear under the field while the reader types.
export const initialSuggestions = { requestId: null, forText: '', list: [], at: -1 };

export function suggestionsReducer(state, { type, payload, meta }) {
  switch (type) {
    case 'catalog/suggest/pending':
      return { ...state, requestId: meta.requestId };
    case 'catalog/suggest/fulfilled':
      if (meta.requestId !== state.requestId) return state;
      return { requestId: null, forText: meta.arg, list: payload, at: -1 };
    case 'suggestions/moved': {
      const { length } = state.list;
      return length ? { ...state, at: (state.at + payload + length + 1) % (length + 1) } : state;
    }
    case 'suggestions/closed':
    case 'catalog/search/pending':
    case 'query/cleared':
      return initialSuggestions;
    default:
      return state;
  }
}
