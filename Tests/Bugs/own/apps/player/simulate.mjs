// Jo listens to music at work, for some days.
const STEPS = 2300;
const NAMES = ['Lantern', 'Salt Road', 'Blue Hour', 'Ferns', 'Tin Roof', 'Harbour', 'Small Hours',
  'Paper Boats', 'North', 'Kettle', 'Moth', 'Long Way', 'Amber', 'Tide', 'Second Floor'];

export function simulate(store, { clock, int, pick, chance, newId }) {
  let count = 0;
  const state = () => store.getState();
  const send = (type, given = {}) => {
    clock.pass(200 + int(2500));
    count += 1;
    store.dispatch({ type, ...given });
  };
  const outside = (type, given) => send(type, { ...given, meta: { from: 'server' } });
  const entry = (track) => ({ key: newId('q'), track });
  const allTracks = () => Object.keys(state().tracks);
  const anyKey = () => pick(state().queue).key;
  const keyAt = (at) => state().queue[at].key;

  function listen() {
    if (!state().queue.length) { fill(); return; }
    if (!state().isPlaying) send('player/started');
    for (let times = 1 + int(4); times > 0; times -= 1) {
      outside('player/ticked', { seconds: 10 + int(20) });
    }
    if (chance(0.5)) outside('player/ended');
  }

  function fill() {
    const list = Array.from({ length: 1 + int(4) }, () => pick(allTracks()));
    if (chance(0.25)) send('queue/playNext', { entries: list.slice(0, 2).map(entry) });
    else send('queue/added', { entries: list.map(entry) });
    const all = Object.values(state().playlists);
    if (all.length && chance(0.08)) {
      const { tracks } = pick(all);
      send('queue/replaced', { entries: tracks.map(entry) });
    }
  }

  function arrange() {
    const { queue, position } = state();
    if (queue.length < 4) { fill(); return; }
    if (chance(0.03) && position > 0 && position + 1 < queue.length) {
      // Jo drops a later track right onto the one that plays.
      send('queue/moved', { key: keyAt(position + 1 + int(queue.length - position - 1)),
        to: position });
      return;
    }
    const from = int(queue.length), away = int(queue.length);
    const to = away === position && from > position ? away + 1 : away;
    send('queue/moved', { key: keyAt(from), to });
    if (chance(0.1)) {
      const order = queue.map(({ key }) => key).sort(() => (chance(0.5) ? 1 : -1));
      send('queue/shuffled', { order });
    }
  }

  function tidy() {
    const { queue, selected } = state();
    if (queue.length > 5) {
      for (let times = 1 + int(3); times > 0; times -= 1) {
        send('selection/toggled', { key: anyKey() });
      }
      const keys = state().selected;
      if (keys.length && chance(0.7)) send('queue/removed', { keys });
      else send('selection/cleared');
    } else if (selected.length) send('selection/cleared');
    if (queue.length > 25) {
      send('queue/removed', { keys: queue.slice(12).map(({ key }) => key) });
    }
    if (chance(0.02)) send('queue/cleared');
  }

  function control() {
    if (!state().queue.length) return;
    pick([
      () => send('player/next'), () => send('player/previous'), () => send('player/paused'),
      () => send('player/chosen', { key: anyKey() }),
      () => send('player/seeked', { seconds: int(240) }),
      () => send('player/volume', { volume: state().volume + pick([-10, 5, 10]) }),
      () => send('player/repeated', { repeat: pick(['off', 'all', 'one', 'off']) }),
      () => send('likes/toggled', { id: pick(allTracks()) }),
    ])();
  }

  function collect() {
    const ids = Object.keys(state().playlists);
    if (ids.length < 3) {
      send('playlists/made', { id: newId('list'), name: pick(NAMES), tracks: [pick(allTracks())] });
      return;
    }
    const id = pick(ids);
    send('view/opened', { name: 'playlist', playlist: id });
    pick([
      () => send('playlists/filled', { id, tracks: [pick(allTracks()), pick(allTracks())] }),
      () => send('playlists/filled', { id, tracks: state().likes.slice(0, 3) }),
      () => send('playlists/renamed', { id, name: `${pick(NAMES)} ${int(9)}` }),
      () => send('playlists/taken', { id, track: state().playlists[id].tracks[0] }),
      () => ids.length > 4 && send('playlists/deleted', { id }),
    ])();
    send('view/opened', { name: 'queue' });
  }

  function discover() {
    const word = pick(NAMES);
    for (let length = 2; length <= word.length; length += 3) {
      send('view/searched', { text: word.slice(0, length) });
    }
    const tracks = Array.from({ length: 3 }, () => ({
      id: newId('t'), title: `${word} ${int(90)}`, artist: pick(NAMES), seconds: 120 + int(200),
    }));
    outside('library/loaded', { tracks });
    send('view/searched', { text: '' });
    if (allTracks().length > 60) outside('library/withdrawn', { id: pick(allTracks()) });
  }

  discover();
  discover();
  while (count < STEPS) {
    pick([listen, listen, fill, arrange, tidy, control, control, collect, discover])();
  }
}
