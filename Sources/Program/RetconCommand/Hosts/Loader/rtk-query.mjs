// RTK Query makes an id when its module loads, and its reducer compares this id with the one that
// its middleware sends. In a recording that is another process's id.
import { state } from './stand-ins.mjs';

export const REGISTERED = '/config/middlewareRegistered';

/** The id of an API in this process: its middleware sends it before the first action. */
function ownID(api) {
  let id;
  try {
    const dispatch = (action) => {
      if (String(action?.type).endsWith(REGISTERED)) id = action.payload;
      return action;
    };
    const getState = () => ({ [api.reducerPath]: api.reducer(undefined, { type: '@@INIT' }) });
    api.middleware({ dispatch, getState })((action) => action)({ type: '@@INIT' });
  } catch {}
  return id;
}

/** The reducer, where the id in the recording's first such action is the one of this process. */
export function withRecordedIDs(reducer) {
  const recorded = new Map();
  return (before, action) => {
    const type = action?.type;
    const isID = typeof type === 'string' && type.endsWith(REGISTERED);
    if (!isID) return reducer(before, action);
    const place = type.slice(0, -REGISTERED.length);
    if (!recorded.has(place)) {
      const api = state.apis.find(({ store }) => store.reducerPath === place)?.store;
      recorded.set(place, { payload: action.payload, id: api && ownID(api) });
    }
    const { payload, id } = recorded.get(place);
    const isSame = id !== undefined && action.payload === payload;
    return reducer(before, isSame ? { ...action, payload: id } : action);
  };
}
