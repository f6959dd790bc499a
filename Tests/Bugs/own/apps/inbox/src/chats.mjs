// The chats and their unread messages. `badge` is the number on the icon: the unread messages of
// all chats that are neither muted nor archived.
export const initialChats = { byId: {}, order: [], badge: 0 };

const isCounted = (chat) => chat && !chat.isMuted && !chat.isArchived;
const counted = (chat) => (isCounted(chat) ? chat.unread : 0);

/** The chats after one of them changed. The badge follows. */
function withChat(state, id, change) {
  const before = state.byId[id];
  if (!before) return state;
  const after = { ...before, ...change(before) };
  return {
    ...state, byId: { ...state.byId, [id]: after },
    badge: state.badge - counted(before) + counted(after),
  };
}

const onTop = (state, id) => {
  const rest = state.order.filter((each) => each !== id);
  const pinned = rest.filter((each) => state.byId[each].isPinned);
  const others = rest.filter((each) => !state.byId[each].isPinned);
  const order = state.byId[id].isPinned ? [id, ...pinned, ...others] : [...pinned, id, ...others];
  return { ...state, order };
};

function withoutChat(state, id) {
  const { [id]: gone, ...byId } = state.byId;
  if (!gone) return state;
  return {
    byId, order: state.order.filter((each) => each !== id),
    badge: state.badge - counted(gone),
  };
}

function received(state, { chatId, message }, openId) {
  const isSeen = openId === chatId || message.from === 'me';
  const next = withChat(state, chatId, ({ unread, isArchived, isMuted }) => ({
    unread: isSeen ? unread : unread + 1,
    isArchived: isArchived && isMuted,
    lastId: message.id,
  }));
  return next === state ? state : onTop(next, chatId);
}

/** Another device of this person has read a chat up to a message. */
function readElsewhere(state, { chatId, upTo }, messages) {
  const list = messages.byChat[chatId] ?? [];
  const at = list.findIndex(({ id }) => id === upTo);
  if (at < 0) return state;
  const left = list.slice(at + 1).filter(({ from, isRetracted }) => from !== 'me' && !isRetracted);
  return withChat(state, chatId, ({ unread }) => ({ unread: Math.min(unread, left.length) }));
}

function retracted(state, { chatId, messageId }, messages) {
  const chat = state.byId[chatId], list = messages.byChat[chatId] ?? [];
  const at = list.findIndex(({ id }) => id === messageId);
  if (!chat || at < 0 || list[at].isRetracted) return state;
  const others = list.filter(({ from, isRetracted }) => from !== 'me' && !isRetracted);
  const isUnread = others.slice(-chat.unread || others.length).some(({ id }) => id === messageId);
  if (!isUnread) return state;
  return withChat(state, chatId, ({ unread }) => ({ unread: unread - 1 }));
}

export function chatsReducer(state, action, { openId, messages }) {
  const { type, chatId } = action;
  switch (type) {
    case 'chats/joined': {
      const { title, members } = action;
      if (state.byId[chatId]) return withChat(state, chatId, () => ({ title, members }));
      const chat = {
        id: chatId, title, members, unread: 0, lastId: null,
        isMuted: false, isArchived: false, isPinned: false,
      };
      return onTop({ ...state, byId: { ...state.byId, [chatId]: chat } }, chatId);
    }
    case 'chats/left':
    case 'chats/deleted':
      return withoutChat(state, chatId);
    case 'chats/memberRemoved': {
      const { memberId } = action;
      if (memberId === 'me') return withoutChat(state, chatId);
      return withChat(state, chatId, ({ members }) => ({
        members: members.filter((each) => each !== memberId),
      }));
    }
    case 'chats/memberAdded':
      return withChat(state, chatId, ({ members }) => ({ members: [...members, action.memberId] }));
    case 'chats/renamed':
      return withChat(state, chatId, () => ({ title: action.title }));
    case 'chats/muted':
      return withChat(state, chatId, () => ({ isMuted: action.isMuted }));
    case 'chats/archived':
      return withChat(state, chatId, () => ({ isArchived: action.isArchived }));
    case 'chats/pinned': {
      const next = withChat(state, chatId, () => ({ isPinned: action.isPinned }));
      return next === state ? state : onTop(next, chatId);
    }
    case 'chats/opened':
      return withChat(state, chatId, () => ({ unread: 0 }));
    case 'chats/markedUnread':
      return withChat(state, chatId, ({ unread }) => ({ unread: Math.max(1, unread) }));
    case 'messages/received':
      return received(state, action, openId);
    case 'messages/sent':
      return received(state, action, openId);
    case 'messages/readElsewhere':
      return readElsewhere(state, action, messages);
    case 'messages/retracted':
      return retracted(state, action, messages);
    default:
      return state;
  }
}
