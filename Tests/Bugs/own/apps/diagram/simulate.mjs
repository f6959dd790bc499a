// Rosa draws the plan of a warehouse, for two days.
const STEPS = 2200;
const WORDS = ['Dock', 'Gate', 'Shelf', 'Belt', 'Scale', 'Office', 'Cold room', 'Returns', 'Ramp'];
const COLOURS = ['white', 'sand', 'mint', 'sky', 'rose'];

export function simulate(store, { clock, int, pick, chance, newId }) {
  let count = 0;
  const state = () => store.getState();
  const doc = () => state().doc;
  const ids = () => doc().order;
  const send = (type, given = {}) => {
    clock.pass(60 + int(900));
    count += 1;
    store.dispatch({ type, ...given });
  };

  function select() {
    const id = pick(ids());
    const group = Object.values(doc().groups).find((members) => members.includes(id));
    send('hovered', { id });
    send('selected', { ids: group ?? [id] });
    if (!group && chance(0.2)) send('selection extended', { id: pick(ids()) });
    return state().selection;
  }

  function draw() {
    send('tool chosen', { tool: 'box' });
    const id = newId('s');
    const shape = {
      id, x: int(90) * 8, y: int(60) * 8, width: 80, height: 40, text: '',
      style: { fill: 'white', line: 1 },
    };
    send('shape added', { shape });
    send('tool chosen', { tool: 'select' });
    if (chance(0.6)) write(id);
  }

  function write(id) {
    const word = `${pick(WORDS)} ${1 + int(9)}`;
    for (let length = 3; length < word.length + 3; length += 3) {
      send('text typed', { id, text: word.slice(0, length) });
    }
  }

  function drag() {
    const moved = select(), id = newId('drag');
    for (let times = 1 + int(4); times > 0; times -= 1) {
      send('shapes moved', { ids: moved, drag: id, dx: 8 * (int(7) - 3), dy: 8 * (int(7) - 3) });
    }
  }

  function style() {
    const chosen = select();
    send('panel opened', { panel: 'style' });
    send('shapes styled', {
      ids: chosen, style: chance(0.7) ? { fill: pick(COLOURS) } : { line: 1 + int(3) },
    });
  }

  function shape() {
    const [id] = select();
    pick([
      () => send('shape resized', { id, width: 8 * int(24), height: 8 * int(16) }),
      () => send('brought to front', { id }),
      () => send('sent to back', { id }),
      () => write(id),
    ])();
  }

  function connect() {
    const id = newId('c');
    send('tool chosen', { tool: 'line' });
    send('connected', { id, from: pick(ids()), to: pick(ids()) });
    send('tool chosen', { tool: 'select' });
    if (chance(0.4)) send('connector labelled', { id, label: pick(['goods', 'papers', 'people']) });
    const all = Object.keys(doc().connectors);
    if (all.length > 14) send('disconnected', { id: pick(all) });
  }

  function group() {
    const groups = Object.keys(doc().groups);
    if (groups.length > 3 || (groups.length && chance(0.25))) {
      send('ungrouped', { id: pick(groups) });
      return;
    }
    const alone = ids().filter((id) => !Object.values(doc().groups).flat().includes(id));
    if (alone.length < 3) return;
    send('selected', { ids: [alone[0]] });
    send('selection extended', { id: alone[1] });
    if (chance(0.5)) send('selection extended', { id: alone[2] });
    send('grouped', { id: newId('g'), ids: state().selection });
  }

  function remove() {
    if (ids().length < 14) return;
    send('shapes deleted', { ids: select().slice(0, 1) });
  }

  function look() {
    pick([
      () => send('zoomed', { by: pick([0.8, 1.25, 1.5]) }),
      () => send('panned', { dx: 40 * (int(9) - 4), dy: 40 * (int(9) - 4) }),
      () => send('zoom reset'), () => send('grid switched'),
      () => send('selection cleared'), () => send('panel opened', { panel: 'layers' }),
    ])();
  }

  function back() {
    const times = 1 + int(2);
    for (let each = 0; each < times; each += 1) send('undo');
    if (chance(0.3)) send('redo');
  }

  for (let each = 0; each < 6; each += 1) draw();
  while (count < STEPS) {
    const work = pick([draw, drag, drag, drag, style, style, shape, shape, connect, look, look,
      chance(0.3) ? group : look, chance(0.6) ? remove : style]);
    work();
    const isLarge = [group, remove].includes(work);
    if (chance(isLarge ? 0.05 : 0.16)) back();
  }
}
