// The state of this screen: the open chat, the drafts, who is typing.
export const initialScreen = { openId: null, drafts: {}, typing: {}, filter: '', isOnline: true };

const without = (all, id) => {
  const { [id]: _, ...rest } = all;
  return rest;
};

const closedFor = (state, chatId) => ({
  ...state, openId: state.openId === chatId ? null : state.openId,
  drafts: without(state.drafts, chatId), typing: without(state.typing, chatId),
});

export function screenReducer(state, action) {
  const { type, chatId } = action;
  switch (type) {
    case 'chats/opened': return { ...state, openId: chatId };
    case 'chats/closed': return { ...state, openId: null };
    case 'chats/left':
    case 'chats/deleted': return closedFor(state, chatId);
    case 'chats/memberRemoved':
      return action.memberId === 'me' ? closedFor(state, chatId) : state;
    case 'draft/typed':
      return { ...state, drafts: { ...state.drafts, [chatId]: action.text } };
    case 'messages/sent': return { ...state, drafts: without(state.drafts, chatId) };
    case 'typing/started':
      return { ...state, typing: { ...state.typing, [chatId]: action.by } };
    case 'typing/ended':
    case 'messages/received': return { ...state, typing: without(state.typing, chatId) };
    case 'filter/typed': return { ...state, filter: action.text };
    case 'connection/changed': return { ...state, isOnline: action.isOnline, typing: {} };
    default: return state;
  }
}
