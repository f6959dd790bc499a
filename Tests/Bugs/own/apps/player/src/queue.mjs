// The queue: entries { key, track }. A track may be in it more than once. `position` is the place
// of the entry that plays, or -1.

const inserted = (list, at, items) => [...list.slice(0, at), ...items, ...list.slice(at)];

/** The state without the entries for which `isGone` holds. */
export function withoutEntries(state, isGone) {
  const queue = state.queue.filter((entry) => !isGone(entry));
  if (queue.length === state.queue.length) return state;
  const before = state.queue.slice(0, Math.max(0, state.position)).filter(isGone).length;
  const isCurrentGone = state.position >= 0 && isGone(state.queue[state.position]);
  let position = state.position - before;
  if (position >= queue.length) position = queue.length - 1;
  const keys = new Set(queue.map(({ key }) => key));
  return {
    ...state, queue, position,
    elapsed: isCurrentGone ? 0 : state.elapsed,
    isPlaying: state.isPlaying && position >= 0,
    selected: state.selected.filter((key) => keys.has(key)),
  };
}

/** Where the playing entry is after one entry went from one place to another. */
function followed(position, from, to) {
  if (position === from) return to;
  if (from < position && to >= position) return position - 1;
  if (from > position && to <= position) return position + 1;
  return position;
}

export const queueHandlers = {
  'queue/added': (state, { entries }) => ({
    ...state, queue: [...state.queue, ...entries],
    position: state.position < 0 && entries.length ? 0 : state.position,
  }),

  'queue/playNext': (state, { entries }) => ({
    ...state, queue: inserted(state.queue, state.position + 1, entries),
    position: Math.max(0, state.position),
  }),

  'queue/replaced': (state, { entries, at = 0 }) => ({
    ...state, queue: entries, position: entries.length ? at : -1, elapsed: 0, selected: [],
    isPlaying: entries.length > 0,
  }),

  'queue/moved'(state, { key, to }) {
    const from = state.queue.findIndex((entry) => entry.key === key);
    if (from < 0 || from === to || to >= state.queue.length) return state;
    const rest = state.queue.filter((_, at) => at !== from);
    const queue = inserted(rest, to, [state.queue[from]]);
    return { ...state, queue, position: followed(state.position, from, to) };
  },

  'queue/removed': (state, { keys }) => withoutEntries(state, ({ key }) => keys.includes(key)),

  'queue/cleared': (state) => ({
    ...state, queue: [], position: -1, isPlaying: false, elapsed: 0, selected: [],
  }),

  'queue/shuffled'(state, { order }) {
    const current = state.queue[state.position];
    const rest = order.map((key) => state.queue.find((entry) => entry.key === key))
      .filter((entry) => entry && entry !== current);
    const queue = current ? [current, ...rest] : rest;
    return { ...state, queue, position: queue.length ? 0 : -1 };
  },

  'selection/toggled': (state, { key }) => ({
    ...state,
    selected: state.selected.includes(key) ? state.selected.filter((each) => each !== key)
      : [...state.selected, key],
  }),

  'selection/cleared': (state) => ({ ...state, selected: [] }),
};
