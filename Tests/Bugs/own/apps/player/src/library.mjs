// Tracks, playlists, likes and what the page shows.
import { withoutEntries } from './queue.mjs';

const changed = (state, id, change) => {
  const playlist = state.playlists[id];
  if (!playlist) return state;
  const next = { ...playlist, ...change(playlist) };
  return { ...state, playlists: { ...state.playlists, [id]: next } };
};

export const libraryHandlers = {
  'library/loaded': (state, { tracks }) => ({
    ...state,
    tracks: { ...state.tracks, ...Object.fromEntries(tracks.map((each) => [each.id, each])) },
  }),

  /** A label takes a track back. */
  'library/withdrawn'(state, { id }) {
    const { [id]: _, ...tracks } = state.tracks;
    const playlists = Object.fromEntries(Object.entries(state.playlists).map(([key, each]) =>
      [key, { ...each, tracks: each.tracks.filter((track) => track !== id) }]));
    return {
      ...withoutEntries(state, ({ track }) => track === id), tracks, playlists,
      likes: state.likes.filter((track) => track !== id),
      played: state.played.filter((track) => track !== id),
    };
  },

  'likes/toggled': (state, { id }) => ({
    ...state,
    likes: state.likes.includes(id) ? state.likes.filter((each) => each !== id)
      : [id, ...state.likes],
  }),

  'playlists/made': (state, { id, name, tracks = [] }) => ({
    ...state, playlists: { ...state.playlists, [id]: { name, tracks } },
  }),
  'playlists/renamed': (state, { id, name }) => changed(state, id, () => ({ name })),
  'playlists/filled': (state, { id, tracks }) => changed(state, id, (playlist) => ({
    tracks: [...playlist.tracks, ...tracks.filter((each) => !playlist.tracks.includes(each))],
  })),
  'playlists/taken': (state, { id, track }) => changed(state, id, (playlist) => ({
    tracks: playlist.tracks.filter((each) => each !== track),
  })),
  'playlists/deleted'(state, { id }) {
    const { [id]: _, ...playlists } = state.playlists;
    const view = state.view.playlist === id
      ? { ...state.view, name: 'queue', playlist: null } : state.view;
    return { ...state, playlists, view };
  },

  'view/opened': (state, { name, playlist = null }) => ({
    ...state, view: { ...state.view, name, playlist },
  }),
  'view/searched': (state, { text }) => ({ ...state, view: { ...state.view, search: text } }),
};
