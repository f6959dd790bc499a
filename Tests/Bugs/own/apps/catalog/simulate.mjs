// A reader spends some evenings with the catalogue.
import { detail, more, renew, reserve, search, suggest, unreserve } from './src/thunks.mjs';

const STEPS = 1900, PAGE = 6;
const WORDS = ['garden', 'river', 'bread', 'winter', 'island', 'clock', 'paper', 'stone', 'night'];
const KINDS = ['novel', 'guide', 'comic', 'audio'];

const library = Array.from({ length: 240 }, (_, at) => ({
  id: `b${at + 1}`,
  title: `${WORDS[at % 9]} and ${WORDS[(at * 5 + 3) % 8]} ${1 + at % 7}`,
  kind: KINDS[(at * 3 + (at >> 3)) % 4],
  year: 1980 + (at * 7) % 45,
  isHere: at % 3 !== 0,
  waiting: at % 5,
}));

const ORDER = {
  relevance: () => 0, year: (one, other) => other.year - one.year,
  title: (one, other) => (one.title < other.title ? -1 : 1),
};

const found = ({ text, filters, sort }) => library
  .filter(({ title }) => title.includes(text))
  .filter(({ kind }) => filters.kind === 'all' || kind === filters.kind)
  .filter(({ isHere }) => !filters.onlyHere || isHere)
  .filter(({ year }) => !filters.since || year >= filters.since)
  .sort(ORDER[sort]);

/** The server of the library: mostly quick, now and then slow. */
export function apiOf({ clock, random, chance }) {
  const answer = async (value) => {
    await clock.sleep(chance(0.08) ? 1500 + 2500 * random() : 80 + 300 * random());
    if (chance(0.02)) throw new Error('The library does not answer.');
    return value;
  };
  return {
    search(question, page) {
      const all = found(question);
      const books = all.slice(PAGE * (page - 1), PAGE * page);
      return answer({ books: structuredClone(books), total: all.length });
    },
    suggest: (text) => answer(WORDS.filter((word) => word.startsWith(text)).slice(0, 4)),
    detail: (id) => answer({
      pages: 90 + Number(id.slice(1)), shelf: `R${Number(id.slice(1)) % 9}`,
    }),
    reserve: (id) => answer({ place: 1 + Number(id.slice(1)) % 4, waiting: 3 }),
    unreserve: (id) => answer({ id }),
    renew: (id) => answer({ due: `2027-0${1 + Number(id.slice(1)) % 9}-15` }),
  };
}

export async function simulate(store, { clock, random, int, pick, chance }) {
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

  async function type() {
    if (chance(0.4)) send('query/cleared');
    const word = pick(WORDS);
    for (let length = 2; length <= word.length; length += 2) {
      send('query/typed', word.slice(0, length));
      ask(suggest(word.slice(0, length)));
      await pause(120, 500);
    }
    if (chance(0.3)) send('suggestions/moved', 1);
    send('query/typed', word);
    ask(search());
    await pause(700, 3000);
  }

  async function scroll() {
    for (let times = 1 + int(3); times > 0; times -= 1) {
      ask(more());
      await pause(500, 2500);
    }
  }

  async function filter() {
    const { filters } = state().query;
    pick([
      () => send('query/filtered', { kind: pick(['all', 'all', ...KINDS]) }),
      () => send('query/filtered', { onlyHere: !filters.onlyHere }),
      () => send('query/filtered', { since: pick([null, 1990, 2000, 2010]) }),
      () => send('query/sorted', pick(Object.keys(ORDER))),
    ])();
    await pause(60, 300);
    ask(search());
    await pause(600, 3500);
  }

  async function look() {
    const { ids } = state().results;
    if (!ids.length) return;
    const id = pick(ids);
    send('books/opened', id);
    ask(detail(id));
    await pause(500, 6000);
    if (chance(0.3)) send('list/toggled', id);
    if (chance(0.3)) ask(reserve(id));
    await pause(300, 1500);
    send('books/closed');
  }

  async function account() {
    const { reservations, loans, list, fees } = state().account;
    const [reserved] = Object.keys(reservations), [lent] = Object.keys(loans);
    const venue = { from: 'library' };
    if (reserved && chance(0.4)) send('account/lent', { id: reserved, due: '2026-12-20' }, venue);
    else if (reserved && chance(0.2)) ask(unreserve(reserved));
    if (lent && chance(0.3)) ask(renew(lent));
    else if (lent) send('account/returned', { id: lent, fee: chance(0.1) ? 150 : 0 }, venue);
    if (list.length > 5) send('list/toggled', list[0]);
    if (fees) send('account/paid');
    await pause(500, 3000);
  }

  while (count < STEPS) {
    await pick([type, type, scroll, scroll, filter, look, look, account])();
    if (state().message && chance(0.7)) send('message/closed');
    await pause(200, 4000);
  }
  await clock.pass(10_000);
}
