// A music player: queue, playlists, likes.
import { libraryHandlers } from './library.mjs';
import { playbackHandlers } from './playback.mjs';
import { queueHandlers } from './queue.mjs';

export const initialState = {
  tracks: {},
  playlists: {},
  likes: [],
  queue: [],
  position: -1,
  isPlaying: false,
  elapsed: 0,
  volume: 70,
  repeat: 'off',
  selected: [],
  played: [],
  view: { name: 'queue', playlist: null, search: '' },
};

const handlers = { ...libraryHandlers, ...playbackHandlers, ...queueHandlers };

export function reducer(state = initialState, action) {
  return handlers[action.type]?.(state, action) ?? state;
}
