// The book (`state.book`), and what the screen has besides it.
import { accountsReducer, initialAccounts } from './accounts.mjs';
import { assetsReducer, initialAssets, writeOffBooking } from './assets.mjs';
import { audited, initialAudit } from './audit.mjs';
import { initialBalances, rebalanced } from './balances.mjs';
import { importActions, importsReducer, initialImports } from './bankImport.mjs';
import { budgetsReducer, initialBudgets, rebudgeted } from './budgets.mjs';
import { claimBooking, claimsReducer, initialClaims } from './claims.mjs';
import { quarterRange } from './dates.mjs';
import { draftReducer, initialDraft, readDraft } from './draft.mjs';
import { goalsReducer, initialGoals } from './goals.mjs';
import { initialHistory, remembered, travelled } from './history.mjs';
import { holdingBooking, holdingsReducer, initialHoldings } from './holdings.mjs';
import { bookingOf, initialInvoices, invoicesReducer } from './invoices.mjs';
import { initialJournal, ordered } from './journal.mjs';
import { initialLoans, loanBooking, loansReducer } from './loans.mjs';
import { initialPayees, learned } from './payees.mjs';
import { initialPeriods, periodsReducer } from './periods.mjs';
import { initialProjects, projectsReducer } from './projects.mjs';
import { readQuick } from './quickEntry.mjs';
import { initialRates, ratesReducer } from './rates.mjs';
import { initialReconcile, reconcileReducer } from './reconcile.mjs';
import { resultOf } from './reports.mjs';
import { initialRules, rulesReducer, sortable } from './rules.mjs';
import { dueActions, initialScheduled, scheduledReducer } from './scheduled.mjs';
import { initialShared, sharedReducer } from './shared.mjs';
import { initialReceipts, receiptBooking, receiptsReducer } from './receipts.mjs';
import { readText } from './textBook.mjs';
import {
  changesBetween, edited, initialTransactions, transactionsReducer,
} from './transactions.mjs';
import { joinedTransfer } from './transfers.mjs';
import { problemOf } from './validation.mjs';
import { vatPayment } from './vat.mjs';
import { initialView, viewReducer } from './view.mjs';

export const initialState = {
  book: {
    today: '2026-01-01',
    standard: 'opening',
    accounts: initialAccounts,
    rates: initialRates,
    periods: initialPeriods,
    transactions: initialTransactions,
    journal: initialJournal,
    balances: initialBalances,
    budgets: initialBudgets,
    payees: initialPayees,
    rules: initialRules,
    imports: initialImports,
    scheduled: initialScheduled,
    reconcile: initialReconcile,
    invoices: initialInvoices,
    loans: initialLoans,
    goals: initialGoals,
    shared: initialShared,
    holdings: initialHoldings,
    assets: initialAssets,
    claims: initialClaims,
    receipts: initialReceipts,
    projects: initialProjects,
  },
  history: initialHistory,
  audit: initialAudit,
  draft: initialDraft,
  view: initialView,
  notice: null,
};

/** The parts of the book without the transactions and what is worked out from them. */
function partsReducer(book, action) {
  return {
    ...book,
    standard: action.type === 'standard/chosen' ? action.account : book.standard,
    accounts: accountsReducer(book.accounts, action),
    rates: ratesReducer(book.rates, action),
    periods: periodsReducer(book.periods, action),
    budgets: budgetsReducer(book.budgets, action),
    rules: rulesReducer(book.rules, action),
    imports: importsReducer(book.imports, action),
    scheduled: scheduledReducer(book.scheduled, action),
    reconcile: reconcileReducer(book.reconcile, action, book),
    invoices: invoicesReducer(book.invoices, action),
    loans: loansReducer(book.loans, action),
    goals: goalsReducer(book.goals, action),
    shared: sharedReducer(book.shared, action),
    holdings: holdingsReducer(book.holdings, action),
    assets: assetsReducer(book.assets, action),
    claims: claimsReducer(book.claims, action),
    receipts: receiptsReducer(book.receipts, action),
    projects: projectsReducer(book.projects, action),
  };
}

/** Brings up to date what is worked out from the transactions. */
function derived(before, book, transactions) {
  const changes = changesBetween(before.transactions, transactions);
  const balances = rebalanced(before.balances, changes);
  const budgets = rebudgeted(before.budgets, book.budgets, changes, balances, book.today);
  return {
    changes,
    book: {
      ...book,
      transactions,
      journal: ordered(before.journal, changes, transactions.byId),
      balances,
      budgets,
      payees: learned(before.payees, changes, book.accounts),
    },
  };
}

function performed(state, action) {
  const problem = problemOf(state.book, action);
  if (problem) return { ...state, notice: problem };
  const parts = partsReducer(state.book, action);
  const transactions = transactionsAfter(parts, action);
  const { book, changes } = derived(state.book, parts, transactions);
  return {
    ...state,
    book,
    history: remembered(state.history, action, changes),
    audit: audited(state.audit, changes, { ...action, today: book.today }),
    draft: draftReducer(state.draft, action, book),
    view: viewReducer(state.view, action, book.today),
    notice: action.type === 'notice/closed' ? null : state.notice,
  };
}

function transactionsAfter(parts, action) {
  switch (action.type) {
    case 'transactions/matched': return matched(parts.transactions, action);
    case 'transfers/joined': return joinedTransfer(parts.transactions, action);
    default: return transactionsReducer(parts.transactions, action, parts);
  }
}

/** A payment that was entered by hand before the bank told of it. */
function matched(transactions, { id, account, source }) {
  return edited(transactions, [id], (each) => ({
    ...each,
    source,
    postings: each.postings.map((posting) =>
      (posting.account === account ? { ...posting, isCleared: true } : posting)),
  }));
}

/** Several actions that are one for the person, and one for undo. */
function together(state, action, actions) {
  const next = actions.reduce(performed, { ...state, history: initialHistory });
  const changes = changesBetween(state.book.transactions, next.book.transactions);
  return { ...next, history: remembered(state.history, action, changes) };
}

/** An action of a part of the book, with the transaction that it means. */
function booked(state, action, booking) {
  const next = performed(state, action);
  if (next.notice !== state.notice) return next;
  const entry = booking(next.book);
  return entry ? performed(next, entry) : next;
}

export function reducer(state = initialState, action) {
  const { book } = state;
  switch (action.type) {
    case 'history/undone':
    case 'history/redone':
      return wentThrough(state, action.type === 'history/undone' ? 'back' : 'forth', action);
    case 'quick/entered': {
      const { problem, ...entry } = readQuick(action.line, book, book.today);
      if (problem) return { ...state, notice: problem };
      return together(state, action, [{ type: 'transactions/entered', id: action.id, ...entry }]);
    }
    case 'draft/saved':
      return saved(state, action);
    case 'statement/imported':
      return together(state, action, importActions({ ...action, today: book.today }, book));
    case 'text/imported':
      return together(state, { ...action, type: 'statement/imported' },
        readText(action.text, book.accounts, action.id).actions);
    case 'rules/run':
      return together(state, { ...action, type: 'transactions/moved' }, sortable(book.rules,
        book.transactions).map(({ id, account }) =>
          ({ type: 'transactions/moved', ids: [id], from: 'unknown', to: account })));
    case 'accounts/merged':
      return performed(performed(state, action), { type: 'accounts/removed', id: action.from });
    case 'day/begun':
      return began(state, action.date);
    case 'periods/closed': {
      const result = resultOf(book.transactions, book.accounts, quarterRange(action.quarter));
      return performed(state, { ...action, result, today: book.today });
    }
    default:
      return bookedOrDone(state, action);
  }
}

function bookedOrDone(state, action) {
  const { loans, assets, claims, transactions } = state.book;
  switch (action.type) {
    case 'invoices/sent':
    case 'invoices/paid':
      return booked(state, action, (book) => (book.invoices !== state.book.invoices
        ? bookingOf(action, book.invoices) : undefined));
    case 'loans/paid': {
      const loan = loans.byId[action.id];
      return booked(state, action, () => (loan?.owed ? loanBooking(loan, action) : undefined));
    }
    case 'assets/written': {
      const asset = assets.byId[action.id];
      return booked(state, action, () => asset && writeOffBooking(asset, action.month));
    }
    case 'claims/stepped': {
      const claim = claims.byId[action.id];
      return booked(state, action, (book) => (book.claims.byId[action.id] !== claim
        ? claimBooking(claim, action) : undefined));
    }
    case 'holdings/bought':
    case 'holdings/sold':
      return booked(state, action, ({ holdings }) => (holdings !== state.book.holdings
        ? holdingBooking(action, holdings) : undefined));
    case 'receipts/booked': {
      const receipt = state.book.receipts.byId[action.id];
      if (!receipt || receipt.transaction) return state;
      const entry = receiptBooking(receipt, action);
      const next = performed(state, entry);
      return next.notice === state.notice
        ? performed(next, { ...action, type: 'receipts/attached', transaction: entry.id }) : next;
    }
    case 'vat/paid':
      return booked(state, action, () => vatPayment(action, transactions));
    default:
      return performed(state, action);
  }
}

function saved(state, action) {
  const { draft, book } = state;
  if (!draft) return state;
  const { problems, ...entry } = readDraft(draft, book, book.today);
  if (problems.length) return { ...state, notice: `${problems.join('; ')}.` };
  const isKnown = Boolean(book.transactions.byId[draft.id]);
  const { id } = draft;
  const { payee, note } = entry;
  const next = together(state, action, isKnown
    ? [{ type: 'transactions/changed', id, ...entry },
      { type: 'transactions/described', id, payee, note }]
    : [{ type: 'transactions/entered', id, ...entry }]);
  return next.notice === state.notice ? { ...next, draft: null } : next;
}

function wentThrough(state, direction, action) {
  const { history, transactions } = travelled(state.history, state.book.transactions, direction);
  if (history === state.history) return state;
  const { book, changes } = derived(state.book, state.book, transactions);
  const audit = audited(state.audit, changes, { ...action, today: book.today });
  return { ...state, book, history, audit };
}

function began(state, date) {
  if (date <= state.book.today) return state;
  const { actions, scheduled } = dueActions(state.book.scheduled, date);
  const next = { ...state, book: { ...state.book, today: date, scheduled } };
  return actions.reduce(performed, next);
}
