import { BASE, CURRENCIES } from './money.mjs';
import { changed, folded, omitted, patched, tidied } from './records.mjs';

const TYPES = ['asset', 'liability', 'equity', 'income', 'expense'];

/** Types whose balance people see with the other sign: income is a credit, but reads as plus. */
const REVERSED = new Set(['liability', 'equity', 'income']);

const account = (id, name, type, parent = null, currency = BASE) =>
  ({ id, name, type, parent, currency, isClosed: false, note: '' });

const FIRST = [
  account('opening', 'Opening balances', 'equity'),
  account('gains', 'Exchange gains', 'income'),
  account('unknown', 'Not sorted yet', 'expense'),
];

export const initialAccounts = {
  byId: Object.fromEntries(FIRST.map((each) => [each.id, each])),
  order: FIRST.map(({ id }) => id),
};

export function accountsReducer(accounts, action) {
  const edit = (patch) => {
    const byId = changed(accounts.byId, action.id, (each) => patched(each, patch));
    return byId === accounts.byId ? accounts : { ...accounts, byId };
  };
  switch (action.type) {
    case 'accounts/added':
      return added(accounts, action);
    case 'accounts/renamed':
      return tidied(action.name) ? edit({ name: tidied(action.name) }) : accounts;
    case 'accounts/noted':
      return edit({ note: action.note.trim() });
    case 'accounts/moved':
      return mayBeUnder(accounts, action.id, action.parent)
        ? edit({ parent: action.parent }) : accounts;
    case 'accounts/closed':
      return edit({ isClosed: true });
    case 'accounts/reopened':
      return edit({ isClosed: false });
    case 'accounts/removed': {
      const { parent } = accounts.byId[action.id] ?? {};
      const byId = { ...omitted(accounts.byId, action.id) };
      for (const child of childrenOf(accounts, action.id)) {
        byId[child.id] = { ...child, parent };
      }
      return { byId, order: accounts.order.filter((id) => id !== action.id) };
    }
    default:
      return accounts;
  }
}

function added(accounts, { id, name, kind, parent = null, currency = BASE }) {
  if (accounts.byId[id] || !TYPES.includes(kind) || !CURRENCIES.includes(currency)) return accounts;
  const above = parent === null ? null : accounts.byId[parent];
  if (above === undefined || (above && above.type !== kind)) return accounts;
  const entry = account(id, tidied(name), kind, parent, currency);
  return { byId: { ...accounts.byId, [id]: entry }, order: [...accounts.order, id] };
}

function mayBeUnder(accounts, id, parent) {
  if (parent === null) return true;
  for (let each = parent; each; each = accounts.byId[each]?.parent) {
    if (each === id) return false;
  }
  return accounts.byId[parent]?.type === accounts.byId[id]?.type;
}

function childrenOf(accounts, id) {
  return accounts.order.map((each) => accounts.byId[each]).filter(({ parent }) => parent === id);
}

/** The account and all that are under it. */
export function family(accounts, id) {
  return [id, ...childrenOf(accounts, id).flatMap((child) => family(accounts, child.id))];
}

/** "Expenses:Food:Restaurants", from the names of an account and those above it. */
export function pathOf(accounts, id) {
  const names = [];
  for (let each = accounts.byId[id]; each; each = accounts.byId[each.parent]) {
    names.unshift(each.name);
  }
  return names.join(':');
}

export function accountAt(accounts, path) {
  const wanted = folded(path);
  return accounts.order.find((id) => folded(pathOf(accounts, id)) === wanted);
}

/** The account whose path ends with what was typed, if there is only one. */
export function accountLike(accounts, typed) {
  const exact = accountAt(accounts, typed);
  if (exact) return exact;
  const found = accounts.order.filter((id) => !accounts.byId[id].isClosed
    && folded(pathOf(accounts, id)).includes(folded(typed)));
  return found.length === 1 ? found[0] : undefined;
}

export function shownSign(accounts, id) {
  return REVERSED.has(accounts.byId[id]?.type) ? -1 : 1;
}

export function isReported(accounts, id) {
  return ['income', 'expense'].includes(accounts.byId[id]?.type);
}

export function ofType(accounts, type) {
  return accounts.order.filter((id) => accounts.byId[id].type === type);
}
