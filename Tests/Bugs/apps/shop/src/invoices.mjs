// Invoices, notes of credit, and reminders to those who do not pay.
import { DAY, formatDay } from './calendar.mjs';
import { hasOpenInvoice } from './invoiceList.mjs';
import { formatMoney, sumOf } from './money.mjs';
import { withoutOrder } from './orders.mjs';
import { withMail } from './outbox.mjs';
import { addItem, refused, updateItem } from './tables.mjs';

const TERM = 7 * DAY;
const REMINDERS = [
  { after: 0, fee: 0 },
  { after: 4 * DAY, fee: 500 },
  { after: 8 * DAY, fee: 1500 },
];

/** Numbers of documents are without gaps in each year. */
const numberOf = (state, kind) => `${kind === 'invoice' ? 'F' : 'G'}-2026-${
  String(1 + Object.values(state.invoices).filter((each) => each.kind === kind).length)
    .padStart(4, '0')}`;

export function withInvoice(state, order) {
  const { total, taxes, customer } = state.orders[order];
  return addItem(state, 'invoices', 'f', {
    kind: 'invoice', number: numberOf(state, 'invoice'), order, customer, total, taxes,
    at: state.now, due: state.now + TERM, reminders: 0, fees: 0, status: 'open',
  }).state;
}

/** The tax that is in an amount of some lines, by their rates. */
function taxRows(order, lines) {
  const rows = {};
  for (const { line: id, amount } of lines) {
    const { rate, tax, total } = order.lines.find((line) => line.id === id);
    const part = total === 0 ? 0 : Math.round(amount * tax / total);
    const known = rows[rate] ?? { rate, net: 0, tax: 0 };
    rows[rate] = { rate, net: known.net + amount - part, tax: known.tax + part };
  }
  return Object.values(rows);
}

/** A note of credit for what was paid back. */
export function withCreditNote(state, id, lines, amount) {
  const order = state.orders[id];
  return addItem(state, 'invoices', 'f', {
    kind: 'credit', number: numberOf(state, 'credit'), order: id, customer: order.customer,
    total: -amount, taxes: { rows: taxRows(order, lines), shipping: 0 },
    at: state.now, due: null, reminders: 0, fees: 0, status: 'closed',
  }).state;
}

function reminded(state, invoice) {
  const { fee } = REMINDERS[invoice.reminders];
  const next = updateItem(state, 'invoices', invoice.id, (each) => (
    { ...each, reminders: each.reminders + 1, fees: each.fees + fee }));
  return withMail(next, invoice.customer, 'reminder', {
    number: invoice.number, total: invoice.total + invoice.fees + fee,
  });
}

/** After the last reminder the order is cancelled, and the customer gets no more invoices. */
function givenUp(state, invoice) {
  const closed = updateItem(state, 'invoices', invoice.id, (each) => ({ ...each, status: 'void' }));
  const cancelled = withoutOrder(closed, invoice.order, 'invoice not paid');
  return updateItem(cancelled, 'customers', invoice.customer, (customer) => (
    { ...customer, isBlocked: true }));
}

export function withDueInvoices(state) {
  return Object.values(state.invoices).reduce((next, invoice) => {
    if (!hasOpenInvoice(next, invoice.order) || invoice.kind !== 'invoice') return next;
    const reminder = REMINDERS[invoice.reminders];
    const late = state.now - invoice.due;
    if (!reminder) return late > 12 * DAY ? givenUp(next, invoice) : next;
    return late >= reminder.after ? reminded(next, invoice) : next;
  }, state);
}

function deferred(state, { id, days }) {
  const invoice = state.invoices[id];
  if (invoice?.status !== 'open') return refused(state, 'This invoice is not open.');
  return updateItem(state, 'invoices', id, (each) => (
    { ...each, due: each.due + days * DAY, reminders: 0 }));
}

/** An invoice as it is printed. */
export function invoiceText(state, id) {
  const { number, order, total, taxes, at, due, fees } = state.invoices[id];
  return [
    `${number} of ${formatDay(at)} for order ${state.orders[order].number}`,
    ...taxes.rows.map(({ rate, net, tax }) => (
      `${rate / 1000} % of ${formatMoney(net)}: ${formatMoney(tax)}`)),
    `Total: ${formatMoney(total + fees)}`,
    due === null ? 'Paid back' : `Due on ${formatDay(due)}`,
  ].join('\n');
}

export const openInvoices = (state) => sumOf(
  Object.values(state.invoices).filter(({ status }) => status === 'open'), ({ total }) => total);

export const invoiceActions = {
  'invoice/deferred': deferred,
};
