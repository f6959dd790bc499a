// Customers, their addresses and their credit.
import { withMail } from './outbox.mjs';
import { addItem, countIn, refused, replaced, updateItem } from './tables.mjs';
import { regionOf } from './tax.mjs';

const EMAIL = /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i;

const POSTAL_CODES = { DE: /^\d{5}$/, AT: /^\d{4}$/, CH: /^\d{4}$/, US: /^\d{5}(-\d{4})?$/ };

const customerWithEmail = (state, email) => Object.values(state.customers)
  .find((customer) => customer.email === email.trim().toLowerCase());

function faultOfAddress(address) {
  for (const part of ['name', 'street', 'city']) {
    if (!address?.[part]?.trim()) return `An address needs a ${part}.`;
  }
  if (!POSTAL_CODES[address.country]) return 'We do not send to this country.';
  return POSTAL_CODES[address.country].test(address.code) ? undefined
    : 'The postal code is not one of this country.';
}

function registered(state, { email, name, group = null }) {
  if (!EMAIL.test(email.trim())) return refused(state, 'This is no e-mail address.');
  if (customerWithEmail(state, email)) return refused(state, 'This address has an account.');
  const { id, state: next } = addItem(state, 'customers', 'u', {
    email: email.trim().toLowerCase(), name, group, addresses: [], main: null, vatId: null,
    credit: 0, joined: state.now, spent: 0, orders: 0, isBlocked: false,
  });
  return withMail(next, id, 'welcome', { name });
}

function addressed(state, { id, address }) {
  const fault = faultOfAddress(address);
  if (fault) return refused(state, fault);
  return updateItem(state, 'customers', id, (customer) => {
    const key = `a${customer.addresses.length + 1}`;
    return {
      ...customer,
      addresses: [...customer.addresses, { ...address, id: key }],
      main: customer.main ?? key,
    };
  });
}

function addressChanged(state, { id, address }) {
  const fault = faultOfAddress(address);
  if (fault) return refused(state, fault);
  return updateItem(state, 'customers', id, (customer) => (
    { ...customer, addresses: replaced(customer.addresses, address.id, () => address) }));
}

export const addressOf = (customer, key = customer?.main) => (
  customer?.addresses.find((address) => address.id === key));

/** A company with a number for VAT in another country of the union pays no tax here. */
function identified(state, { id, vatId }) {
  const isValid = vatId === null || /^(AT|DE|NL|FR)[A-Z0-9]{8,11}$/.test(vatId);
  if (!isValid) return refused(state, 'This number for VAT is not valid.');
  return updateItem(state, 'customers', id, (customer) => ({ ...customer, vatId }));
}

export const isExempt = (customer, address) => Boolean(
  customer?.vatId && address && regionOf(address) !== 'DE' && customer.vatId.startsWith(
    address.country));

/** The money that a customer may still use: positive for us to give back. */
export const withCredit = (state, id, amount) => updateItem(state, 'customers', id, (customer) => (
  countIn(customer, 'credit', amount)));

export function withPurchase(state, id, amount) {
  return updateItem(state, 'customers', id, (customer) => (
    countIn(countIn(customer, 'spent', amount), 'orders', amount > 0 ? 1 : 0)));
}

export const customerActions = {
  'customer/registered': registered,
  'customer/addressed': addressed,
  'customer/addressChanged': addressChanged,
  'customer/mainChosen': (state, { id, address }) => updateItem(state, 'customers', id, (each) => (
    { ...each, main: address })),
  'customer/identified': identified,
  'customer/grouped': (state, { id, group }) => updateItem(state, 'customers', id, (each) => (
    { ...each, group })),
  'customer/blocked': (state, { id, isBlocked }) => updateItem(state, 'customers', id, (each) => (
    { ...each, isBlocked })),
  'customer/credited': (state, { id, amount }) => withCredit(state, id, amount),
};
