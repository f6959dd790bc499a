// The books: each event of money has entries whose sum is zero.
import { numbered } from './tables.mjs';

/** The accounts that each kind of event moves money from and to. */
const kinds = {
  sale: ['sales', 'receivables'],
  captured: ['receivables', 'bank'],
  cardUsed: ['receivables', 'giftCards'],
  pointsUsed: ['receivables', 'marketing'],
  refunded: ['bank', 'returns'],
  refundedToCard: ['giftCards', 'returns'],
  refundedAsCredit: ['credits', 'returns'],
  cancelled: ['receivables', 'sales'],
  giftCardSold: ['giftCards', 'bank'],
  giftCardVoided: ['otherIncome', 'giftCards'],
  goodsReceived: ['payables', 'inventory'],
  goodsSold: ['inventory', 'costOfGoods'],
  goodsBack: ['costOfGoods', 'inventory'],
  lost: ['inventory', 'losses'],
  rented: ['rentals', 'cash'],
  depositTaken: ['deposits', 'cash'],
  depositBack: ['cash', 'deposits'],
  depositKept: ['rentals', 'deposits'],
  soldForCash: ['sales', 'cash'],
  tillDifference: ['losses', 'cash'],
};

/** Books an amount: the first account of the kind gives, the second one gets. */
export function withEntry(state, kind, amount, ref) {
  if (amount === 0) return state;
  const [from, to] = kinds[kind];
  const { id, state: counted } = numbered(state, 'e');
  const balances = { ...counted.books.balances };
  balances[from] = (balances[from] ?? 0) - amount;
  balances[to] = (balances[to] ?? 0) + amount;
  const entries = [...counted.books.entries, { id, at: state.now, kind, amount, ref }].slice(-120);
  return { ...counted, books: { balances, entries } };
}

export const balanceOf = (state, account) => state.books.balances[account] ?? 0;

/** All accounts together are zero, as long as no entry is wrong. */
export const isBalanced = (state) => Object.values(state.books.balances)
  .reduce((sum, balance) => sum + balance, 0) === 0;

/** The entries of an order or of another reference, as the bookkeeper reads them. */
export const entriesFor = (state, ref) => state.books.entries.filter((entry) => entry.ref === ref);

export const emptyBooks = { balances: {}, entries: [] };
