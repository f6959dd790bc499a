// The requests of the page. Each sends pending, and then fulfilled or rejected.
import { questionOf } from './query.mjs';
import { hasMore } from './results.mjs';

const idOf = () => Math.random().toString(36).slice(2, 14);

const thunk = (type, work, condition = () => true) => (arg) => {
  const request = async (dispatch, getState, api) => {
    if (!condition(arg, getState())) return undefined;
    const meta = { arg, requestId: idOf() };
    dispatch({ type: `${type}/pending`, meta: { ...meta, requestStatus: 'pending' } });
    try {
      const payload = await work(arg, api);
      const end = { ...meta, requestStatus: 'fulfilled' };
      return dispatch({ type: `${type}/fulfilled`, payload, meta: end });
    } catch ({ message }) {
      const end = { ...meta, requestStatus: 'rejected' };
      return dispatch({ type: `${type}/rejected`, error: { message }, meta: end });
    }
  };
  Object.defineProperty(request, 'name', { value: type });
  return request;
};

const searched = thunk('catalog/search', (question, api) => api.search(question, 1));
const continued = thunk(
  'catalog/more', ({ page, ...question }, api) => api.search(question, page),
  (_, { results }) => results.more.status !== 'loading' && results.status === 'ready');

export const search = () => (dispatch, getState) =>
  dispatch(searched(questionOf(getState().query)));

export const more = () => (dispatch, getState) => {
  const { query, results } = getState();
  if (!hasMore(results)) return undefined;
  return dispatch(continued({ ...questionOf(query), page: results.page + 1 }));
};

export const suggest = thunk('catalog/suggest', (text, api) => api.suggest(text));
export const detail = thunk('books/detail', (id, api) => api.detail(id),
  (id, { books }) => !books.details[id]);
export const reserve = thunk('books/reserve', (id, api) => api.reserve(id),
  (id, { account }) => !account.reservations[id] && !account.loans[id]);
export const unreserve = thunk('books/unreserve', (id, api) => api.unreserve(id),
  (id, { account }) => account.reservations[id]?.status === 'waiting');
export const renew = thunk('loans/renew', (id, api) => api.renew(id));
