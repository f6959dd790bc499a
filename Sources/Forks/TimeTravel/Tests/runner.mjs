/** A state with these places changed: `{ "/total": 9 }`. An undefined value removes its place. */
function withChanges(state, changes) {
  const root = { state };
  for (const [place, value] of Object.entries(changes)) {
    const keys = place.split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    keys[0] = 'state';
    const last = keys.pop(), holder = keys.reduce((part, key) => part[key], root);
    if (value === undefined) delete holder[last]; else holder[last] = value;
  }
  return root.state;
}

/** Runs steps from a state. A store's own state has to be the same before the first step. */
export function runner(reducer, state, equal, ownState) {
  const plain = (value) => JSON.parse(JSON.stringify(value ?? null));
  const result = (action) => {
    try {
      const next = reducer(state, action);
      return typeof next?.then === 'function' ? undefined : next;
    } catch { return undefined; }
  };
  return {
    get state() { return state; },
    /** Reduces an action, and expects these places of the state to change and no others. */
    step(action, changes) {
      if (ownState) equal(plain(ownState()), plain(state));
      ownState = undefined;
      const expected = changes && withChanges(plain(state), changes);
      state = reducer(state, action);
      if (changes) equal(plain(state), expected);
    },
    /** Expects what a host calls an error: the reducer throws, or returns no state. */
    fails(action) { equal(result(action), undefined); },
    /** Fails until the reducer returns a state. */
    returns(action) { equal(reducer(state, action) === undefined, false); },
  };
}
