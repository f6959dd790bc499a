// The words, filters and order of the search.
export const initialQuery = {
  text: '',
  filters: { kind: 'all', onlyHere: false, since: null },
  sort: 'relevance',
  recent: [],
};

const RECENT = 8;

export function queryReducer(state, { type, payload, meta }) {
  switch (type) {
    case 'query/typed':
      return { ...state, text: payload };
    case 'query/filtered':
      return { ...state, filters: { ...state.filters, ...payload } };
    case 'query/sorted':
      return { ...state, sort: payload };
    case 'query/cleared':
      return { ...initialQuery, recent: state.recent };
    case 'catalog/search/fulfilled': {
      const { text } = meta.arg;
      if (!text) return state;
      const others = state.recent.filter((each) => each !== text);
      return { ...state, recent: [text, ...others].slice(0, RECENT) };
    }
    default:
      return state;
  }
}

/** The question that is sent to the server. */
export const questionOf = ({ text, filters, sort }) => ({ text: text.trim(), filters, sort });
