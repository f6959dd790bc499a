// Notices about the last actions.
const MOST = 5, LIFE = 2;

export function withNotice(state, text, isFault = false) {
  const others = state.notices.filter((notice) => notice.text !== text);
  return { ...state, notices: [...others, { text, isFault, at: state.now }].slice(-MOST) };
}

export const withFault = (state, text) => withNotice(state, text, true);

export function aged(state) {
  const kept = state.notices.filter(({ at, isFault }) => isFault || state.now - at < LIFE);
  return kept.length === state.notices.length ? state : { ...state, notices: kept };
}

export const noticeHandlers = {
  'notice/closed': (state, { text }) => ({
    ...state, notices: state.notices.filter((notice) => notice.text !== text),
  }),
};
