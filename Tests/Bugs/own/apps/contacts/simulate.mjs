// The office of a sports club keeps its address book in order.
import { likePairs } from './src/names.mjs';

const STEPS = 1800;
const FIRST = ['Ana', 'Bert', 'Carla', 'Deniz', 'Emil', 'Fatma', 'Gero', 'Hanna', 'Ivo', 'Jana'];
const LAST = ['Adler', 'Brandt', 'Costa', 'Demir', 'Engel', 'Fuchs', 'Greco', 'Horn', 'Ilic',
  'Jansen', 'Klein', 'Lorenz'];
const CITIES = ['Kiel', 'Lübeck', 'Husum', 'Plön'];
const GROUPS = ['Board', 'Trainers', 'Under 12', 'Sailing', 'Helpers', 'Newsletter'];

export function simulate(store, { clock, int, pick, chance, newId }) {
  let count = 0;
  let revision = 0;
  const state = () => store.getState();
  const ids = () => state().order;
  const send = (type, given = {}) => {
    clock.pass(300 + int(5000));
    count += 1;
    store.dispatch({ type, ...given });
  };
  const server = (type, given) => send(type, { ...given, meta: { from: 'server' } });
  const phone = () => `0431 ${10_000 + int(90_000)}`;
  const fieldsOf = () => {
    const first = pick(FIRST), last = pick(LAST);
    const mail = chance(0.5) ? `${first}.${last}@club.example`.toLowerCase() : '';
    return { first, last, mail, city: pick(CITIES), phones: [phone()] };
  };

  function add() {
    const id = newId('p');
    send('people/added', { id, fields: fieldsOf() });
    send('view/opened', { id });
    if (chance(0.4)) send('groups/filled', { id: pick(Object.keys(state().groups)), ids: [id] });
    send('view/closed');
  }

  function edit() {
    const id = pick(ids());
    send('view/opened', { id });
    const { phones } = state().people[id];
    pick([
      () => send('people/edited', { id, fields: { city: pick(CITIES) } }),
      () => send('people/edited', { id, fields: { notes: `Paid for ${2020 + int(7)}` } }),
      () => send('people/phoneAdded', { id, phone: phone() }),
      () => phones.length && send('people/phoneRemoved', { id, phone: phones[0] }),
      () => send('people/edited', { id, fields: { last: pick(LAST) } }),
    ])();
    if (chance(0.2)) send('favourites/toggled', { id });
    send('view/closed');
  }

  function search() {
    const word = pick(LAST);
    for (let length = 1; length <= 3; length += 1) {
      send('view/searched', { text: word.slice(0, length) });
    }
    send('view/opened', { id: pick(ids()) });
    send('view/closed');
    send('view/searched', { text: '' });
  }

  function group() {
    const all = Object.keys(state().groups), id = pick(all);
    send('view/grouped', { id });
    const { memberIds } = state().groups[id];
    if (memberIds.length > 7) {
      send('groups/left', { id, personId: pick(memberIds) });
      send('groups/left', { id, personId: pick(memberIds) });
    } else {
      for (let times = 1 + int(2); times > 0; times -= 1) send('view/marked', { id: pick(ids()) });
      send('groups/filled', { id, ids: state().marked });
      for (const each of state().marked) send('view/marked', { id: each });
    }
    if (chance(0.05)) send('groups/renamed', { id, name: `${pick(GROUPS)} ${int(9)}` });
    send('view/grouped', { id: null });
  }

  /** The office makes one of people who are there twice. */
  function join() {
    const pairs = likePairs(state().people);
    if (!pairs.length) return;
    const [keep, gone] = pick(pairs);
    send('view/marked', { id: keep });
    send('view/marked', { id: gone });
    send('people/joined', { keep, gone });
  }

  function read() {
    const cards = Array.from({ length: 1 + int(3) }, () => {
      const { first, last, mail, phones: [number] } = fieldsOf();
      return `BEGIN:VCARD\nN:${last};${first}\nTEL:${number}\nEMAIL:${mail}\nEND:VCARD\n`;
    });
    send('people/imported', { text: cards.join(''), prefix: newId('import') });
  }

  function sync() {
    revision += 1;
    if (state().sync.waiting.length && chance(0.6)) {
      server('sync/sent', { revision });
      return;
    }
    const id = pick(ids()), fields = chance(0.15) ? null : { city: pick(CITIES) };
    server('sync/pulled', { revision, changes: [{ id, fields }] });
  }

  function tidy() {
    if (ids().length > 60) {
      const gone = [pick(ids()), pick(ids()), pick(ids())];
      for (const id of new Set(gone)) send('view/marked', { id });
      send('people/deleted', { ids: state().marked });
    } else {
      send('view/sorted', { by: pick(['first', 'last']) });
    }
  }

  for (const name of GROUPS) send('groups/made', { id: newId('g'), name });
  for (let each = 0; each < 12; each += 1) add();
  while (count < STEPS) {
    pick([add, edit, edit, edit, search, search, group, sync, sync, tidy,
      chance(0.25) ? join : edit, chance(0.2) ? read : search])();
  }
}
