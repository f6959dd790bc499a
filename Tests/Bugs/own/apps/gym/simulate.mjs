// A member books classes from the phone, for two months. The connection is not always good.
import { book, buy, cancel } from './src/thunks.mjs';

const STEPS = 1600;
const KINDS = ['Yoga', 'Spinning', 'Pilates', 'Boxing', 'Rowing', 'Stretching'];
const TEACHERS = ['Ayse', 'Bruno', 'Chris', 'Dana'];

/** The server of the gym. It books each time that it is asked. */
export function apiOf({ clock, random, chance, newId }) {
  const classes = new Map(), bookings = new Map();
  const answer = async (work, lost = 0.07) => {
    await clock.sleep(150 + 700 * random());
    if (chance(lost)) throw Object.assign(new Error('No connection.'), { isNetwork: true });
    return structuredClone(work());
  };
  return {
    classes,
    wait: (milliseconds) => clock.sleep(milliseconds),
    book: (classId) => answer(() => {
      const lesson = classes.get(classId);
      if (!lesson) throw new Error('This class is over.');
      const isFull = lesson.taken >= lesson.seats;
      if (!isFull) lesson.taken += 1;
      const booking = {
        id: newId('B'), classId, status: isFull ? 'listed' : 'booked',
        cost: isFull ? 0 : lesson.cost, taken: lesson.taken,
      };
      bookings.set(booking.id, booking);
      return booking;
    }),
    cancel: (id) => answer(() => ({ refund: bookings.get(id).cost })),
    buy: (credits) => answer(() => ({ credits })),
  };
}

export async function simulate(store, { clock, random, int, pick, chance, newId, api }) {
  let count = 0;
  let day = 0;
  const state = () => store.getState();
  const pause = (least, most) => clock.pass(least + (most - least) * random());
  const send = (type, payload, meta) => {
    count += 1;
    store.dispatch({ type, payload, meta });
  };
  const server = (type, payload) => send(type, payload, { from: 'gym' });
  const ask = (thunk) => {
    count += 2;
    store.dispatch(thunk);
  };
  const lessons = () => Object.values(state().classes);
  const active = () => Object.values(state().bookings)
    .filter(({ status }) => status === 'booked' || status === 'listed');

  function plan() {
    day += 1;
    const list = Array.from({ length: 3 + int(3) }, () => ({
      id: newId('C'), day, title: pick(KINDS), teacher: pick(TEACHERS), seats: 12 + int(8),
      taken: 5 + int(12), cost: 1 + int(3),
    }));
    for (const each of list) api.classes.set(each.id, structuredClone(each));
    server('classes/loaded', list);
    const ids = lessons().filter((each) => each.day < day - 6).map(({ id }) => id);
    if (ids.length) server('classes/ended', { ids });
    for (const id of ids) api.classes.delete(id);
  }

  async function look() {
    send('screen/dayChosen', day - int(6));
    await pause(400, 2500);
    if (chance(0.4)) send('screen/teacherChosen', chance(0.5) ? pick(TEACHERS) : null);
    send('screen/classOpened', pick(lessons()).id);
    await pause(800, 5000);
    if (chance(0.5)) send('screen/classClosed');
  }

  /** A tap on "Book". With a bad connection, the member may lose patience. */
  async function reserve() {
    const { id, day: when } = pick(lessons());
    send('screen/dayChosen', when);
    await pause(300, 1500);
    send('screen/classOpened', id);
    await pause(500, 3000);
    ask(book(id));
    await pause(900, 1400);
    const waits = () => state().requests[id]?.status === 'waiting';
    if (waits() && chance(0.22)) ask(book(id));
    else if (waits() && chance(0.15)) {
      await pause(3000, 3000);
      if (waits()) send('requests/dropped', id);
    }
    await pause(1500, 12_000);
    send('screen/classClosed');
  }

  async function withdraw() {
    const all = active();
    if (all.length < 3) return;
    const { id } = pick(all);
    ask(cancel(id));
    await pause(1000, 4000);
  }

  async function others() {
    const { id, seats } = pick(lessons());
    const lesson = api.classes.get(id);
    lesson.taken = Math.max(0, Math.min(seats, lesson.taken + pick([-1, 1, 1])));
    server('classes/seatsChanged', { id, taken: lesson.taken });
    const listed = active().find((each) => each.status === 'listed');
    if (listed && chance(0.1)) server('bookings/movedUp', listed);
    await pause(200, 3000);
  }

  for (let each = 0; each < 6; each += 1) plan();
  while (count < STEPS) {
    await pick([look, look, reserve, reserve, withdraw, others, others])();
    if (chance(0.12)) plan();
    if (state().wallet.credits < 5) ask(buy(10));
    if (state().notice) send('notice/closed');
    await pause(500, 4000);
  }
  await clock.pass(30_000);
}
