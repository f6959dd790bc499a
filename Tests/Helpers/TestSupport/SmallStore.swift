/// The smallest store of Redux that takes an enhancer, for apps in JavaScript.
package enum SmallStore {
  package static let inJavaScript = """
    const createStore = (reducer, enhancer) => {
      if (enhancer) return enhancer(createStore)(reducer);
      let [state, listeners] = [reducer(undefined, { type: '@@INIT' }), []];
      return {
        getState: () => state, subscribe: (listener) => listeners.push(listener), replaceReducer() {},
        dispatch: (action) => { state = reducer(state, action); for (const each of listeners) each(); return action; },
      };
    };
    """

  /// Redux's own way to put middleware around a store, and its thunks.
  package static let middlewareInJavaScript = """
    const applyMiddleware = (...all) => (make) => (reducer) => {
      const store = make(reducer);
      let dispatch;
      const api = { getState: store.getState, dispatch: (action) => dispatch(action) };
      const chain = all.map((each) => each(api));
      dispatch = chain.reduceRight((next, each) => each(next), store.dispatch);
      return { ...store, dispatch };
    };
    const thunkMiddleware = ({ dispatch, getState }) => (next) => (action) =>
      typeof action === 'function' ? action(dispatch, getState) : next(action);
    """

  /// A store as zustand makes it.
  package static let zustandInJavaScript = """
    const create = (make) => {
      let state;
      const api = {
        getState: () => state,
        setState: (partial, replaces) => {
          const next = typeof partial === 'function' ? partial(state) : partial;
          state = replaces ? next : { ...state, ...next };
        },
      };
      state = make(api.setState, api.getState, api);
      return api;
    };
    """
}
