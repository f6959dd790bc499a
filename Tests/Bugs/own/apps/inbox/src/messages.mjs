// The messages of each chat, oldest first.
export const initialMessages = { byChat: {} };

const MOST = 40;

const changed = (state, chatId, change) => ({
  ...state, byChat: { ...state.byChat, [chatId]: change(state.byChat[chatId] ?? []) },
});

const one = (id, change) => (list) =>
  list.map((message) => (message.id === id ? { ...message, ...change(message) } : message));

function reacted({ reactions }, { sign, by }) {
  const people = reactions[sign] ?? [];
  const next = people.includes(by) ? people.filter((each) => each !== by) : [...people, by];
  return { reactions: { ...reactions, [sign]: next } };
}

export function messagesReducer(state, action) {
  const { type, chatId, messageId } = action;
  switch (type) {
    case 'messages/received':
    case 'messages/sent': {
      const message = { ...action.message, reactions: {}, isRetracted: false };
      return changed(state, chatId, (list) => [...list, message].slice(-MOST));
    }
    case 'messages/delivered':
      return changed(state, chatId, one(messageId, () => ({ status: 'delivered' })));
    case 'messages/edited':
      return changed(state, chatId, one(messageId, () => ({ text: action.text, isEdited: true })));
    case 'messages/retracted':
      return changed(state, chatId, one(messageId, () => ({ text: '', isRetracted: true })));
    case 'messages/reacted':
      return changed(state, chatId, one(messageId, (message) => reacted(message, action)));
    case 'chats/left':
    case 'chats/deleted': {
      const { [chatId]: _, ...byChat } = state.byChat;
      return { ...state, byChat };
    }
    case 'chats/memberRemoved': {
      if (action.memberId !== 'me') return state;
      const { [chatId]: _, ...byChat } = state.byChat;
      return { ...state, byChat };
    }
    default:
      return state;
  }
}
