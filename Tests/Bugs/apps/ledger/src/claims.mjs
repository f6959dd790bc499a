// Payments of people for the firm, which they get back.
import { sum } from './money.mjs';
import { changed } from './records.mjs';

export const initialClaims = { byId: {} };

const KILOMETER = 30;

const NEXT = { open: ['sent'], sent: ['granted', 'refused'], granted: ['paid'], refused: ['open'] };

export function claimsReducer(claims, action) {
  const edit = (change) => {
    const byId = changed(claims.byId, action.id, change);
    return byId === claims.byId ? claims : { byId };
  };
  switch (action.type) {
    case 'claims/opened': {
      const { id, person, title } = action;
      if (claims.byId[id]) return claims;
      const entry = { id, person, title, items: [], state: 'open', history: [] };
      return { byId: { ...claims.byId, [id]: entry } };
    }
    case 'claims/itemAdded':
      return edit((claim) => (claim.state === 'open'
        ? { ...claim, items: [...claim.items, itemOf(action)] } : claim));
    case 'claims/itemRemoved':
      return edit((claim) => (claim.state === 'open'
        ? { ...claim, items: claim.items.toSpliced(action.index, 1) } : claim));
    case 'claims/stepped':
      return edit((claim) => stepped(claim, action));
    default:
      return claims;
  }
}

function itemOf({ text, amount, kilometers, date, account }) {
  return { text, date, account, amount: kilometers ? kilometers * KILOMETER : amount };
}

function stepped(claim, { to, date }) {
  const isAllowed = NEXT[claim.state]?.includes(to) && claim.items.length > 0;
  if (!isAllowed) return claim;
  return { ...claim, state: to, history: [...claim.history, { state: to, date }] };
}

export const claimTotal = (claim) => sum(claim.items.map(({ amount }) => amount));

/** A granted claim is a debt to the person; its payment ends that. */
export function claimBooking(claim, { to, date, account }) {
  const shared = {
    type: 'transactions/entered', date, payee: claim.person, note: claim.title,
    source: { kind: 'claim', id: claim.id },
  };
  if (to === 'granted') {
    const lines = claim.items.map((item) => ({ account: item.account, amount: item.amount }));
    return { ...shared, id: `${claim.id}-granted`, lines: [...lines, { account: 'owed' }] };
  }
  if (to === 'paid') {
    const amount = claimTotal(claim);
    const lines = [{ account: 'owed', amount }, { account, amount: -amount }];
    return { ...shared, id: `${claim.id}-paid`, lines };
  }
  return undefined;
}
