// The person's work with the bills, and with the overview of them.
import { parseKey } from '../src/addresses.mjs';
import { clipboardText } from '../src/clipboard.mjs';
import { filterChoices } from '../src/filters.mjs';
import { nameList } from '../src/names.mjs';
import { invalidCells } from '../src/validation.mjs';
import { formulaBar, grid, selectionSummary } from '../src/view.mjs';

const CATEGORIES = ['Stage', 'Permits', 'Music', 'Print', 'Food', 'Fees'];
const PAYEES = [
  'Holm & Co', 'City office', 'Band Aurora', 'Print 24', 'Bakery Roth', 'Bank', 'Lumen',
];

/** The row of the header of the expenses: titles above it move it down. */
export const headerRow = (hands) => (hands.value('Expenses', 'A3') === 'Date' ? 3 : 5);

const lastExpense = (hands) => hands.freeRow('Expenses', 'A', headerRow(hands)) - 1;

const dayText = (day) => {
  const month = 2 + Math.floor(day / 14);
  return `2026-0${month}-${String(1 + (day * 2) % 28).padStart(2, '0')}`;
};

const amount = (hands) => `${hands.number(12, 900)}.${hands.pick(['00', '50', '90', '25'])}`;

// --- Expenses

export function setUpExpenses(hands) {
  hands.do('sheet/renamed', { id: 's1', name: 'Expenses' });
  hands.write('A1', 'All bills');
  hands.line('A3', ['Date', 'Payee', 'Category', 'Net', 'Gross', 'Month']);
  hands.select('A3:F3');
  hands.do('style/toggled', { name: 'bold' });
  for (const [letter, name] of [['A', 'dates'], ['C', 'categories'], ['D', 'amounts']]) {
    hands.select(`${letter}4:${letter}40`);
    hands.do('name/defined', { name });
  }
  hands.select('C4:C90');
  hands.do('rule/added', { rule: { kind: 'list', options: CATEGORIES } });
  hands.select('D4:D90');
  hands.do('rule/added', { rule: { kind: 'number', least: 0, most: 20000 } });
  hands.select('B4:B90');
  hands.do('rule/added', { rule: { kind: 'text', most: 30 } });
  hands.select('A4:A90');
  hands.do('rule/added', { rule: { kind: 'date', least: 46000, isWarning: true } });
  for (let count = 0; count < 3; count++) enterExpense(hands, 0);
}

function enterExpense(hands, day) {
  const row = Math.max(lastExpense(hands), headerRow(hands)) + 1;
  const category = hands.pick(CATEGORIES);
  hands.line(`A${row}`, [dayText(day), hands.pick(PAYEES), category, amount(hands)]);
  if (row > headerRow(hands) + 1) {
    hands.select(`E${row - 1}:F${row - 1}`);
    const { row: index } = parseKey(`E${row}`);
    hands.do('cells/filled', { range: { top: index - 1, left: 4, bottom: index, right: 5 } });
  } else {
    hands.write(`E${row}`, `=ROUND(D${row}*1.19,2`);
    hands.write(`F${row}`, `=month(A${row})`);
  }
}

export function enterExpenses(hands, day) {
  hands.open('Expenses');
  const count = hands.number(1, 3);
  for (let at = 0; at < count; at++) enterExpense(hands, day);
  selectionSummary(hands.state);
}

export function correctExpense(hands, day) {
  hands.open('Expenses');
  const row = hands.number(headerRow(hands) + 1, lastExpense(hands));
  switch (hands.number(0, 6)) {
    case 0:
      hands.click(`B${row}`);
      hands.do('editor/opened');
      return hands.type(`${formulaBar(hands.state).text} `);
    case 1: return hands.write(`B${row}`, hands.pick(PAYEES));
    case 2: return hands.write(`C${row}`, hands.pick([...CATEGORIES, 'Foood']));
    case 3: return hands.write(`A${row}`, dayText(Math.max(0, day - 1)));
    default: return hands.write(`D${row}`, amount(hands));
  }
}

export function addTitle(hands) {
  hands.open('Expenses');
  hands.do('rows/inserted', { at: 0, count: 2 });
  hands.write('A1', 'Street festival, spring');
  hands.write('B3', '=SUM(amounts)');
}

export function importBank(hands) {
  hands.open('Scratch');
  const text = 'Day;Payee;Amount\n2026-02-03;"Roth; bakery";€ 31.50\n3.2.2026;"says ""paid""";12%\n'
    + '5 Feb 2026;Bank;-$4.20\n;Lumen;1,200\n2026-02-31;£7;=1+';
  hands.click('K1');
  hands.do('csv/imported', { text });
  hands.click('N1');
  hands.do('csv/imported', { text: '' });
  invalidCells(hands.state, hands.sheet('Scratch'));
}

export function searchPayee(hands) {
  hands.open('Expenses');
  const text = hands.pick(['bank', 'roth', 'Print', 'nobody']);
  hands.do('search/began', { text, looksInFormulas: hands.chance(0.3) });
  hands.do('search/next');
  if (hands.chance(0.5)) hands.do('search/previous');
  if (text === 'roth' && hands.chance(0.5)) hands.do('search/replaced', { replacement: 'Roth' });
  if (text === 'Print' && hands.chance(0.3)) {
    hands.do('search/replacedAll', { replacement: 'Print', isEverywhere: hands.chance(0.5) });
  }
  hands.do('search/ended');
}

export function filterExpenses(hands) {
  hands.open('Expenses');
  const header = headerRow(hands);
  hands.click(`A${header}`);
  hands.select(`A${header}:F${lastExpense(hands)}`);
  hands.do('filter/began');
  filterChoices(hands.state, 2);
  const condition = hands.pick([
    { kind: 'shown', texts: ['Stage', 'Music'] },
    { kind: 'meets', text: '<>Food' },
    { kind: 'filled' },
  ]);
  hands.do('filter/conditioned', { column: 2, condition });
  if (hands.chance(0.5)) {
    hands.do('filter/conditioned', { column: 3, condition: { kind: 'top', count: 5 } });
  }
  hands.do('selection/moved', { direction: 'down' });
  grid(hands.state);
  selectionSummary(hands.state);
  hands.do('clipboard/copied');
  clipboardText(hands.state.clipboard);
  hands.do('clipboard/emptied');
  if (hands.chance(0.3)) hands.do('filter/again');
  hands.do('filter/ended');
}

export function extendNames(hands) {
  hands.open('Expenses');
  for (const [letter, name] of [['A', 'dates'], ['C', 'categories'], ['D', 'amounts']]) {
    hands.do('name/visited', { name });
    hands.select(`${letter}6:${letter}95`);
    hands.do('name/defined', { name });
  }
  nameList(hands.state.workbook);
}

// --- Overview

export function setUpOverview(hands) {
  hands.do('sheet/added', { name: 'Overview' });
  hands.line('A1', ['VAT', '19%']);
  hands.click('B1');
  hands.do('name/defined', { name: 'vat' });
  hands.do('name/defined', { name: 'B7' });
  hands.line('A4', ['Category', 'Spent', 'Budget', 'Left', 'Share']);
  for (const [at, category] of CATEGORIES.entries()) {
    hands.write(`A${5 + at}`, category, 'right');
    hands.write(`C${5 + at}`, String(hands.number(20, 60) * 100));
  }
  hands.click('B5');
  hands.do('editor/typed', { text: '=sumif' });
  hands.do('editor/completed', { name: 'SUMIF' });
  hands.type('=SUMIF(categories,A5,amounts)');
  hands.click('B5');
  hands.do('cells/filledDown');
  hands.write('D5', '=C5-B5');
  hands.click('D5');
  hands.do('cells/filledDown');
  hands.write('A11', 'All');
  hands.click('B11');
  hands.do('editor/summed');
  hands.do('editor/committed', { direction: 'right' });
  hands.click('B11');
  hands.do('cells/filled', { range: { top: 10, left: 1, bottom: 10, right: 3 } });
  hands.click('E5');
  hands.do('editor/typed', { text: '=IF(B' });
  hands.do('editor/typed', { text: '=IFERROR(B5/' });
  hands.do('editor/pointed', { row: 10, column: 1 });
  hands.do('editor/fixed');
  hands.do('editor/fixed');
  hands.do('editor/typed', { text: `${formulaBar(hands.state).text},0)` });
  hands.do('editor/committed', { direction: 'down' });
  hands.click('E5');
  hands.do('cells/filledDown');
  hands.select('E5:E11');
  hands.do('format/applied', { format: '0.0%' });
}

export function planMonths(hands) {
  hands.open('Overview');
  hands.line('G4', ['Jan', 'Feb']);
  hands.select('G4:H4');
  hands.do('cells/filled', { range: { top: 3, left: 6, bottom: 3, right: 11 } });
  hands.write('G5', '=SUMIF(Expenses!$F$6:$F$95,COLUMN()-6,Expenses!$D$6:$D$95)');
  hands.click('G5');
  hands.do('cells/filled', { range: { top: 4, left: 6, bottom: 4, right: 11 }, mode: 'copy' });
  hands.line('G7', ['2026-01-31', '2026-02-28', '2026-03-31']);
  hands.line('G8', ['10', '20', 'x']);
  hands.select('G7:H8');
  hands.do('cells/filled', { range: { top: 6, left: 6, bottom: 7, right: 11 } });
  hands.do('cells/shrunk', { range: { top: 6, left: 6, bottom: 7, right: 9 } });
  hands.do('cells/filled', { range: { top: 5, left: 5, bottom: 9, right: 9 } });
}
