// The user's settings, and the values that each allows.
import { refiled } from './mailbox.mjs';
import { withNotice } from './notices.mjs';

export const startSettings = {
  offset: 60, signature: '', pageSize: 25, afterArchive: 'next', density: 'normal',
  showSnippets: true, markReadOnOpen: true, trashDays: 30,
};

const oneOf = (...choices) => (value) =>
  (choices.includes(value) ? null : `It can be ${choices.join(', ')}.`);
const isBoolean = (value) => (typeof value === 'boolean' ? null : 'It can be on or off.');
const between = (least, most) => (value) =>
  (Number.isInteger(value) && value >= least && value <= most ? null
    : `It needs a number from ${least} to ${most}.`);

const CHECKS = {
  offset: between(-12 * 60, 14 * 60),
  signature: (value) => (value.length <= 500 ? null : 'A signature has at most 500 letters.'),
  pageSize: oneOf(10, 25, 50, 100),
  afterArchive: oneOf('next', 'previous', 'list'),
  density: oneOf('normal', 'dense'),
  showSnippets: isBoolean,
  markReadOnOpen: isBoolean,
  trashDays: between(1, 90),
};

function chosen(state, { name, value }) {
  const check = CHECKS[name];
  const fault = check ? check(value) : `There is no setting ${name}.`;
  if (fault) return withNotice(state, fault, { isFault: true });
  if (state.settings[name] === value) return state;
  const next = { ...state, settings: { ...state.settings, [name]: value } };
  return name === 'offset' ? refiled(next) : next;
}

export const settingHandlers = { 'setting/chosen': chosen };
