// The bank, and what is paid at its counters: it gives statements that overlap.
import { addDays } from '../src/dates.mjs';
import { ABROAD, SHOPS } from './words.mjs';

export class Bank {
  constructor(random) {
    this.random = random;
    this.rows = { bank: [], dollar: [], savings: [] };
    this.given = { bank: 0, dollar: 0, savings: 0 };
  }

  int(most) { return Math.floor(this.random() * most); }

  pick(list) { return list[this.int(list.length)]; }

  chance(part) { return this.random() < part; }

  pay(account, date, amount, payee, note = '') {
    this.rows[account].push({ date, amount, payee, note });
  }

  /** A day of cards and transfers. Some things are bought twice on a day. */
  live(date) {
    if (this.chance(0.75)) {
      const [payee, , least, most] = this.pick(SHOPS);
      const amount = -(least + this.int(most - least + 1));
      this.pay('bank', date, amount, payee);
      if (this.chance(0.12)) this.pay('bank', date, amount, payee);
    }
    if (this.chance(0.35)) this.pay('bank', date, -290, 'CITY TRANSPORT', 'single ticket');
    if (this.chance(0.12)) this.pay('bank', date, -290, 'CITY TRANSPORT', 'single ticket');
    if (this.chance(0.13)) {
      const [payee, , least, most] = this.pick(ABROAD);
      this.pay('dollar', date, -(least + this.int(most - least + 1)), payee);
    }
    if (date.endsWith('-28')) this.pay('bank', date, 310000, 'Employer Ltd', 'salary');
    if (date.endsWith('-05')) {
      this.pay('bank', date, -20000, 'Own account', 'to savings');
      this.pay('savings', addDays(date, 1), 20000, 'Own account', 'from bank');
    }
  }

  /** Cash that was drawn, or a payment that the person has entered by hand already. */
  known(account, date, amount, payee) {
    this.pay(account, date, amount, payee);
  }

  /**
   * All since some days before the last statement. A purchase on the day of a statement, after it
   * was made, is on the next one only.
   */
  statement(account, today) {
    const all = this.rows[account];
    const from = Math.max(0, this.given[account] - 3 - this.int(3));
    const isEarly = all.length > from + 1 && this.chance(0.6);
    const to = isEarly ? all.length - 1 : all.length;
    this.given[account] = to;
    const rows = all.slice(from, to).filter(({ date }) => date <= today);
    return account === 'savings' ? tagged(rows) : table(rows, account === 'dollar');
  }

  balance(account, date) {
    return this.rows[account].filter((row) => row.date <= date)
      .reduce((sum, { amount }) => sum + amount, 0);
  }
}

const decimal = (amount) => (amount / 100).toFixed(2);

function table(rows, isSplit) {
  if (isSplit) {
    const lines = rows.map(({ date, amount, payee, note }) =>
      `${date},"${payee}",${note},${amount < 0 ? decimal(-amount) : ''},`
      + `${amount < 0 ? '' : decimal(amount)}`);
    return ['Date,Merchant,Reference,Paid out,Paid in', ...lines, ''].join('\n');
  }
  const lines = rows.map(({ date, amount, payee, note }) => {
    const [year, month, day] = date.split('-');
    return `${day}.${month}.${year};${payee};"${note}";${decimal(amount).replace('.', ',')}`;
  });
  return ['Booking date;Name;Purpose;Amount', ...lines, ''].join('\n');
}

function tagged(rows) {
  const entries = rows.map(({ date, amount, payee, note }) =>
    `D${date}\nT${decimal(amount)}\nP${payee}\nM${note}\n^`);
  return ['!Type:Bank', ...entries, 'Pnobody', '^'].join('\n');
}
