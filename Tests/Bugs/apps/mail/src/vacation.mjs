// Automatic replies while the user is away: at most one per person in four days.
import { keyOf } from './addresses.mjs';
import { DAY } from './dates.mjs';
import { withPrefix } from './text.mjs';

const PAUSE = 4 * DAY;

export const noVacation = { isOn: false, from: null, until: null, text: '', answered: {} };

const SILENT = /^(no-?reply|mailer-daemon|postmaster|bounces?)\b/i;

export function needsAnswer({ isOn, from, until, answered }, message, own, now) {
  if (!isOn || now < from || now >= until) return false;
  if (message.listId || SILENT.test(message.from.address)) return false;
  if (![...message.to, ...message.cc].some(({ address }) => keyOf(address) === keyOf(own))) {
    return false;
  }
  const last = answered[keyOf(message.from.address)];
  return last === undefined || now - last >= PAUSE;
}

export function answerTo(vacation, message) {
  return {
    to: [message.from], subject: withPrefix(message.subject, 'Re'), body: vacation.text,
    inReplyTo: message.header, references: [...message.references, message.header],
  };
}

export function answeredNow(vacation, message, now) {
  return { ...vacation, answered: { ...vacation.answered, [keyOf(message.from.address)]: now } };
}

export const vacationHandlers = {
  'vacation/planned': (state, { from, until, text }) => ({
    ...state, vacation: { ...noVacation, isOn: true, from, until, text },
  }),
  'vacation/ended': (state) => ({ ...state, vacation: { ...state.vacation, isOn: false } }),
};
