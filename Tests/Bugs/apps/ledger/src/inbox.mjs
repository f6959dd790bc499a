// Tasks that wait for the person, as a list of sentences with the most urgent first.
import { daysBetween, monthOf } from './dates.mjs';
import { overspent } from './budgets.mjs';
import { formatted, sum } from './money.mjs';
import { gapsIn } from './rates.mjs';
import { lastReconciled } from './reconcile.mjs';
import { openOf } from './invoices.mjs';
import { sortable } from './rules.mjs';
import { transferPairs } from './transfers.mjs';
import { upcoming } from './scheduled.mjs';

const many = (count, one, other = `${one}s`) => `${count} ${count === 1 ? one : other}`;

function unsorted({ transactions, rules }) {
  const open = Object.values(transactions.byId)
    .filter(({ postings }) => postings.some(({ account }) => account === 'unknown'));
  if (open.length === 0) return [];
  const easy = sortable(rules, transactions).length;
  const hint = easy ? `; rules can sort ${easy}` : '';
  return [{ urgency: 2, text: `${many(open.length, 'payment')} not sorted${hint}` }];
}

function lateInvoices({ invoices, today }) {
  const late = Object.values(invoices.byId)
    .filter(({ state, dueOn }) => state === 'sent' && dueOn < today);
  if (late.length === 0) return [];
  const amount = formatted(sum(late.map(openOf)));
  return [{ urgency: 3, text: `${many(late.length, 'invoice')} late: ${amount}` }];
}

function unreconciled({ accounts, reconcile, today }) {
  return accounts.order.filter((id) => accounts.byId[id].type === 'asset').flatMap((id) => {
    const last = lastReconciled(reconcile, id);
    if (!last || daysBetween(last.date, today) <= 40) return [];
    const { name } = accounts.byId[id];
    return [{ urgency: 1, text: `${name} was last compared on ${last.date}` }];
  });
}

function budgetWarnings({ budgets, accounts, today }) {
  return overspent(budgets, monthOf(today)).slice(0, 3).map(({ account, by }) =>
    ({ urgency: 2, text: `${accounts.byId[account].name} is ${formatted(by)} over its budget` }));
}

function missingRates({ rates }) {
  return Object.keys(rates.byCurrency).flatMap((currency) => {
    const gaps = gapsIn(rates, currency);
    return gaps.length ? [{ urgency: 0, text: `${currency}: ${many(gaps.length, 'gap')}` }] : [];
  });
}

function looseReceipts({ receipts }) {
  const loose = Object.values(receipts.byId).filter(({ transaction }) => transaction === null);
  return loose.length ? [{ urgency: 1, text: many(loose.length, 'loose receipt') }] : [];
}

function openTransfers({ transactions, accounts }) {
  const pairs = transferPairs(transactions, accounts);
  return pairs.length ? [{ urgency: 2, text: many(pairs.length, 'transfer in halves',
    'transfers in halves') }] : [];
}

function dueSoon({ scheduled, today }) {
  const soon = upcoming(scheduled, today, 3);
  return soon.length ? [{ urgency: 1, text: `soon: ${soon.map(({ payee }) => payee).join(', ')}` }]
    : [];
}

const SOURCES = [unsorted, lateInvoices, unreconciled, budgetWarnings, missingRates, looseReceipts,
  openTransfers, dueSoon];

export function inbox(book) {
  return SOURCES.flatMap((source) => source(book))
    .sort((one, other) => other.urgency - one.urgency || (one.text < other.text ? -1 : 1));
}
