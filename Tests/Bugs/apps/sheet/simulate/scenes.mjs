// The person's work with the rest of the workbook of the festival.
import { tracedFrom } from '../src/links.mjs';
import { ruleTitle } from '../src/validation.mjs';
import { formulaBar, grid, menu, selectionSummary } from '../src/view.mjs';
import { correctExpense, headerRow } from './bills.mjs';
import { formulas } from './formulas.mjs';

// --- Team

export function setUpTeam(hands) {
  hands.do('sheet/added', { name: 'Team' });
  hands.line('A1', ['Hourly', '€ 15.50']);
  hands.line('A3', ['Who', 'Mon']);
  hands.click('B3');
  hands.do('cells/filled', { range: { top: 2, left: 1, bottom: 2, right: 5 } });
  hands.line('G3', ['Hours', 'Pay', 'Since', 'Shift 01']);
  for (const [at, name] of ['Mara', 'Ilias', 'Tove', 'Ben', 'Ada'].entries()) {
    hands.write(`A${4 + at}`, name);
    hands.write(`I${4 + at}`, `${1 + at}.3.2026`);
  }
  hands.select('B4:F8');
  hands.do('editor/typed', { text: '0' });
  hands.do('editor/committedToAll');
  hands.click('G4');
  hands.do('editor/typed', { text: '=SUM(' });
  hands.do('editor/pointed', { row: 3, column: 1 });
  hands.do('editor/pointed', { row: 3, column: 5, extend: true });
  hands.do('editor/committed', { direction: 'right' });
  hands.type('=G4*$B$1');
  hands.select('G4:H4');
  hands.do('cells/filled', { range: { top: 3, left: 6, bottom: 7, right: 7 } });
  hands.click('J3');
  hands.do('cells/filled', { range: { top: 2, left: 9, bottom: 6, right: 9 } });
  hands.select('I4:I8');
  hands.do('name/defined', { name: 'since' });
  hands.do('name/removed', { name: 'since' });
}

export function enterHours(hands) {
  hands.open('Team');
  const row = hands.number(4, 8);
  hands.select(`B${row}:F${row}`);
  for (let at = 0; at < 3; at++) hands.type(String(hands.number(0, 9)), 'right');
  hands.do('selection/advanced', { direction: 'right' });
  hands.do('selection/moved', { direction: 'right', jump: true });
  hands.do('selection/moved', { direction: 'down', jump: true, extend: true });
  selectionSummary(hands.state);
  menu(hands.state);
}

export function tidyTeam(hands) {
  hands.open('Team');
  hands.do('columns/inserted', { at: 9 });
  hands.line('J3', ['Phone']);
  hands.do('columns/deleted', { at: 10 });
  hands.click('A8');
  hands.do('clipboard/cut');
  hands.open('Contacts');
  hands.click('A9');
  hands.do('clipboard/pasted');
  hands.open('Team');
  hands.do('history/undone');
  const { rules } = hands.sheet('Expenses');
  rules.map(ruleTitle);
  hands.open('Expenses');
  hands.do('rule/removed', { id: rules[rules.length - 1].id });
}

// --- Booths

const lastBooth = (hands) => hands.freeRow('Booths', 'A', 5) - 1;

export function setUpBooths(hands) {
  hands.do('sheet/added', { name: 'Booths' });
  hands.line('A1', ['Income']);
  hands.line('A4', ['Booth', 'Metres', 'Fee', 'Per metre']);
  const names = [
    'Waffles', 'Soup', 'Books', 'Honey', 'Toys', 'Records', 'Plants', 'Crêpes', 'Pottery', 'Cheese',
    'Postcards', 'Lemonade',
  ];
  for (const [at, name] of names.entries()) {
    hands.line(`A${5 + at}`, [name, String(hands.number(2, 8)), String(hands.number(40, 240))]);
  }
  hands.write('D5', '=ROUND(C5/B5,1)');
  hands.click('D5');
  hands.do('cells/filledDown');
  hands.write('B1', '=SUM(C5:C16)');
  hands.write('C1', '=MAX(C5:C16)&" at most"');
  hands.line('A18', ['Waiting list']);
  for (const [at, name] of ['Candles', 'Scarves', 'Tea'].entries()) {
    hands.line(`A${19 + at}`, [name, String(hands.number(2, 5))]);
  }
  for (const [row, text] of [[6, 'needs 32 A'], [7, 'near the church'], [11, 'no neighbours, loud'],
    [14, 'arrives at noon']]) {
    hands.click(`A${row}`);
    hands.do('note/written', { text });
  }
}

export function changeBooth(hands) {
  hands.open('Booths');
  const row = hands.number(5, lastBooth(hands));
  if (hands.chance(0.2)) insertBooth(hands, row);
  else if (hands.chance(0.6)) hands.write(`C${row}`, String(hands.number(40, 240)));
  else hands.write(`B${row}`, String(hands.number(2, 8)));
  selectionSummary(hands.state);
}

function insertBooth(hands, row) {
  hands.do('rows/inserted', { at: row - 1 });
  const name = hands.pick(['Lamps', 'Bread', 'Wool', 'Games']);
  hands.line(`A${row}`, [name, String(hands.number(2, 8)), String(hands.number(40, 240))]);
  hands.select(`D${row + 1}`);
  hands.do('cells/filled', { range: { top: row - 1, left: 3, bottom: row, right: 3 } });
}

export function cancelBooths(hands) {
  hands.open('Booths');
  const last = lastBooth(hands);
  hands.do('cell/selected', { row: last - 1, column: 0 });
  hands.do('selection/rows');
  hands.do('rows/deleted', { at: last - 2, count: 2 });
  hands.do('selection/columns');
  hands.click('A1');
  formulaBar(hands.state);
}

export function sortBooths(hands) {
  hands.open('Booths');
  hands.click('A6');
  hands.do('selection/block');
  const keys = hands.pick([
    [{ column: 2, isFalling: true }],
    [{ column: 1, isFalling: false }, { column: 0, isFalling: false }],
    [{ column: 0, isFalling: false }],
  ]);
  hands.select(`A4:D${lastBooth(hands)}`);
  hands.do('rows/sorted', { keys });
}

export function settleDeposits(hands) {
  hands.open('Booths');
  const row = lastBooth(hands) + 1;
  hands.line(`A${row}`, ['Deposits', '', String(hands.number(300, 600))]);
  formulaBar(hands.state);
  hands.click('B1');
}

// --- The rest

export function setUpScratch(hands) {
  hands.do('sheet/added', { name: 'Scratch' });
  const rows = [
    ['3', 'pear', '2026-03-02'], ['8', 'Apple', '2026-03-20'], ['5', 'fig tree', '2026-04-01'],
    ['2.5', ' plum ', '2026-05-30'], ['8', '', '2027-01-15'], ['-4', 'TRUE', "'007"],
  ];
  for (const [at, texts] of rows.entries()) hands.line(`A${1 + at}`, texts);
  hands.do('sheet/added', { name: 'Contacts' });
  hands.line('A1', ['Who', 'Phone']);
  hands.line('A2', ['Lumen', "'0301234"]);
}

export function tryFormulas(hands, day) {
  hands.open('Scratch');
  const count = day === 23 ? formulas.length : 6;
  const first = day === 23 ? 0 : hands.number(0, formulas.length - 6);
  for (const [at, formula] of formulas.slice(first, first + count).entries()) {
    hands.write(`${at % 2 ? 'F' : 'G'}${1 + at}`, formula);
  }
}

export function mindLoops(hands) {
  hands.open('Scratch');
  hands.write('M20', '=N20+1');
  hands.write('N20', '=O20*2');
  hands.write('O20', '=SUM(M19:M21)');
  hands.write('P20', '=M20');
  hands.write('N20', '5');
  const { active, workbook, links } = hands.state;
  tracedFrom(workbook, links, active, 19, 14);
  hands.write('P21', '=(1+');
  hands.write('P22', '=SUM(P20:P19)+Sheet99!A1+nothing');
}

export function writeNote(hands) {
  const name = hands.pick(['Booths', 'Expenses']);
  hands.open(name);
  hands.click(`${hands.pick(['A', 'C'])}${hands.number(6, 12)}`);
  if (formulaBar(hands.state).note) {
    if (hands.chance(0.6)) return hands.do('note/answered', { text: 'done' });
    return hands.chance(0.3) ? hands.do('note/removed') : undefined;
  }
  const text = hands.pick(['ask again', 'receipt missing', 'paid cash']);
  return hands.do('note/written', { text });
}

export function lookAround(hands) {
  hands.open(hands.pick(['Overview', 'Booths', 'Team']));
  hands.do('selection/moved', { direction: hands.pick(['up', 'down', 'left', 'right']) });
  hands.do('selection/moved', { direction: 'down', extend: true });
  grid(hands.state);
  selectionSummary(hands.state);
}

/** Changes something, sees that it was wrong, and takes it back. */
export function regretChange(hands, day) {
  hands.pick([changeBooth, enterHours, correctExpense])(hands, day);
  const count = hands.number(1, 2);
  for (let at = 0; at < count; at++) hands.do('history/undone');
  if (hands.chance(0.4)) hands.do('history/redone');
}

export function copyAround(hands) {
  hands.open('Team');
  hands.select('A4:B6');
  hands.do('clipboard/copied');
  hands.open('Scratch');
  hands.click(hands.pick(['R2', 'R12']));
  const mode = hands.pick(['all', 'values', 'formulas', 'formats']);
  hands.do('clipboard/pasted', { mode, transpose: hands.chance(0.3) });
  hands.do('cells/cleared');
}

export function moveContacts(hands) {
  hands.open('Booths');
  const row = lastBooth(hands) + 2;
  hands.select(`A${row}:B${row + 3}`);
  hands.do('clipboard/cut');
  hands.open('Contacts');
  hands.click('D2');
  hands.do('clipboard/pasted');
  hands.open('Overview');
  hands.select('A1:B1');
  hands.do('clipboard/cut');
  hands.click('G1');
  hands.do('clipboard/pasted');
  hands.write('H2', '=vat*100');
  hands.do('name/removed', { name: 'vat' });
}

export function renameThings(hands) {
  hands.do('name/renamed', { name: 'vat', to: 'tax' });
  const { id } = hands.sheet('Contacts');
  hands.do('sheet/renamed', { id, name: 'expenses' });
  hands.do('sheet/moved', { id, to: 1 });
  hands.do('name/visited', { name: 'nowhere' });
}

export function summarise(hands) {
  hands.open('Expenses');
  hands.click(`A${headerRow(hands)}`);
  const value = { column: 3, fold: hands.pick(['sum', 'average', 'greatest', 'count']) };
  const summary = { by: 2, across: hands.pick([1, undefined]), value };
  hands.do('summary/built', { summary });
  grid(hands.state);
}

export function exportAll(hands) {
  for (const name of ['Expenses', 'Overview']) {
    hands.open(name);
    hands.do('csv/exported', { separator: ';' });
  }
}

export function closeBooks(hands) {
  hands.do('sheet/duplicated', { id: hands.sheet('Overview').id });
  hands.do('sheet/removed', { id: hands.sheet('Contacts').id });
  hands.open('Expenses');
  hands.click('A1');
}
