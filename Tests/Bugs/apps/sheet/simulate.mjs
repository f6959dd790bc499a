// A spring in the office of a street festival: one person keeps its workbook, day by day.
import { parseKey, parseRange } from './src/addresses.mjs';
import { serialOf } from './src/calendar.mjs';
import * as bills from './simulate/bills.mjs';
import * as scenes from './simulate/scenes.mjs';
import * as looks from './simulate/looks.mjs';

/** The hands of the person: clicks, keys and menus. */
class Hands {
  constructor(store, random) {
    this.store = store;
    this.random = random;
  }

  get state() {
    return this.store.getState();
  }

  do(type, payload) {
    this.store.dispatch(payload === undefined ? { type } : { type, payload });
  }

  chance(share) {
    return this.random() < share;
  }

  number(least, most) {
    return least + Math.floor(this.random() * (most - least + 1));
  }

  pick(list) {
    return list[Math.floor(this.random() * list.length)];
  }

  sheet(name) {
    return Object.values(this.state.workbook.sheets).find((sheet) => sheet.name === name);
  }

  /** Clicks a tab, unless it is in front already. */
  open(name) {
    const { id } = this.sheet(name);
    if (this.state.active !== id) this.do('sheet/activated', { id });
  }

  click(key) {
    this.do('cell/selected', parseKey(key));
  }

  select(text) {
    const { top, left, bottom, right } = parseRange(text);
    this.do('cell/selected', { row: top, column: left });
    if (bottom !== top || right !== left) {
      this.do('selection/extended', { row: bottom, column: right });
    }
  }

  /** Types a text into the cell of the cursor. */
  type(text, direction = 'down') {
    this.do('editor/typed', { text });
    this.do('editor/committed', { direction });
    if (this.state.editor) this.do('editor/cancelled');
  }

  write(key, text, direction) {
    this.click(key);
    this.type(text, direction);
  }

  /** Types a line of entries with the Tab key. */
  line(key, texts) {
    this.click(key);
    for (const text of texts) this.type(text, 'right');
  }

  value(name, key) {
    return this.state.values[this.sheet(name).id]?.[key] ?? null;
  }

  /** The first row of a sheet from one on with nothing in a column. */
  freeRow(name, letter, from) {
    let row = from;
    while (this.value(name, `${letter}${row}`) !== null) row++;
    return row;
  }
}

const FIRST_DAY = serialOf(2026, 2, 2);
const DAYS = 36;

/** The person's habits on most days, and about how often. */
const habits = [
  [0.95, bills.enterExpenses],
  [0.45, bills.correctExpense],
  [0.4, scenes.enterHours],
  [0.3, scenes.changeBooth],
  [0.3, scenes.lookAround],
  [0.25, scenes.tryFormulas],
  [0.25, scenes.regretChange],
  [0.2, scenes.writeNote],
  [0.15, bills.searchPayee],
  [0.15, looks.changeStyles],
  [0.12, looks.highlightAmounts],
  [0.12, bills.filterExpenses],
  [0.1, scenes.copyAround],
  [0.1, looks.drawChart],
  [0.08, looks.arrangePanes],
  [0.08, scenes.sortBooths],
];

/** Events that happen once, on their day. */
const plan = new Map([
  [0, bills.setUpExpenses],
  [1, bills.setUpOverview],
  [2, scenes.setUpTeam],
  [3, scenes.setUpBooths],
  [4, scenes.setUpScratch],
  [5, bills.addTitle],
  [7, bills.importBank],
  [9, scenes.cancelBooths],
  [11, scenes.sortBooths],
  [13, bills.planMonths],
  [15, scenes.moveContacts],
  [17, scenes.renameThings],
  [19, scenes.summarise],
  [21, bills.extendNames],
  [23, scenes.tryFormulas],
  [24, scenes.mindLoops],
  [26, scenes.cancelBooths],
  [28, scenes.tidyTeam],
  [30, scenes.settleDeposits],
  [32, scenes.exportAll],
  [34, scenes.closeBooks],
]);

/** Plays the spring with a store and a seeded generator of numbers from 0 to 1. */
export function simulate(store, random) {
  const hands = new Hands(store, random);
  for (let day = 0; day < DAYS; day++) {
    hands.do('day/began', { serial: FIRST_DAY + day * 2 });
    plan.get(day)?.(hands, day);
    for (const [share, habit] of day > 4 ? habits : []) {
      if (hands.chance(share)) habit(hands, day);
    }
  }
}
