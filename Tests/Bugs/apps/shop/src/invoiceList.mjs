// Invoices by the orders that they are for.
import { updateItem } from './tables.mjs';

const invoiceFor = (state, order) => Object.values(state.invoices)
  .find((invoice) => invoice.order === order && invoice.kind === 'invoice');

/** An order with an open invoice waits for it, however long that takes. */
export const hasOpenInvoice = (state, order) => invoiceFor(state, order)?.status === 'open';

/** The invoice of an order that is paid is closed. */
export function withClosedInvoice(state, order) {
  const invoice = invoiceFor(state, order);
  return invoice ? updateItem(state, 'invoices', invoice.id, (each) => (
    { ...each, status: 'closed' })) : state;
}
