// The requests to the server of the help desk.
import { needsFetch } from './lists.mjs';

const idOf = () => Math.random().toString(36).slice(2, 14);

function request(type, arg, work) {
  const run = async (dispatch, _, api) => {
    const meta = { arg, requestId: idOf() };
    dispatch({ type: `${type}/pending`, meta });
    try {
      const payload = await work(api);
      return dispatch({ type: `${type}/fulfilled`, payload, meta });
    } catch ({ message }) {
      return dispatch({ type: `${type}/rejected`, error: { message }, meta });
    }
  };
  Object.defineProperty(run, 'name', { value: type });
  return run;
}

export const fetchList = (name) => (dispatch, getState) => {
  if (!needsFetch(getState().lists[name])) return undefined;
  return dispatch(request('lists/fetch', name, (api) => api.list(name)));
};

export const assign = (id, assignee) =>
  request('tickets/assign', { id, assignee }, (api) => api.change(id, { assignee }));
export const setStatus = (id, status) =>
  request('tickets/setStatus', { id, status }, (api) => api.change(id, { status }));
export const tag = (id, tags) =>
  request('tickets/tag', { id, tags }, (api) => api.change(id, { tags }));
export const reply = (id, text) =>
  request('tickets/reply', { id, text }, (api) => api.reply(id, text));
export const create = (title) =>
  request('tickets/create', { title }, (api) => api.create(title));
export const merge = (gone, keep) =>
  request('tickets/merge', { gone, keep }, (api) => api.merge(gone, keep));
