// Statements of banks: a table, or a list of tagged lines. Both become rows of one kind.
import { isDay, parsedDay } from './dates.mjs';
import { parsedAmount } from './money.mjs';
import { folded, tidied } from './records.mjs';
import { parsedCsv } from './csv.mjs';

const HEADERS = {
  date: ['date', 'booking date', 'day', 'datum'],
  amount: ['amount', 'value', 'sum', 'betrag'],
  debit: ['debit', 'paid out'],
  credit: ['credit', 'paid in'],
  payee: ['payee', 'name', 'counterparty', 'merchant'],
  note: ['note', 'purpose', 'reference', 'text'],
};

export function readStatement(text, currency, today) {
  return text.startsWith('!')
    ? readTagged(text, currency, today) : readTable(text, currency, today);
}

function columnsOf(headers) {
  const found = {};
  for (const [index, header] of headers.entries()) {
    const name = folded(header);
    for (const [field, names] of Object.entries(HEADERS)) {
      if (names.includes(name) && found[field] === undefined) found[field] = index;
    }
  }
  return found;
}

function amountIn(get, currency) {
  const single = get('amount');
  if (single) return parsedAmount(single, currency);
  const [out, into] = [get('debit'), get('credit')];
  if (out) {
    const amount = parsedAmount(out, currency);
    return amount === undefined ? undefined : -Math.abs(amount);
  }
  return into ? parsedAmount(into, currency) : undefined;
}

function readTable(text, currency, today) {
  const [headers = [], ...lines] = parsedCsv(text);
  const columns = columnsOf(headers);
  const rows = [];
  const problems = [];
  if (columns.date === undefined) return { rows, problems: [{ line: 1, text: 'no date column' }] };
  for (const [index, cells] of lines.entries()) {
    const get = (field) => (cells[columns[field]] ?? '').trim();
    const date = parsedDay(get('date'), today);
    const amount = amountIn(get, currency);
    if (!date || amount === undefined || !get('date')) {
      problems.push({ line: index + 2, text: cells.join(' ').slice(0, 60) });
    } else {
      rows.push({ date, amount, payee: payeeOf(get('payee')), note: tidied(get('note')) });
    }
  }
  return { rows, problems };
}

/** Lines such as "D2026-03-31", "T-12.50", "PBakery", "Mrolls"; "^" ends an entry. */
function readTagged(text, currency, today) {
  const rows = [];
  const problems = [];
  let entry = {};
  for (const [index, line] of text.split('\n').entries()) {
    const value = line.slice(1).trim();
    switch (line[0]) {
      case 'D': entry.date = parsedDay(value, today); break;
      case 'T': entry.amount = parsedAmount(value, currency); break;
      case 'P': entry.payee = payeeOf(value); break;
      case 'M': entry.note = tidied(value); break;
      case '^':
        if (isDay(entry.date ?? '') && entry.amount !== undefined) {
          rows.push({ payee: '', note: '', ...entry });
        } else {
          problems.push({ line: index + 1, text: 'an entry without day or amount' });
        }
        entry = {};
        break;
      default:
    }
  }
  return { rows, problems };
}

/** Names as banks print them: "REWE SAGT DANKE 4711//BERLIN" is "Rewe Sagt Danke". */
function payeeOf(text) {
  const [name] = tidied(text).split('//');
  const words = name.replace(/\b\d{3,}\b/g, '').trim().split(/\s+/);
  return words.map((word) => (word === word.toUpperCase() && word.length > 2
    ? word[0] + word.slice(1).toLowerCase() : word)).join(' ');
}
