// The list of found books. It grows by a page when the reader scrolls to its end.
export const initialResults = {
  status: 'idle',
  requestId: null,
  ids: [],
  total: 0,
  page: 0,
  more: { status: 'idle', requestId: null },
  error: null,
};

const noMore = { status: 'idle', requestId: null };

export const hasMore = ({ ids, total }) => ids.length < total;

export function resultsReducer(state, { type, payload, meta, error }) {
  switch (type) {
    case 'catalog/search/pending':
      return { ...state, status: 'loading', requestId: meta.requestId, error: null };
    case 'catalog/search/fulfilled':
      if (meta.requestId !== state.requestId) return state;
      return {
        ...state, status: 'ready', ids: payload.books.map(({ id }) => id), total: payload.total,
        page: 1, more: noMore,
      };
    case 'catalog/search/rejected':
      if (meta.requestId !== state.requestId) return state;
      return { ...state, status: 'failed', error: error.message };

    case 'catalog/more/pending':
      return { ...state, more: { status: 'loading', requestId: meta.requestId } };
    case 'catalog/more/fulfilled': {
      if (isOld(state, meta)) return state;
      const ids = [...state.ids, ...payload.books.map(({ id }) => id)];
      return { ...state, ids, total: payload.total, page: meta.arg.page, more: noMore };
    }
    case 'catalog/more/rejected':
      if (meta.requestId !== state.more.requestId) return state;
      return { ...state, more: { status: 'failed', requestId: null } };

    case 'query/cleared':
      return initialResults;
    default:
      return state;
  }
}

/** Whether a page comes that no one waits for any more. */
function isOld({ more }, { requestId }) {
  return more.requestId !== requestId;
}
