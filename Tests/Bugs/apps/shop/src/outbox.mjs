// Mails to customers: written here, sent by a service that answers later.
import { formatDay } from './calendar.mjs';
import { formatMoney } from './money.mjs';
import { addItem, updateItem, without } from './tables.mjs';

const TRIES = 3;
const KEPT = 40;

/** The texts of all kinds of mail. */
const templates = {
  welcome: ({ name }) => `Welcome, ${name}.`,
  ordered: ({ number, total }) => `Thank you for order ${number} of ${formatMoney(total)}.`,
  paid: ({ number }) => `Your payment for order ${number} is here.`,
  unpaid: ({ number }) => `Your payment for order ${number} failed. Please try again.`,
  sent: ({ number, tracking, arrives }) => (
    `Order ${number} is on its way (${tracking}), due ${formatDay(arrives)}.`),
  cancelled: ({ number }) => `Order ${number} is cancelled.`,
  returnLabel: ({ number }) => `Here is the label to send back parts of order ${number}.`,
  refunded: ({ number, amount }) => `We paid back ${formatMoney(amount)} of order ${number}.`,
  giftCard: ({ code, amount }) => `A gift card of ${formatMoney(amount)}: ${code}.`,
  forgotten: ({ count }) => `${count} things wait in your cart.`,
  backInStock: ({ title }) => `${title} is here again.`,
  reminder: ({ number, total }) => `Invoice ${number} of ${formatMoney(total)} is open.`,
  postponed: ({ title }) => `${title} comes two days later.`,
  answer: ({ text }) => text,
  pointsExpire: ({ points, until }) => `${points} points expire on ${formatDay(until)}.`,
};

/** Writes a mail to a customer; guests get none. */
export function withMail(state, customer, kind, details) {
  if (!state.customers[customer]) return state;
  return addItem(state, 'mails', 'm', {
    customer, kind, details, at: state.now, tries: 0, status: 'waiting',
  }).state;
}

export const textOfMail = ({ kind, details }) => templates[kind](details);

/** Old mails that were sent are not kept. */
function tidied(state) {
  const sent = Object.values(state.mails).filter(({ status }) => status === 'sent');
  const old = sent.slice(0, Math.max(0, sent.length - KEPT));
  return { ...state, mails: old.reduce((mails, { id }) => without(mails, id), state.mails) };
}

const handed = (state, { ids }) => ids.reduce((next, id) => (
  updateItem(next, 'mails', id, (mail) => (mail.status === 'waiting'
    ? { ...mail, status: 'sending', tries: mail.tries + 1 } : mail))), state);

const answered = (state, { ids, isSent }) => tidied(ids.reduce((next, id) => (
  updateItem(next, 'mails', id, (mail) => {
    if (mail.status !== 'sending') return mail;
    if (isSent) return { ...mail, status: 'sent' };
    return { ...mail, status: mail.tries < TRIES ? 'waiting' : 'failed' };
  })), state));

export const waitingMails = (state) => Object.values(state.mails)
  .filter(({ status }) => status === 'waiting').map(({ id }) => id);

export const outboxActions = {
  'mails/handed': handed,
  'mails/answered': answered,
};
