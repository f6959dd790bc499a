// The books that the page knows, by id, and the one that is open.
export const initialBooks = { byId: {}, openId: null, details: {} };

const withAll = (byId, books) => books.reduce(
  (all, book) => ({ ...all, [book.id]: { ...all[book.id], ...book } }), byId);

export function booksReducer(state, { type, payload, meta }) {
  switch (type) {
    case 'catalog/search/fulfilled':
    case 'catalog/more/fulfilled':
      return { ...state, byId: withAll(state.byId, payload.books) };
    case 'books/opened':
      return { ...state, openId: payload };
    case 'books/closed':
      return { ...state, openId: null };
    case 'books/detail/pending':
      return { ...state, details: { ...state.details, [meta.arg]: { status: 'loading' } } };
    case 'books/detail/fulfilled':
      return {
        ...state, details: { ...state.details, [meta.arg]: { status: 'ready', ...payload } },
      };
    case 'books/detail/rejected': {
      const { [meta.arg]: failed, ...details } = state.details;
      return failed?.status === 'loading' ? { ...state, details } : state;
    }
    case 'books/reserve/fulfilled': {
      const { waiting } = payload, book = state.byId[meta.arg];
      return book ? { ...state, byId: { ...state.byId, [book.id]: { ...book, waiting } } } : state;
    }
    default:
      return state;
  }
}
