// Questions of customers: sorted, answered in time, and handed to another agent if not.
import { HOUR } from './calendar.mjs';
import { withMail } from './outbox.mjs';
import { addItem, refused, updateItem, without } from './tables.mjs';
import { wordsOf } from './searchIndex.mjs';

/** The topics by their words; the topic with the most words wins. */
const topics = {
  delivery: ['parcel', 'late', 'delivery', 'tracking', 'arrive', 'lost'],
  returns: ['return', 'refund', 'money', 'broken', 'exchange', 'size'],
  payment: ['card', 'pay', 'paid', 'invoice', 'points', 'coupon'],
  rental: ['rent', 'rental', 'tent', 'deposit'],
};

const HOURS = { high: 4, normal: 24, low: 72 };
const URGENT = /!|urgent|today|immediately/i;

function topicOf(text) {
  const words = wordsOf(text);
  const counts = Object.entries(topics).map(([topic, known]) => ({
    topic, count: words.filter((word) => wordsOf(known.join(' ')).includes(word)).length,
  }));
  const best = counts.reduce((most, each) => (each.count > most.count ? each : most));
  return best.count > 0 ? best.topic : 'other';
}

/** Customers with many orders and urgent words come first. */
function priorityOf(state, customer, text) {
  if (URGENT.test(text)) return 'high';
  return state.customers[customer]?.orders > 1 ? 'normal' : 'low';
}

/** The open ticket of a customer about the same topic takes a new message, too. */
const openTicket = (state, customer, topic) => Object.values(state.tickets)
  .find((ticket) => ticket.customer === customer && ticket.topic === topic
    && ticket.status !== 'closed');

const message = (state, by, text) => ({ at: state.now, by, text });

function asked(state, { customer, text, order = null }) {
  const topic = topicOf(text);
  const known = openTicket(state, customer, topic);
  if (known) {
    return updateItem(state, 'tickets', known.id, (ticket) => ({
      ...ticket,
      status: 'open',
      messages: [...ticket.messages, message(state, 'customer', text)],
    }));
  }
  const priority = priorityOf(state, customer, text);
  return addItem(state, 'tickets', 't', {
    customer, order, topic, priority, messages: [message(state, 'customer', text)],
    status: 'open', assigned: null, due: state.now + HOURS[priority] * HOUR, stars: null,
  }).state;
}

/** Texts that are used again and again, with gaps. */
const macros = {
  onItsWay: 'Hello {name}, order {number} is on its way.',
  refunded: 'Hello {name}, you will get the money for {number} back.',
  thanks: 'Hello {name}, thank you.',
};

function filledMacro(state, ticket, macro) {
  const gaps = {
    name: state.customers[ticket.customer]?.name ?? 'there',
    number: state.orders[ticket.order]?.number ?? 'your order',
  };
  return macros[macro].replace(/\{(\w+)\}/g, (_, gap) => gaps[gap]);
}

function answered(state, { id, text, macro }) {
  const ticket = state.tickets[id];
  if (!ticket || ticket.status === 'closed') return refused(state, 'This question is closed.');
  const answer = macro ? filledMacro(state, ticket, macro) : text;
  const next = updateItem(state, 'tickets', id, (each) => ({
    ...each,
    status: 'answered',
    assigned: each.assigned ?? state.staff.name,
    messages: [...each.messages, message(state, state.staff.name, answer)],
  }));
  return withMail(next, ticket.customer, 'answer', { text: answer });
}

/** Two tickets about one thing: the messages of the second one go into the first. */
function merged(state, { id, into }) {
  const [one, other] = [state.tickets[id], state.tickets[into]];
  if (!one || !other || one.customer !== other.customer || id === into) {
    return refused(state, 'These questions are not of one customer.');
  }
  const messages = [...other.messages, ...one.messages]
    .sort((first, second) => first.at - second.at);
  const next = updateItem(state, 'tickets', into, (ticket) => (
    { ...ticket, messages, due: Math.min(one.due, other.due) }));
  return { ...next, tickets: without(next.tickets, id) };
}

function closed(state, { id, stars = null }) {
  return updateItem(state, 'tickets', id, (ticket) => ({ ...ticket, status: 'closed', stars }));
}

/** Open questions behind their time become urgent, and belong to no agent until taken. */
export function withLateTickets(state) {
  return Object.values(state.tickets)
    .filter(({ status, due, priority }) => (
      status === 'open' && due < state.now && priority !== 'high'))
    .reduce((next, { id }) => updateItem(next, 'tickets', id, (ticket) => (
      { ...ticket, priority: 'high', assigned: null, due: state.now + HOURS.high * HOUR })), state);
}

/** The questions to answer, the most urgent first. */
export const ticketQueue = (state) => Object.values(state.tickets)
  .filter(({ status }) => status === 'open')
  .sort((one, other) => one.due - other.due || one.messages[0].at - other.messages[0].at)
  .map(({ id, topic, priority }) => ({ id, topic, priority }));

/** The mean of the stars that customers gave. */
export function satisfaction(state) {
  const rated = Object.values(state.tickets).filter(({ stars }) => stars !== null);
  const sum = rated.reduce((total, { stars }) => total + stars, 0);
  return rated.length ? Math.round(sum / rated.length * 10) / 10 : null;
}

export const ticketActions = {
  'ticket/asked': asked,
  'ticket/taken': (state, { id }) => updateItem(state, 'tickets', id, (ticket) => (
    { ...ticket, assigned: state.staff.name })),
  'ticket/answered': answered,
  'ticket/merged': merged,
  'ticket/closed': closed,
};
