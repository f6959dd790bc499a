// Invoices to customers: written, sent, paid in one or several parts, reminded of.
import { addDays, daysBetween } from './dates.mjs';
import { sum } from './money.mjs';
import { changed, patched } from './records.mjs';
import { splitVat } from './vat.mjs';

export const initialInvoices = { byId: {}, lastNumbers: {} };

const DAYS_TO_PAY = 14;

export function invoicesReducer(invoices, action) {
  const edit = (change) => {
    const byId = changed(invoices.byId, action.id, change);
    return byId === invoices.byId ? invoices : { ...invoices, byId };
  };
  switch (action.type) {
    case 'invoices/drafted': {
      const { id, customer } = action;
      const entry = {
        id, customer, number: null, items: [], sentOn: null, dueOn: null, payments: [],
        reminders: [], state: 'draft',
      };
      return { ...invoices, byId: { ...invoices.byId, [id]: entry } };
    }
    case 'invoices/itemAdded':
      return edit((invoice) => (invoice.state === 'draft'
        ? { ...invoice, items: [...invoice.items, itemOf(action)] } : invoice));
    case 'invoices/itemRemoved':
      return edit((invoice) => (invoice.state === 'draft'
        ? { ...invoice, items: invoice.items.toSpliced(action.index, 1) } : invoice));
    case 'invoices/sent':
      return sent(invoices, action);
    case 'invoices/paid':
      return edit((invoice) => paid(invoice, action));
    case 'invoices/reminded':
      return edit((invoice) => (invoice.state === 'sent' ? {
        ...invoice,
        reminders: [...invoice.reminders, action.date],
        dueOn: addDays(action.date, 7),
      } : invoice));
    case 'invoices/cancelled':
      return edit((invoice) => (invoice.state === 'sent' && invoice.payments.length === 0
        ? patched(invoice, { state: 'cancelled' }) : invoice));
    default:
      return invoices;
  }
}

function itemOf({ text, count, price, vat }) {
  return { text: text.trim(), count, price, vat, net: Math.round(count * price) };
}

/** Numbers are given when an invoice is sent, without gaps, for each year anew. */
function sent(invoices, { id, date }) {
  const invoice = invoices.byId[id];
  if (invoice?.state !== 'draft' || invoice.items.length === 0) return invoices;
  const year = date.slice(0, 4);
  const last = (invoices.lastNumbers[year] ?? 0) + 1;
  const entry = {
    ...invoice,
    number: `${year}-${String(last).padStart(3, '0')}`,
    sentOn: date,
    dueOn: addDays(date, DAYS_TO_PAY),
    state: 'sent',
  };
  return {
    byId: { ...invoices.byId, [id]: entry },
    lastNumbers: { ...invoices.lastNumbers, [year]: last },
  };
}

function paid(invoice, { date, amount }) {
  if (invoice.state !== 'sent' || amount <= 0) return invoice;
  const payments = [...invoice.payments, { date, amount }];
  const isPaid = sum(payments.map((each) => each.amount)) >= totalOf(invoice).gross;
  return { ...invoice, payments, state: isPaid ? 'paid' : 'sent' };
}

/** Net, tax for each rate, and gross. The tax is rounded for each rate, not for each item. */
export function totalOf(invoice) {
  const rates = [...new Set(invoice.items.map(({ vat }) => vat))].sort();
  const taxes = rates.map((rate) => {
    const net = sum(invoice.items.filter(({ vat }) => vat === rate).map((item) => item.net));
    return { rate, net, tax: Math.round((net * rate) / 100) };
  });
  const net = sum(taxes.map((each) => each.net));
  return { net, taxes, gross: net + sum(taxes.map(({ tax }) => tax)) };
}

export function openOf(invoice) {
  if (invoice.state !== 'sent') return 0;
  return totalOf(invoice).gross - sum(invoice.payments.map(({ amount }) => amount));
}

/** The transactions that sending and paying an invoice mean. */
export function bookingOf(action, invoices) {
  const invoice = invoices.byId[action.id];
  if (!invoice) return undefined;
  const source = { kind: 'invoice', id: invoice.id };
  const shared = { type: 'transactions/entered', payee: invoice.customer, source };
  if (action.type === 'invoices/sent' && invoice.sentOn === action.date) {
    const { taxes, gross } = totalOf(invoice);
    const lines = taxes.flatMap(({ rate, net, tax }) => splitVat(-net, -tax, rate, 'sales'));
    return {
      ...shared, id: `${invoice.id}-sent`, date: action.date, note: `Invoice ${invoice.number}`,
      lines: [{ account: 'receivable', amount: gross }, ...lines],
    };
  }
  if (action.type === 'invoices/paid') {
    return {
      ...shared, id: `${invoice.id}-paid-${invoice.payments.length}`, date: action.date,
      note: `Payment of invoice ${invoice.number}`,
      lines: [{ account: action.account, amount: action.amount }, { account: 'receivable' }],
    };
  }
  return undefined;
}

const AGES = [['not due', 0], ['1–14 days', 14], ['15–30 days', 30], ['older', Infinity]];

/** The debts of customers, by how late they are. */
export function ageing(invoices, today) {
  const open = Object.values(invoices.byId).filter(({ state }) => state === 'sent');
  return AGES.map(([title, most], index) => {
    const least = index === 0 ? -Infinity : AGES[index - 1][1];
    const own = open.filter(({ dueOn }) => {
      const late = daysBetween(dueOn, today);
      return late > least && late <= most;
    });
    return { title, count: own.length, amount: sum(own.map(openOf)) };
  });
}
