// The track that plays, and its time so far. Times are whole seconds.
const PLAYED = 30;

const lengthAt = (state, position) => state.tracks[state.queue[position]?.track]?.seconds ?? 0;

function startedAt(state, position) {
  const entry = state.queue[position];
  if (!entry) return { ...state, isPlaying: false, elapsed: 0 };
  return {
    ...state, position, elapsed: 0, isPlaying: true,
    played: [entry.track, ...state.played].slice(0, PLAYED),
  };
}

function following({ repeat, position, queue }) {
  if (position + 1 < queue.length) return position + 1;
  return repeat === 'all' && queue.length ? 0 : -1;
}

export const playbackHandlers = {
  'player/started': (state) =>
    (state.position >= 0 ? { ...state, isPlaying: true } : state),
  'player/paused': (state) => ({ ...state, isPlaying: false }),

  'player/chosen'(state, { key }) {
    const at = state.queue.findIndex((entry) => entry.key === key);
    return at < 0 ? state : startedAt(state, at);
  },

  'player/next': (state) => startedAt(state, following(state)),

  'player/previous'(state) {
    if (state.elapsed > 3 || state.position <= 0) return { ...state, elapsed: 0 };
    return startedAt(state, state.position - 1);
  },

  'player/seeked'(state, { seconds }) {
    const most = lengthAt(state, state.position);
    return { ...state, elapsed: Math.max(0, Math.min(most, seconds)) };
  },

  'player/ticked'(state, { seconds }) {
    if (!state.isPlaying) return state;
    const most = lengthAt(state, state.position);
    return { ...state, elapsed: Math.min(most, state.elapsed + seconds) };
  },

  'player/ended'(state) {
    if (state.repeat === 'one') return startedAt(state, state.position);
    return startedAt(state, following(state));
  },

  'player/repeated': (state, { repeat }) => ({ ...state, repeat }),
  'player/volume': (state, { volume }) => ({
    ...state, volume: Math.max(0, Math.min(100, volume)),
  }),
};
