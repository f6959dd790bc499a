// Nora draws for a living and keeps one book for her studio and her household. Most of a year.
import { accountLike } from './src/accounts.mjs';
import { auditLines } from './src/audit.mjs';
import { lineChart, shares, sparkline } from './src/charts.mjs';
import { compared, yearLines } from './src/compare.mjs';
import { addDays, addMonths, firstDay, lastDay, monthOf, quarterOf } from './src/dates.mjs';
import { missing } from './src/draft.mjs';
import { forecast } from './src/forecast.mjs';
import { inbox } from './src/inbox.mjs';
import { found } from './src/palette.mjs';
import { balanceSheet, incomeStatement, netWorth, topCosts, trialBalance } from './src/reports.mjs';
import {
  accountList, budgetPage, journalPage, reconcileLine, shownTransactions,
} from './src/selectors.mjs';
import { exportedTable, exportedText } from './src/textBook.mjs';
import { transferPairs } from './src/transfers.mjs';
import { vatReturn } from './src/vat.mjs';
import { Bank } from './simulate/bank.mjs';
import { beginningOf } from './simulate/beginning.mjs';
import { othersOf } from './simulate/others.mjs';

const ACTIONS = 2000;

export function simulate(store, random) {
  let today = '2026-01-05';
  let count = 0;
  let ids = 0;
  const bank = new Bank(random);

  const state = () => store.getState();
  const book = () => state().book;
  const int = (most) => Math.floor(random() * most);
  const pick = (list) => list[int(list.length)];
  const chance = (part) => random() < part;
  const newId = (kind) => `${kind}${(ids += 1)}`;
  const send = (action) => {
    store.dispatch(action);
    count += 1;
    if (state().notice && chance(0.8)) {
      store.dispatch({ type: 'notice/closed' });
      count += 1;
    }
  };

  const all = () => Object.values(book().transactions.byId);
  const recent = () => book().journal.slice(-40).map((id) => book().transactions.byId[id]);
  const costs = ['food', 'restaurants', 'travel', 'leisure', 'health', 'home', 'office', 'phone'];

  // --- Entering

  function quick() {
    const amount = (1 + int(60) + int(100) / 100).toFixed(2);
    const what = pick(['food', 'restaurants', 'travel', '', 'gifts', 'leisure', 'nothing', 'home']);
    const rest = pick(['@Bakery Nord', '@Cafe Lumen #team', '#trip', '@Flea Market from cash',
      'on yesterday', '@Blue Bottle from dollar', 'from cash on 3', '']);
    const id = newId('quick');
    send({ type: 'quick/entered', id, line: `${amount} ${what} ${rest}` });
    if (chance(0.1)) send({ type: 'quick/entered', id: newId('quick'), line: '+250 gifts @Aunt' });
    if (chance(0.05)) send({ type: 'quick/entered', id: newId('quick'), line: 'food 12' });
    const entry = book().transactions.byId[id];
    const own = entry?.postings.find(({ account }) => account === 'bank');
    if (own) bank.known('bank', addDays(entry.date, int(3)), own.amount, entry.payee);
  }

  function type(field, text) {
    const half = text.slice(0, Math.ceil(text.length / 2));
    send({ type: 'draft/typed', field, text: half });
    send({ type: 'draft/typed', field, text });
  }

  function form() {
    const old = chance(0.4) ? pick(recent()) : undefined;
    if (old) send({ type: 'draft/edited', id: old.id });
    else send({ type: 'draft/opened', id: newId('form'), today });
    if (!state().draft) return;
    if (chance(0.8)) type('payee', pick(['Bakery Nord', 'Garden Market', 'Printer Lang', 'Ada']));
    const [known] = state().draft.suggestions;
    if (known && chance(0.6)) send({ type: 'draft/chosen', payee: known.name });
    if (chance(0.3)) send({ type: 'draft/typed', field: 'date', text: pick(['3', '1.2.', '??']) });
    if (chance(0.3)) send({ type: 'draft/typed', field: 'note', text: 'for the studio' });
    const { account: typed } = state().draft.lines[0];
    const other = pick(['Bank', 'Cash', 'Dollar']);
    const lines = old ? [] : [[0, typed || pick(costs), '-'], [1, other]];
    for (const [index, account, amount] of lines) {
      send({ type: 'draft/lineTyped', index, field: 'account', text: account });
      if (!amount) continue;
      const text = `${1 + int(80)},${10 + int(90)}`;
      send({ type: 'draft/lineTyped', index, field: 'amount', text });
    }
    missing(state().draft, book());
    if (!old && chance(0.3)) {
      send({ type: 'draft/lineTyped', index: 2, field: 'account', text: pick(costs) });
      send({ type: 'draft/lineTyped', index: 2, field: 'amount', text: '2.50' });
      if (chance(0.3)) send({ type: 'draft/lineRemoved', index: 2 });
    }
    send({ type: 'draft/saved' });
    if (state().draft) send({ type: 'draft/closed' });
    accountLike(book().accounts, 'Bank');
  }

  // --- Statements

  function statement() {
    const account = pick(['bank', 'bank', 'bank', 'dollar', 'savings']);
    const text = bank.statement(account, today);
    send({ type: 'statement/imported', id: newId('import'), account, text });
    if (chance(0.5)) send({ type: 'rules/run' });
    const pairs = transferPairs(book().transactions, book().accounts);
    if (pairs.length) send({ type: 'transfers/joined', ...pick(pairs) });
    if (chance(0.2)) sort();
  }

  function sort() {
    const open = all().filter(({ postings }) =>
      postings.some(({ account }) => account === 'unknown'));
    if (open.length === 0) return;
    const chosen = pick(open);
    const alike = open.filter(({ payee }) => payee === chosen.payee).map(({ id }) => id);
    send({ type: 'transactions/moved', ids: alike, from: 'unknown', to: pick(costs) });
    if (chance(0.3)) send({ type: 'history/undone' });
    if (chance(0.4) && chosen.payee) {
      const [words] = chosen.payee.split(' ');
      send({ type: 'rules/added', id: newId('rule'), words, account: pick(costs), most: 100000 });
    }
    const rules = book().rules.list;
    if (chance(0.2)) send({ type: 'rules/moved', id: pick(rules).id, index: 0 });
    if (rules.length > 12) send({ type: 'rules/removed', id: pick(rules).id });
  }

  /** Once a month an account is compared with its statement on paper. */
  function reconcile(account) {
    const date = lastDay(addMonths(monthOf(today), -1));
    const opening = { bank: 550000, dollar: 60000, savings: 800000 }[account];
    const balance = opening + bank.balance(account, date);
    send({ type: 'reconcile/begun', account, date, balance });
    reconcileLine(state());
    const open = recent().filter((each) => each.date <= date && each.postings.some((posting) =>
      posting.account === account && !posting.isCleared)).slice(0, 4);
    for (const { id } of open) send({ type: 'reconcile/ticked', id });
    if (chance(0.4)) send({ type: 'reconcile/tickedAll' });
    reconcileLine(state());
    const { ticked } = state().book.reconcile.open;
    if (chance(0.2)) {
      send({ type: 'reconcile/cancelled' });
      return;
    }
    send({ type: 'reconcile/finished' });
    send({ type: 'transactions/cleared', ids: ticked, account, isCleared: true });
  }

  // --- Corrections

  function correct() {
    const each = pick(recent());
    if (!each) return;
    const day = addDays(each.date, pick([-20, -3, -1, 1, 2, 12, 31, 45]));
    pick([
      () => send({ type: 'transactions/redated', id: each.id, date: day }),
      () => send({ type: 'transactions/redated', id: each.id, date: day }),
      () => send({ type: 'transactions/described', id: each.id, payee: 'Bakery Nord' }),
      () => send({ type: 'transactions/described', id: each.id, note: 'checked' }),
      () => send({ type: 'transactions/tagged', id: each.id, tag: pick(['trip', 'team']) }),
      () => send({ type: 'transactions/untagged', id: each.id, tag: 'trip' }),
      () => send({ type: 'transactions/removed', id: each.id }),
      () => {
        const own = each.postings.find(({ account }) => costs.includes(account));
        if (!own) return;
        const to = pick(costs);
        send({ type: 'transactions/moved', ids: [each.id], from: own.account, to });
      },
      () => {
        const [first, ...others] = each.postings;
        const half = { account: pick(costs), amount: 150 };
        const lines = [{ ...first, base: undefined }, half, { account: others[0].account }];
        send({ type: 'transactions/changed', id: each.id, lines });
      },
    ])();
    if (chance(0.25)) send({ type: 'history/undone' });
    if (chance(0.1)) send({ type: 'history/redone' });
  }

  /** Now and then a rate of the past weeks was wrong. */
  function rates() {
    const currency = pick(['USD', 'USD', 'CHF', 'GBP']);
    const around = { USD: 0.92, CHF: 1.05, GBP: 1.16 }[currency];
    const rate = Number((around * (0.97 + 0.06 * random())).toFixed(4));
    const list = book().rates.byCurrency[currency];
    if (chance(0.45)) {
      const { date } = pick(list.slice(-4));
      send({ type: 'rates/set', currency, date, rate });
    } else if (chance(0.08) && list.length > 3) {
      send({ type: 'rates/removed', currency, date: list[list.length - 1].date });
    } else {
      send({ type: 'rates/set', currency, date: today, rate });
    }
  }

  // --- Looking

  function look() {
    const text = pick(['food >20', '@rewe', '#trip', 'is:open', 'is:foreign -cash', '2026-02',
      'last-month is:split', '"checked"', '2026', 'from:bank <=5', 'is:what <x', 'this-month',
      '2026-01-01..2026-02-15 >=100']);
    send({ type: 'view/searched', text: text.slice(0, 3) });
    send({ type: 'view/searched', text });
    journalPage(state());
    if (chance(0.3)) send({ type: 'view/accountChosen', id: pick(['bank', 'dollar', null]) });
    if (chance(0.2)) send({ type: 'view/paged', by: pick([1, 1, -1]) });
    if (chance(0.1)) send({ type: 'view/density' });
    if (chance(0.2)) send({ type: 'view/searchKept', name: text });
    const name = pick(Object.keys(state().view.searches));
    if (name && chance(0.3)) send({ type: 'view/searchOpened', name });
    if (name && chance(0.1)) send({ type: 'view/searchForgotten', name });
    journalPage(state());
    shownTransactions(state());
    send({ type: 'view/searched', text: '' });
    const [command] = found(state(), pick(['ba', 'inv', 'food', 'zz', 'rw']));
    if (command) send(command.action);
  }

  function budgets() {
    const month = monthOf(today);
    pick([
      () => send({ type: 'view/monthTurned', by: pick([-1, 1]) }),
      () => send({ type: 'budgets/planned', account: pick(costs), month, amount: 5000 * int(9) }),
      () => {
        const [from, to] = [pick(costs), pick(costs)];
        send({ type: 'budgets/shifted', from, to, month, amount: 1000 });
      },
      () => send({ type: 'budgets/kept', account: pick(costs), isKept: chance(0.8) }),
    ])();
    budgetPage(state());
  }

  function endOfMonth(month) {
    const next = addMonths(month, 1);
    send({ type: 'budgets/copied', month: next });
    const from = addMonths(month, -5);
    const worth = netWorth(book(), from, month);
    lineChart(worth.map(({ worth: value }) => ({ value })), { width: 300, height: 80 });
    sparkline(worth.map(({ worth: value }) => value));
    shares(topCosts(book(), month, 8));
    incomeStatement(book(), month, month);
    balanceSheet(book(), month);
    trialBalance(book());
    compared(book(), month, month);
    forecast(book(), 'bank', 30);
    auditLines(state().audit, book().transactions, 12);
    accountList(state());
    inbox(book());
    for (const account of ['bank', 'dollar', 'savings']) if (chance(0.7)) reconcile(account);
    others.monthly(month);
  }

  function endOfQuarter(quarter) {
    vatReturn(book().transactions, quarter);
    send({ type: 'vat/paid', quarter, account: 'bank', date: today });
    exportedText(book());
    exportedTable(book());
    yearLines(book(), today.slice(0, 4));
    if (chance(0.8)) send({ type: 'periods/closed', quarter });
    if (chance(0.2)) send({ type: 'periods/reopened' });
  }

  const tools = {
    bank, book, chance, costs, int, newId, pick, recent, send, today: () => today,
  };
  const others = othersOf(tools);

  const GESTURES = [[quick, 10], [form, 6], [statement, 7], [sort, 4], [correct, 13], [rates, 9],
    [look, 5], [budgets, 6], [others.gesture, 14]];
  const whole = GESTURES.reduce((sum, [, weight]) => sum + weight, 0);

  function gesture() {
    let at = random() * whole;
    GESTURES.find(([, weight]) => (at -= weight) < 0)[0]();
  }

  beginningOf(tools);
  while (count < ACTIONS) {
    const before = today;
    today = addDays(today, 1 + int(2));
    for (let day = addDays(before, 1); day <= today; day = addDays(day, 1)) bank.live(day);
    send({ type: 'day/begun', date: today });
    const length = 3 + int(5);
    for (let each = 0; each < length; each += 1) gesture();
    if (monthOf(before) !== monthOf(today)) endOfMonth(monthOf(before));
    if (quarterOf(before) !== quarterOf(today)) endOfQuarter(quarterOf(before));
  }
  send({ type: 'view/monthTurned', by: -1 });
  budgetPage({ ...state(), view: { ...state().view, month: monthOf(firstDay(monthOf(today))) } });
}
