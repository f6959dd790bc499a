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
}
