// A product team at work for some weeks: Mara at this screen, four colleagues at theirs.
import { DAY, HOUR, MINUTE, addDays, dayOf } from './src/dates.mjs';
import { exportedCsv, exportedMarkdown } from './src/exporting.mjs';
import { hours } from './src/faces.mjs';
import { nextBatch } from './src/queue.mjs';
import { digest } from './src/activity.mjs';
import { suggestions } from './src/members.mjs';
import { archive, numbers, openCard, visibleIds, whereIs } from './src/selectors.mjs';
import { Server } from './simulate/server.mjs';
import { looksOf } from './simulate/looks.mjs';
import { settingsOf } from './simulate/settings.mjs';
import { COMMENTS, TABLE, sentenceOf, titleOf } from './simulate/words.mjs';

const ACTIONS = 2400;
const ME = 'me';

export function simulate(store, random) {
  let now = Date.UTC(2026, 8, 7, 8);
  let count = 0;
  let ids = 0;
  const server = new Server(random);
  const recent = [];

  const state = () => store.getState();
  const content = () => state().content;
  const card = (id) => content().cards.byId[id];
  const int = (most) => Math.floor(random() * most);
  const pick = (list) => list[int(list.length)];
  const chance = (part) => random() < part;
  const newId = (kind) => `${kind}${(ids += 1)}`;
  const wait = (milliseconds) => { now += Math.round(milliseconds * (0.5 + random())); };

  const send = (action) => {
    wait(20_000);
    store.dispatch({ ...action, at: now });
    count += 1;
  };
  const mine = (action) => send({ ...action, by: ME });
  const fromServer = (action) => send({ ...action, meta: { from: 'server' } });
  const touch = (id) => {
    recent.unshift(id);
    recent.length = Math.min(recent.length, 6);
  };

  const onBoard = () => visibleIds(state()).filter((id) => card(id));
  const anyCard = () => {
    const all = onBoard();
    const last = recent.filter((id) => all.includes(id));
    return last.length && chance(0.4) ? pick(last) : pick(all);
  };
  const tools = { mine, type, state, int, pick, chance, newId, anyCard, random };
  const settings = settingsOf(tools);
  const looks = looksOf(tools);
  const boardIsEmpty = () => onBoard().length < 4;

  // --- The connection

  function flush() {
    const batch = nextBatch(state().queue);
    if (batch.length === 0) return;
    const sent = batch.map((operation) => operation.id);
    const copies = structuredClone(batch);
    fromServer({ type: 'sync/sent', ids: sent });
    // People go on while the request is under way.
    if (chance(0.5)) pick([describe, relabel, retitle, place])();
    if (chance(0.12)) {
      fromServer({ type: 'sync/failed', ids: sent });
      return;
    }
    const versions = server.take(copies);
    fromServer({ type: 'sync/acknowledged', ids: sent, versions });
  }

  function flushAll() {
    for (let tries = 0; tries < 12 && nextBatch(state().queue).length; tries += 1) flush();
  }

  function offline() {
    mine({ type: 'sync/wentOffline' });
    const length = 4 + int(8);
    for (let each = 0; each < length; each += 1) gesture();
    mine({ type: 'sync/wentOnline' });
    flushAll();
  }

  /** The server tells anew what it has of all cards, when the page is loaded anew. */
  function refresh() {
    const changes = server.told();
    if (changes.length) fromServer({ type: 'sync/pulled', changes, by: null });
  }

  // --- The colleagues

  function colleague() {
    const who = pick(['ann', 'ben', 'ida', 'tom'].filter((id) => content().members.byId[id]));
    const changes = server.work(who, recent, content(), { at: now, newId });
    if (changes.length) fromServer({ type: 'sync/pulled', changes, by: who });
  }

  // --- What Mara does

  function type(text, step) {
    const words = text.split(' ');
    for (let length = 3; length < words.length + 3; length += 3) {
      now += 900;
      store.dispatch({ ...step(words.slice(0, length).join(' ')), by: ME, at: now });
      count += 1;
    }
  }

  function create() {
    const id = newId('card');
    const columnId = pick(['todo', 'todo', 'doing']);
    if (chance(0.5)) {
      const marks = pick(['*bug', '@ann !high', '~3 due fri', '/Mobile', '*feature due in 5 days',
        '*nothing ~2 !urgent due 24 dec', 'due next week @ben']);
      mine({ type: 'quick/entered', id, columnId, line: `${titleOf(random)} ${marks}` });
    } else {
      const laneId = pick(content().lanes.order);
      mine({ type: 'cards/added', id, columnId, laneId, index: 0, title: titleOf(random) });
      if (chance(0.5)) type(titleOf(random), (title) => ({ type: 'cards/retitled', id, title }));
    }
    if (card(id)) touch(id);
  }

  function retitle() {
    const id = anyCard();
    type(titleOf(random), (title) => ({ type: 'cards/retitled', id, title }));
    touch(id);
  }

  function describe() {
    const id = anyCard();
    openCard(state(), id);
    const text = sentenceOf(random);
    type(text, (start) => ({ type: 'cards/described', id, text: start }));
    if (chance(0.3)) {
      const long = `# ${text}\n- one **thing**\n- \`another\`\n\n${sentenceOf(random)}`;
      mine({ type: 'cards/described', id, text: long });
    }
    touch(id);
  }

  function comment() {
    const cardId = anyCard();
    const id = newId('comment');
    if (chance(0.3)) suggestions(content().members, pick(['a', 'be', 'id', 'mar']));
    const text = pick(COMMENTS)(sentenceOf(random));
    mine({ type: 'comments/added', id, cardId, text });
    if (chance(0.2)) mine({ type: 'comments/edited', id, text: `${text} (corrected)` });
    if (chance(0.2)) mine({ type: 'comments/reacted', id, sign: '👍' });
    openCard(state(), cardId);
    touch(cardId);
  }

  function tidyComments() {
    const own = Object.values(content().comments.byId).filter(({ by }) => by === ME);
    if (own.length > 4) mine({ type: 'comments/deleted', id: pick(own).id });
    const other = pick(Object.keys(content().comments.byId));
    if (other) mine({ type: 'comments/reacted', id: other, sign: pick(['👍', '🎉']) });
  }

  function relabel() {
    const cardId = anyCard();
    const { labelIds } = card(cardId);
    const labelId = pick(content().labels.order);
    if (labelIds.length > 2 || labelIds.includes(labelId)) {
      mine({ type: 'cards/unlabelled', cardId, labelId: pick(labelIds) });
    } else {
      mine({ type: 'cards/labelled', cardId, labelId });
    }
    touch(cardId);
    if (chance(0.35)) colleague();
    if (chance(0.3)) back();
  }

  function assign() {
    const cardId = anyCard();
    const { memberIds } = card(cardId);
    const memberId = pick(Object.keys(content().members.byId));
    if (memberIds.includes(memberId)) mine({ type: 'cards/unassigned', cardId, memberId });
    else mine({ type: 'cards/assigned', cardId, memberId });
    if (chance(0.3)) mine({ type: 'cards/watched', cardId, memberId: ME });
    if (chance(0.1)) mine({ type: 'cards/unwatched', cardId, memberId: ME });
    touch(cardId);
  }

  function plan() {
    const id = anyCard();
    const day = addDays(dayOf(now), int(14) - 2);
    pick([
      () => mine({ type: 'cards/dueSet', id, day }),
      () => mine({ type: 'cards/dueCleared', id }),
      () => mine({ type: 'cards/dueSet', id, day: 'soon' }),
      () => mine({ type: 'cards/estimated', id, points: pick([1, 2, 3, 5, 8]) }),
      () => mine({ type: 'cards/prioritized', id, priority: pick(['low', 'normal', 'urgent']) }),
    ])();
    touch(id);
  }

  function list() {
    const cardId = anyCard();
    const items = card(cardId).checklist;
    if (items.length === 0 || (chance(0.3) && items.length < 6)) {
      const text = chance(0.5) ? sentenceOf(random) : '- [ ] Try it\n- [x] Ask Ann\nTell all';
      mine({ type: 'checklist/added', cardId, itemId: newId('item'), text });
    } else if (chance(0.1)) {
      mine({ type: 'checklist/cleared', cardId });
    } else {
      const itemId = pick(items).id;
      pick([
        () => items.forEach((item) => mine({ type: 'checklist/toggled', cardId, itemId: item.id })),
        () => mine({ type: 'checklist/toggled', cardId, itemId }),
        () => mine({ type: 'checklist/edited', cardId, itemId, text: titleOf(random) }),
        () => mine({ type: 'checklist/moved', cardId, itemId, index: int(items.length) }),
        () => mine({ type: 'checklist/removed', cardId, itemId }),
        () => {
          const item = items.find((each) => each.id === itemId);
          mine({ type: 'checklist/converted', cardId, itemId });
          const { columnId, laneId } = whereIs(state(), cardId);
          mine({ type: 'cards/added', id: newId('card'), title: item.text, columnId, laneId });
        },
      ])();
    }
    touch(cardId);
  }

  /** Work goes from left to right, now and then a column back. */
  function drag() {
    const id = anyCard();
    const { columnId, laneId } = whereIs(state(), id);
    const { order } = content().columns;
    const at = order.indexOf(columnId);
    const next = chance(0.7) ? Math.min(order.length - 1, at + 1) : Math.max(0, at - int(2));
    const target = { columnId: order[next], laneId: chance(0.8) ? laneId : pick(lanes()) };
    mine({ type: 'drag/started', ids: [id] });
    if (chance(0.3)) mine({ type: 'drag/over', columnId, laneId, index: 0, isLowerHalf: true });
    if (chance(0.1)) mine({ type: 'drag/left' });
    if (chance(0.06)) {
      mine({ type: 'drag/cancelled' });
      return;
    }
    mine({ type: 'drag/over', ...target, index: int(4), isLowerHalf: chance(0.5) });
    mine({ type: 'drag/dropped' });
    touch(id);
  }

  /** A card finds its place between the others of its column. */
  function place() {
    const id = anyCard();
    const { columnId, laneId } = whereIs(state(), id);
    mine({ type: 'cards/moved', id, columnId, laneId, index: int(5) });
    touch(id);
  }

  const lanes = () => content().lanes.order;

  function choose() {
    const visible = onBoard();
    const from = int(visible.length);
    mine({ type: 'selection/toggled', id: visible[from] });
    if (chance(0.5)) {
      const id = visible[Math.min(visible.length - 1, from + 1 + int(3))];
      mine({ type: 'selection/ranged', id, visible });
    } else {
      mine({ type: 'selection/toggled', id: pick(visible) });
    }
    return state().selection.ids;
  }

  function bulk() {
    const chosen = choose();
    if (chosen.length) {
      const columnId = pick(['todo', 'doing', 'review']);
      pick([
        () => {
          const laneId = pick(lanes());
          mine({ type: 'bulk/moved', ids: chosen, columnId, laneId, index: int(3) });
        },
        () => mine({ type: 'bulk/labelled', ids: chosen, labelId: pick(content().labels.order) }),
        () => mine({ type: 'bulk/assigned', ids: chosen, memberId: pick(['me', 'ann', 'ben']) }),
        () => {
          const { columnId: over } = whereIs(state(), chosen[0]);
          mine({ type: 'drag/started', ids: chosen });
          mine({ type: 'drag/over', columnId: over, laneId: 'rest', index: 1, isLowerHalf: true });
          mine({ type: 'drag/dropped' });
        },
      ])();
      chosen.slice(0, 3).forEach(touch);
    }
    if (chance(0.25)) colleague();
    if (chance(0.25)) back();
    mine({ type: 'selection/cleared' });
  }

  function back() {
    const times = 1 + int(2);
    for (let each = 0; each < times; each += 1) mine({ type: 'history/undone' });
    if (chance(0.3)) mine({ type: 'history/redone' });
  }

  function work() {
    const cardId = anyCard();
    mine({ type: 'timers/started', cardId });
    wait(HOUR);
    if (chance(0.8)) mine({ type: 'timers/stopped' });
    if (chance(0.2)) mine({ type: 'timers/booked', cardId, day: dayOf(now), minutes: 30 });
    hours(content(), ME, addDays(dayOf(now), -7), dayOf(now));
  }

  function link() {
    const id = anyCard();
    const on = anyCard();
    if (chance(0.8)) mine({ type: 'links/added', id, on });
    else mine({ type: 'links/removed', id, on: content().links.waits[id]?.[0] ?? on });
  }

  function tidy() {
    const done = content().placement.done ?? {};
    const ready = Object.values(done).flat();
    if (ready.length > 2) {
      if (chance(0.5)) mine({ type: 'bulk/archived', ids: ready.slice(0, 3) });
      else mine({ type: 'cards/archived', id: pick(ready) });
    }
    const old = archive(state());
    if (old.length && chance(0.25)) {
      const { id } = pick(old);
      mine({ type: 'cards/restored', id, columnId: 'todo', laneId: 'rest', index: 0 });
    }
    if (old.length > 12) mine({ type: 'cards/deleted', id: old[old.length - 1].id });
    if (chance(0.1)) mine({ type: 'cards/archived', id: pick(old)?.id });
  }

  function copy() {
    const id = anyCard();
    const { columnId, laneId } = whereIs(state(), id);
    mine({ type: 'cards/copied', id, newId: newId('card'), columnId, laneId, index: 1 });
  }

  function endOfDay() {
    mine({ type: 'stats/dayClosed', day: dayOf(now) });
    numbers(state());
    exportedCsv(content());
    exportedMarkdown(content());
    const day = dayOf(now);
    digest(state().activity, [{ day, from: Date.parse(day), to: now }], day);
    const next = Date.parse(addDays(day, 1)) + 8 * HOUR + int(40) * MINUTE;
    now = Math.max(now, next);
    if (new Date(now).getUTCDay() === 6) now += 2 * DAY;
    mine({ type: 'clock/ticked' });
  }

  const GESTURES = [
    [create, 7], [retitle, 4], [describe, 5], [comment, 9], [tidyComments, 3], [relabel, 12],
    [assign, 7], [plan, 8], [list, 8], [drag, 24], [place, 4], [bulk, 6], [back, 3],
    [looks.search, 4], [looks.keys, 3], [work, 4], [link, 3], [looks.news, 3], [tidy, 9], [copy, 1],
    [settings.templates, 3], [settings.change, 4], [colleague, 14], [flushAll, 16], [refresh, 2],
  ];
  const whole = GESTURES.reduce((sum, [, weight]) => sum + weight, 0);

  function gesture() {
    if (boardIsEmpty()) {
      mine({ type: 'filters/cleared' });
      create();
      return;
    }
    let at = random() * whole;
    GESTURES.find(([, weight]) => (at -= weight) < 0)[0]();
    server.learn(content());
    if (state().notice && chance(0.7)) mine({ type: 'notice/closed' });
  }

  settings.begin();
  server.learn(content());
  flushAll();
  while (count < ACTIONS) {
    const length = 18 + int(10);
    for (let each = 0; each < length && count < ACTIONS; each += 1) gesture();
    if (chance(0.4)) offline();
    flushAll();
    if (chance(0.1)) mine({ type: 'transfer/imported', id: newId('import'), text: TABLE });
    endOfDay();
  }
  mine({ type: 'members/left', id: 'tom' });
  mine({ type: 'members/returned', id: 'tom' });
  mine({ type: 'rules/removed', id: 'start' });
}
