// The staff of the shop, and their rights.
import { logged } from './tables.mjs';

const roles = {
  clerk: { refund: 15_000, mayPrice: false },
  manager: { refund: Infinity, mayPrice: true },
};

export const mayRefund = (state, amount) => (
  amount <= (roles[state.staff.role]?.refund ?? 0));

/** Actions that change prices and rules: only managers send them. */
const guarded = /^(price|prices|sale|list|promotion|tax|shipping)\//;

export const mayDo = (state, { type }) => (
  !guarded.test(type) || Boolean(roles[state.staff.role]?.mayPrice));

/** The log of what staff did, without what visitors do. */
export function audited(state, { type, payload }) {
  if (!guarded.test(type) && !/^(order|return|stock|purchase)\//.test(type)) return state;
  const about = payload?.id ?? payload?.order ?? payload?.variant ?? null;
  const entry = { at: state.now, by: state.staff.name, type, about };
  return { ...state, audit: logged(state.audit, entry, 60) };
}

const signedIn = (state, { name, role }) => (
  roles[role] ? { ...state, staff: { name, role } } : state);

export const staffActions = {
  'staff/signedIn': signedIn,
};
