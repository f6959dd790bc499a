// A messenger: chats, their messages, and the number on the icon of the app.
import { initialChats, chatsReducer } from './chats.mjs';
import { initialMessages, messagesReducer } from './messages.mjs';
import { initialScreen, screenReducer } from './screen.mjs';

export const initialState = {
  me: 'me',
  chats: initialChats,
  messages: initialMessages,
  screen: initialScreen,
};

export function reducer(state = initialState, action) {
  const screen = screenReducer(state.screen, action);
  return {
    ...state,
    screen,
    chats: chatsReducer(state.chats, action, { openId: screen.openId, messages: state.messages }),
    messages: messagesReducer(state.messages, action),
  };
}
