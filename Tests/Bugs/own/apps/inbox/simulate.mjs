// Mina's phone, for a week. Most of what happens comes from others.
const STEPS = 2400;
const PEOPLE = ['ada', 'bo', 'cem', 'dora', 'eli', 'fay'];
const TITLES = ['Choir', 'House', 'Running', 'Parents 3b', 'Garden', 'Lunch', 'Book club', 'Trip'];
const TEXTS = ['Are you coming?', 'Yes!', 'I will be late.', 'Who brings the cake?', 'See you',
  'Look at this', 'No idea', 'Tomorrow then', 'Thanks a lot', 'The key is under the pot.'];

export function simulate(store, { clock, int, pick, chance, newId }) {
  let count = 0;
  const state = () => store.getState();
  const chats = () => state().chats;
  const dispatch = (action, least, most) => {
    clock.pass(least + int(most));
    count += 1;
    store.dispatch(action);
  };
  const send = (type, given = {}) => dispatch({ type, ...given }, 300, 4000);
  const server = (type, given) =>
    dispatch({ type, ...given, meta: { from: 'server' } }, 40, 6000);
  const anyChat = () => pick(chats().order);
  const listOf = (id) => state().messages.byChat[id] ?? [];
  const others = (id) => listOf(id)
    .filter(({ from, isRetracted }) => from !== 'me' && !isRetracted);

  function arrives() {
    const chatId = anyChat();
    for (let times = 1 + int(3); times > 0; times -= 1) {
      const from = pick(chats().byId[chatId].members.filter((each) => each !== 'me'));
      if (!from) return;
      if (chance(0.3)) server('typing/started', { chatId, by: from });
      server('messages/received', { chatId, message: { id: newId('m'), from, text: pick(TEXTS) } });
    }
  }

  function read() {
    const unread = chats().order.filter((id) => chats().byId[id].unread);
    const chatId = unread.length && chance(0.8) ? pick(unread) : anyChat();
    send('chats/opened', { chatId });
    const last = others(chatId).at(-1);
    if (last && chance(0.3)) {
      send('messages/reacted', { chatId, messageId: last.id, sign: pick(['👍', '❤']), by: 'me' });
    }
    if (chance(0.5)) answer(chatId);
    if (chance(0.2)) arrives();
    send('chats/closed');
    if (chance(0.06)) send('chats/markedUnread', { chatId });
  }

  function answer(chatId) {
    const text = pick(TEXTS), id = newId('m');
    for (let length = 5; length < text.length; length += 6) {
      send('draft/typed', { chatId, text: text.slice(0, length) });
    }
    send('messages/sent', { chatId, message: { id, from: 'me', text, status: 'sent' } });
    server('messages/delivered', { chatId, messageId: id });
    if (chance(0.1)) send('messages/edited', { chatId, messageId: id, text: `${text} :)` });
    if (chance(0.05)) send('messages/retracted', { chatId, messageId: id });
  }

  function changes() {
    const chatId = anyChat(), last = others(chatId).at(-1);
    if (!last) return;
    pick([
      () => chance(0.5) && server('messages/retracted', { chatId, messageId: last.id }),
      () => server('messages/edited', { chatId, messageId: last.id, text: pick(TEXTS) }),
      () => server('messages/reacted', {
        chatId, messageId: last.id, sign: '👍', by: pick(PEOPLE),
      }),
      () => server('messages/readElsewhere', { chatId, upTo: pick(listOf(chatId)).id }),
    ])();
  }

  function sort() {
    const chat = chats().byId[anyChat()], chatId = chat.id;
    pick([
      () => send('chats/muted', { chatId, isMuted: !chat.isMuted }),
      () => send('chats/pinned', { chatId, isPinned: !chat.isPinned }),
      () => send('chats/archived', { chatId, isArchived: !chat.isArchived }),
      () => send('filter/typed', { text: chat.title.slice(0, 3) }),
    ])();
    if (state().screen.filter) send('filter/typed', { text: '' });
  }

  function people() {
    const chatId = anyChat(), { members } = chats().byId[chatId];
    const absent = PEOPLE.filter((each) => !members.includes(each));
    if (absent.length && chance(0.5)) {
      server('chats/memberAdded', { chatId, memberId: pick(absent) });
    } else if (members.length > 3) {
      const memberId = pick(members.filter((each) => each !== 'me'));
      server('chats/memberRemoved', { chatId, memberId });
    }
    if (chance(0.2)) server('chats/renamed', { chatId, title: `${pick(TITLES)} ${int(20)}` });
  }

  function join() {
    const members = ['me', ...PEOPLE.filter(() => chance(0.5)), 'gus'];
    server('chats/joined', { chatId: newId('chat'), title: pick(TITLES), members });
  }

  /** A chat ends for Mina: mostly because she leaves it, rarely because of others. */
  function leave() {
    if (chats().order.length < 6) { join(); return; }
    const chatId = anyChat();
    if (chance(0.12)) server('chats/memberRemoved', { chatId, memberId: 'me' });
    else if (chance(0.5)) send('chats/left', { chatId });
    else send('chats/deleted', { chatId });
  }

  for (let each = 0; each < 6; each += 1) join();
  while (count < STEPS) {
    pick([arrives, arrives, arrives, read, read, changes, sort, chance(0.5) ? people : read,
      chance(0.3) ? leave : changes])();
    if (chance(0.01)) {
      server('connection/changed', { isOnline: false });
      server('connection/changed', { isOnline: true });
    }
  }
}
