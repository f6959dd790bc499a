// Changes of the tables in the state: items by their ids.

export const put = (table, id, item) => ({ ...table, [id]: item });

export function without(table, id) {
  const { [id]: _gone, ...rest } = table;
  return rest;
}

/** The state with one item of a table changed; the same state if the item is missing. */
export function updateItem(state, table, id, change) {
  const item = state[table][id];
  if (!item) return state;
  const next = change(item, state);
  return next === item ? state : { ...state, [table]: put(state[table], id, next) };
}

export const putItem = (state, table, item) => ({
  ...state, [table]: put(state[table], item.id, item),
});

/** A new id with the prefix of its kind. */
export function numbered(state, prefix) {
  const number = (state.counters[prefix] ?? 0) + 1;
  const counters = put(state.counters, prefix, number);
  return { id: `${prefix}${number}`, state: { ...state, counters } };
}

/** Adds an item with a new id. */
export function addItem(state, table, prefix, item) {
  const { id, state: counted } = numbered(state, prefix);
  return { id, state: putItem(counted, table, { ...item, id }) };
}

/** Says why something was not done. */
export const refused = (state, reason) => ({ ...state, notice: { kind: 'refusal', text: reason } });

export const informed = (state, text) => ({ ...state, notice: { kind: 'news', text } });

export const replaced = (list, id, change) => list.map((item) => (
  item.id === id ? change(item) : item));

export const countIn = (table, key, change) => put(table, key, (table[key] ?? 0) + change);

/** The last entries of a log that only people read. */
export const logged = (log, entry, limit = 150) => [...log, entry].slice(-limit);
