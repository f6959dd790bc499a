// Notices at the lower edge of the window.
import { MINUTE } from './dates.mjs';

const MOST = 4, LIFE = MINUTE / 2;

export function withNotice(state, text, { canUndo = false, isFault = false } = {}) {
  const notice = { text, canUndo, isFault, at: state.now };
  const others = state.notices.filter((other) => other.text !== text)
    .map((other) => (canUndo ? { ...other, canUndo: false } : other));
  return { ...state, notices: [...others, notice].slice(-MOST) };
}

/** Removes old notices. Faults stay until the user closes them. */
export function agedNotices(state) {
  const kept = state.notices.filter(({ at, isFault }) => isFault || state.now - at < LIFE);
  return kept.length === state.notices.length ? state : { ...state, notices: kept };
}

export const noticeHandlers = {
  'notice/closed': (state, { text }) => ({
    ...state, notices: state.notices.filter((notice) => notice.text !== text),
  }),
};
