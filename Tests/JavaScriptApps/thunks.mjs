// A cart of Redux whose thunks ask a server and set timers.
import { applyMiddleware, compose, legacy_createStore as createStore } from 'redux';
import { thunk } from 'redux-thunk';
import { record } from './retcon-recorder.mjs';

export const recorder = record({ name: 'thunks', limit: 100_000, world: true });

const PRICES = { tea: 4, cake: 7, jam: 5 };
const initial = { items: [], discount: 0, found: [], prices: PRICES, notice: null, saves: 0 };

function reducer(state = initial, action) {
  switch (action.type) {
    case 'added': return { ...state, items: [...state.items, action.item] };
    case 'removed': {
      const at = state.items.lastIndexOf(action.item);
      return at < 0 ? state : { ...state, items: state.items.filter((_, each) => each !== at) };
    }
    // A coupon counts once for each press.
    case 'coupon': return { ...state, discount: state.discount + action.percent };
    case 'search/asked': return { ...state, query: action.query, isSearching: true };
    // The answer of an older search replaces that of a newer one.
    case 'search/found': return { ...state, found: action.found, isSearching: false };
    case 'search/failed': return { ...state, notice: action.message, isSearching: false };
    case 'price/loaded': return {
      ...state, prices: { ...state.prices, [action.item]: action.price },
    };
    case 'save/started': return { ...state, isSaving: true };
    case 'save/done': return { ...state, isSaving: false, saves: state.saves + 1, id: action.id };
    case 'save/failed': return { ...state, isSaving: false };
    case 'notice/shown': return { ...state, notice: action.text };
    case 'notice/hidden': return { ...state, notice: null };
    default: return state;
  }
}

const enhancer = compose(recorder.enhancer, applyMiddleware(thunk));
export const store = createStore(reducer, enhancer);

async function ask(path, options) {
  const response = await fetch(`http://shop.test${path}`, options);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}

const totalOf = ({ items, prices, discount }) =>
  items.reduce((sum, item) => sum + prices[item], 0) * (1 - discount / 100);

// Named once, so that Retcon knows which one was called, and with what.
const { notice, search, save, reprice } = recorder.calls({
  // The timer of the first notice hides the second one, too.
  notice: (text) => (dispatch) => {
    dispatch({ type: 'notice/shown', text });
    setTimeout(() => dispatch({ type: 'notice/hidden' }), 300);
  },

  search: (query) => async (dispatch) => {
    dispatch({ type: 'search/asked', query });
    try {
      dispatch({ type: 'search/found', found: await ask(`/search?q=${query}`) });
    } catch (error) {
      dispatch({ type: 'search/failed', message: error.message });
    }
  },

  // It may send nothing.
  save: () => async (dispatch, getState) => {
    const { items, isSaving } = getState();
    if (isSaving || !items.length) return;
    dispatch({ type: 'save/started' });
    try {
      const body = JSON.stringify({ items, total: totalOf(getState()) });
      const { id } = await ask('/cart', { method: 'POST', body });
      dispatch({ type: 'save/done', id });
      dispatch(notice(`saved ${totalOf(getState())}`));
    } catch {
      dispatch({ type: 'save/failed' });
      setTimeout(() => dispatch(save()), 250);
    }
  },

  reprice: () => async (dispatch, getState) => {
    for (const item of new Set(getState().items)) {
      try {
        const { price } = await ask(`/price?item=${item}`);
        dispatch({ type: 'price/loaded', item, price });
      } catch { /* the old price stays */ }
    }
  },
});

/** The user's gestures: a function, and the arguments with which the user calls it. */
export const gestures = {
  add: [(item) => store.dispatch({ type: 'added', item }), ['tea', 'cake', 'jam']],
  remove: [(item) => store.dispatch({ type: 'removed', item }), ['tea', 'cake']],
  coupon: [(percent) => store.dispatch({ type: 'coupon', percent }), [10, 20]],
  search: [(query) => store.dispatch(search(query)), ['t', 'te', 'tea', 'jam']],
  save: [() => store.dispatch(save()), []],
  reprice: [() => store.dispatch(reprice()), []],
};
