// Entries that come now and then: invoices, loans, savings, a flat with others, shares, receipts.
import { addDays, addMonths, lastDay, monthOf } from '../src/dates.mjs';
import { claimTotal } from '../src/claims.mjs';
import { paceOf, savedTogether } from '../src/goals.mjs';
import { countOf, gainsIn, portfolio } from '../src/holdings.mjs';
import { ageing, openOf } from '../src/invoices.mjs';
import { invoiceText, reminderText } from '../src/invoiceText.mjs';
import { plan } from '../src/loans.mjs';
import { projectReport } from '../src/projects.mjs';
import { candidates } from '../src/receipts.mjs';
import { register } from '../src/assets.mjs';
import { settlement, sharedTotal } from '../src/shared.mjs';
import { CUSTOMERS, RECEIPT, WORK } from './words.mjs';

export function othersOf({ bank, book, chance, costs, int, newId, pick, recent, send, today }) {
  const values = (part) => Object.values(book()[part].byId);

  function invoice() {
    const drafts = values('invoices').filter(({ state }) => state === 'draft');
    const sent = values('invoices').filter(({ state }) => state === 'sent');
    if (drafts.length && chance(0.6)) {
      const { id, items } = pick(drafts);
      if (items.length > 3) send({ type: 'invoices/itemRemoved', id, index: 0 });
      send({ type: 'invoices/sent', id, date: today() });
      invoiceText(book().invoices.byId[id]);
    } else if (sent.length && chance(0.7)) {
      const own = pick(sent);
      const open = openOf(own);
      const date = today();
      if (chance(0.75)) {
        const amount = chance(0.8) ? open : Math.ceil(open / 2);
        send({ type: 'invoices/paid', id: own.id, date, amount, account: 'bank' });
        bank.known('bank', date, amount, own.customer);
      } else if (chance(0.8)) {
        reminderText(own, date);
        send({ type: 'invoices/reminded', id: own.id, date });
      } else {
        send({ type: 'invoices/cancelled', id: own.id });
      }
    } else {
      const id = newId('invoice');
      send({ type: 'invoices/drafted', id, customer: pick(CUSTOMERS) });
      const length = 1 + int(3);
      for (let each = 0; each < length; each += 1) {
        send({ type: 'invoices/itemAdded', id, text: pick(WORK), count: pick([1, 1.5, 2, 7]),
          price: 1000 + int(30000), vat: pick([0, 7, 19]) });
      }
    }
    ageing(book().invoices, today());
  }

  function receipt() {
    const loose = values('receipts').filter(({ transaction }) => transaction === null);
    if (loose.length > 2) {
      const own = pick(loose);
      const [best] = candidates(own, book().transactions, book().receipts);
      if (best) send({ type: 'receipts/attached', id: own.id, transaction: best.id });
      else if (chance(0.6)) {
        send({ type: 'receipts/booked', id: own.id, account: 'cash', purpose: pick(costs) });
      } else send({ type: 'receipts/thrown', id: own.id });
      return;
    }
    const like = pick(recent());
    const total = chance(0.5) && like ? Math.abs(like.postings[0].base) : 200 + int(9000);
    const day = chance(0.8) ? today().split('-').reverse().join('.') : 'no day';
    const text = RECEIPT(like?.payee || 'Kiosk', day, (total / 100).toFixed(2),
      (total / 625).toFixed(2));
    const id = newId('receipt');
    send({ type: 'receipts/scanned', id, text, today: today() });
    if (chance(0.2)) send({ type: 'receipts/corrected', id, total: total + 10 });
  }

  function flat() {
    const people = ['nora', 'emil', 'jo'];
    if (chance(0.75)) {
      send({ type: 'shared/added', id: newId('cost'), by: pick(people), amount: 500 + int(9000),
        date: today(), text: pick(['Soap', 'Pizza', 'Internet']),
        among: chance(0.3) ? ['nora', 'jo'] : undefined });
    } else if (chance(0.2)) {
      send({ type: 'shared/removed', id: pick(Object.keys(book().shared.costs)) ?? 'none' });
    } else {
      for (const payment of settlement(book().shared)) {
        send({ type: 'shared/settled', ...payment, date: today() });
      }
    }
    sharedTotal(book().shared);
  }

  function save() {
    if (values('goals').length < 3) {
      send({ type: 'goals/added', id: newId('goal'), name: pick(['Bicycle', 'Sea', 'Camera']),
        target: 20000 + int(200000), weight: 1 + int(3),
        by: chance(0.6) ? addMonths(monthOf(today()), 4 + int(9)) : null });
    } else if (chance(0.6)) {
      send({ type: 'goals/shared', amount: 5000 + int(9000) });
    } else {
      const { id, saved, target } = pick(values('goals'));
      if (saved >= target) send({ type: 'goals/removed', id });
      else send({ type: 'goals/saved', id, amount: pick([2500, -1000]) });
    }
    values('goals').forEach((goal) => paceOf(goal, today()));
    savedTogether(book().goals);
  }

  function invest() {
    const symbol = pick(['WORLD', 'GREEN']);
    const date = today();
    const price = 4000 + int(3000);
    const count = 1 + int(5);
    const id = newId('trade');
    if (countOf(book().holdings, symbol) < 4 || chance(0.4)) {
      send({ type: 'holdings/bought', id, symbol, count, cost: count * price, date,
        account: 'savings' });
    } else if (chance(0.6)) {
      send({ type: 'holdings/sold', id, symbol, count, proceeds: count * price, date,
        account: 'savings' });
    } else {
      send({ type: 'holdings/priced', symbol, date, price });
      if (chance(0.1)) send({ type: 'holdings/split', symbol, factor: 2 });
    }
    portfolio(book().holdings);
    gainsIn(book().holdings, date.slice(0, 4));
  }

  function claim() {
    const open = values('claims').filter(({ state }) => !['paid'].includes(state));
    const date = today();
    if (open.length < 2) {
      const id = newId('claim');
      send({ type: 'claims/opened', id, person: pick(['Emil', 'Jo']), title: 'Fair in May' });
      send({ type: 'claims/itemAdded', id, text: 'Train', amount: 4000 + int(5000), date,
        account: 'travel' });
      send({ type: 'claims/itemAdded', id, text: 'Car', kilometers: 10 + int(90), date,
        account: 'travel' });
      if (chance(0.2)) send({ type: 'claims/itemRemoved', id, index: 0 });
      return;
    }
    const { id, state } = pick(open);
    const to = { open: 'sent', sent: pick(['granted', 'granted', 'refused']), granted: 'paid',
      refused: 'open' }[state];
    send({ type: 'claims/stepped', id, to, date, account: 'bank' });
    claimTotal(book().claims.byId[id]);
  }

  function manage() {
    const id = pick(Object.keys(book().scheduled.byId));
    pick([
      () => send({ type: 'scheduled/paused', id }),
      () => send({ type: 'scheduled/resumed', id, today: today() }),
      () => send({ type: 'scheduled/resumed', id, today: today() }),
      () => send({ type: 'scheduled/skipped', id: 'insurance' }),
      () => send({ type: 'scheduled/priced', id: 'rent',
        lines: [{ account: 'bank', amount: -79000 }, { account: 'rent' }] }),
      () => send({ type: 'accounts/renamed', id: 'home', name: pick(['Home', 'House']) }),
      () => send({ type: 'accounts/noted', id: 'bank', note: 'the old one' }),
      () => send({ type: 'accounts/moved', id: 'phone', parent: pick(['living', null, 'phone']) }),
      () => {
        send({ type: 'accounts/added', id: 'sweets', name: 'Sweets', kind: 'expense' });
        send({ type: 'quick/entered', id: newId('quick'), line: '2.20 sweets from cash' });
        send({ type: 'accounts/merged', from: 'sweets', to: 'food' });
      },
      () => send({ type: 'accounts/closed', id: 'snacks' }),
      () => send({ type: 'accounts/reopened', id: 'snacks' }),
      () => send({ type: 'accounts/closed', id: 'bank' }),
      () => send({ type: 'imports/payeeIgnored', payee: 'garden market' }),
      () => send({ type: 'projects/limited', id: 'trip', limit: 50000 + int(90000) }),
      () => projectReport(book().projects.byId.trip, book()),
      () => {
        const name = newId('project');
        send({ type: 'projects/added', id: name, name, tag: name, limit: 1000,
          from: today(), to: addDays(today(), 30) });
        send({ type: 'projects/ended', id: name });
        send({ type: 'projects/removed', id: name });
      },
    ])();
  }

  function monthly(month) {
    const date = today();
    send({ type: 'loans/paid', id: 'car', account: 'bank', date });
    plan(book().loans.byId.car);
    if (chance(0.1)) send({ type: 'loans/extraPaid', id: 'car', amount: 10000 });
    if (values('assets').length < 3) {
      const id = newId('asset');
      send({ type: 'assets/added', id, name: pick(['Desk', 'Tablet']), price: 40000 + int(90000),
        boughtOn: addDays(date, -40), years: 1 + int(3) });
    }
    for (const { id } of values('assets')) send({ type: 'assets/written', id, month });
    if (chance(0.1)) send({ type: 'assets/gone', id: pick(values('assets')).id, date });
    register(book().assets);
    lastDay(month);
  }

  const GESTURES = [invoice, invoice, receipt, receipt, flat, save, invest, claim, manage];

  return { gesture: () => pick(GESTURES)(), monthly };
}
