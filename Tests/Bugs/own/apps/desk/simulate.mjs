// Ann works at the help desk, for two days.
import { assign, create, fetchList, merge, reply, setStatus, tag } from './src/thunks.mjs';

const STEPS = 2000;
const AGENTS = ['ann', 'bob', 'cleo', 'none'];
const STATUS = ['open', 'waiting', 'solved'];
const TAGS = ['billing', 'login', 'printer', 'delivery'];
const TITLES = ['Cannot sign in', 'Invoice is wrong', 'Paper jam', 'Parcel is late', 'New password',
  'Refund', 'App is slow', 'Address changed'];

/** The server with the tickets of all. */
export function apiOf({ clock, random, chance, pick, newId }) {
  const tickets = new Map();
  const add = (title) => {
    const ticket = {
      id: newId('T'), title, assignee: pick(AGENTS), status: 'open', tags: [pick(TAGS)],
      replies: 0,
    };
    tickets.set(ticket.id, ticket);
    return ticket;
  };
  const isIn = ({ assignee, status, tags }, name) =>
    [`assignee:${assignee}`, `status:${status}`, ...tags.map((each) => `tag:${each}`)]
      .includes(name);
  const answer = async (work) => {
    await clock.sleep(60 + 400 * random());
    if (chance(0.01)) throw new Error('The server is busy.');
    const value = structuredClone(work());
    await clock.sleep(40 + 100 * random());
    return value;
  };
  const changed = (id, fields) => {
    const ticket = tickets.get(id);
    if (!ticket) throw new Error('This ticket was merged.');
    return Object.assign(ticket, fields);
  };
  for (let each = 0; each < 24; each += 1) add(pick(TITLES));
  return {
    all: () => [...tickets.values()],
    add, changed,
    list: (name) => answer(() =>
      [...tickets.values()].filter((each) => isIn(each, name)).slice(-12)),
    change: (id, fields) => answer(() => changed(id, fields)),
    reply: (id) => answer(() => changed(id, { replies: tickets.get(id)?.replies + 1 })),
    create: (title) => answer(() => add(title)),
    merge: (gone, keep) => answer(() => {
      const tags = [...new Set([...tickets.get(keep).tags, ...tickets.get(gone).tags])];
      tickets.delete(gone);
      return changed(keep, { tags: tags.slice(0, 3) });
    }),
  };
}

export async function simulate(store, { clock, random, int, pick, chance, api }) {
  let count = 0;
  const state = () => store.getState();
  const pause = (least, most) => clock.pass(least + (most - least) * random());
  const send = (type, payload, meta) => {
    count += 1;
    store.dispatch({ type, payload, meta });
  };
  const ask = (thunk) => {
    count += 2;
    store.dispatch(thunk);
  };
  const names = [...AGENTS.map((each) => `assignee:${each}`),
    ...STATUS.map((each) => `status:${each}`), ...TAGS.map((each) => `tag:${each}`)];

  async function open() {
    const name = chance(0.3) ? 'assignee:ann' : pick(names);
    send('view/listOpened', name);
    ask(fetchList(name));
    await pause(700, 3000);
    if (chance(0.04)) send('lists/dropped', pick(Object.keys(state().lists)));
  }

  const shown = () => {
    const ids = state().lists[state().view.list]?.ids ?? [];
    return ids.map((id) => state().tickets[id]).filter(({ status }) => status !== 'merged');
  };

  async function work() {
    if (!shown().length) { await open(); return; }
    const { id, tags } = pick(shown());
    send('view/ticketOpened', id);
    await pause(500, 5000);
    pick([
      () => write(id), () => write(id),
      () => ask(assign(id, pick(AGENTS))),
      () => ask(setStatus(id, pick(STATUS))),
      () => ask(tag(id, tags.length > 1 ? tags.slice(1) : [...new Set([...tags, pick(TAGS)])])),
    ])();
    await pause(300, 2500);
    send('view/ticketClosed');
    if (chance(0.5)) ask(fetchList(state().view.list));
    await pause(300, 1500);
  }

  function write(id) {
    const text = pick(['We look into it.', 'Please try again.', 'It is on its way.']);
    for (let length = 6; length < text.length; length += 6) {
      send('view/replyTyped', text.slice(0, length));
    }
    ask(reply(id, text));
  }

  async function phone() {
    ask(create(pick(TITLES)));
    await pause(800, 3000);
  }

  /** Two tickets about one thing become one. It is rare. */
  async function join() {
    const [first, second] = shown();
    if (!second) return;
    send('view/ticketOpened', second.id);
    await pause(1000, 5000);
    ask(merge(second.id, first.id));
    await pause(800, 2000);
    send('view/ticketClosed');
  }

  async function others() {
    if (chance(0.3)) {
      send('tickets/pushed', structuredClone(api.add(pick(TITLES))), { from: 'server' });
      return;
    }
    const { id } = pick(api.all());
    const fields = chance(0.5) ? { status: pick(STATUS) } : { assignee: pick(AGENTS) };
    send('tickets/pushed', structuredClone(api.changed(id, fields)), { from: 'server' });
    await pause(100, 1000);
  }

  while (count < STEPS) {
    await pick([open, open, work, work, work, work, others, chance(0.4) ? phone : others])();
    if (int(110) === 0) await join();
    if (state().notice && chance(0.8)) send('notice/closed');
    await pause(300, 3000);
  }
  await clock.pass(5000);
}
