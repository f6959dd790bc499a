// The till of the shop in town: what is sold there goes out at once.
import { isForSale, productOf, titleOf, variantScanned } from './catalogue.mjs';
import { withEntry } from './ledger.mjs';
import { formatMoney, percentOf, sumOf } from './money.mjs';
import { priceOf } from './prices.mjs';
import { withMovement, freeIn } from './stock.mjs';
import { addItem, logged, refused } from './tables.mjs';
import { taxRules, taxesOf } from './tax.mjs';

export const closedTill = { isOpen: false, cash: 0, lines: [], days: [] };

const withTill = (state, changes) => ({ ...state, till: { ...state.till, ...changes } });

const opened = (state, { cash }) => (state.till.isOpen ? refused(state, 'The till is open.')
  : withTill(state, { isOpen: true, cash, lines: [], warehouse: 'town' }));

/** One more piece on the receipt. Pieces that carts hold are not sold here. */
function scanned(state, { barcode }) {
  const variant = variantScanned(state, barcode);
  const { isOpen, lines, warehouse } = state.till;
  if (!isOpen || !variant || !isForSale(state, variant.id)) {
    return refused(state, 'The till does not know this.');
  }
  const known = lines.find((line) => line.variant === variant.id);
  if (freeIn(state, warehouse, variant.id) <= (known?.quantity ?? 0)) {
    return refused(state, 'All pieces here are reserved.');
  }
  const line = known ?? {
    variant: variant.id, quantity: 0, unit: priceOf(state, variant.id).unit, percent: 0,
  };
  const others = lines.filter((each) => each !== known);
  return withTill(state, { lines: [...others, { ...line, quantity: line.quantity + 1 }] });
}

const amountOf = ({ unit, quantity, percent }) => (
  unit * quantity - percentOf(unit * quantity, percent));

const receiptTotal = ({ lines }) => sumOf(lines, amountOf);

/** A piece with a scratch costs less. */
const reduced = (state, { variant, percent }) => withTill(state, {
  lines: state.till.lines.map((line) => (line.variant === variant ? { ...line, percent } : line)),
});

/** The customer pays in cash: the receipt is written, and the pieces leave the shelf. */
function paid(state, { cash }) {
  const { till } = state;
  const total = receiptTotal(till);
  if (till.lines.length === 0 || cash < total) return refused(state, 'That is not enough.');
  const taxes = taxesOf(taxRules(state, 'DE'), till.lines.map((line) => ({
    amount: amountOf(line), taxClass: productOf(state, line.variant).taxClass,
  })), 0, false);
  const { id, state: written } = addItem(state, 'receipts', 'rc', {
    at: state.now,
    lines: till.lines.map((line) => ({ ...line, title: titleOf(state, line.variant) })),
    total,
    tax: sumOf(taxes.lines, ({ tax }) => tax),
    given: cash,
    change: cash - total,
  });
  const left = till.lines.reduce((next, { variant, quantity }) => withMovement(next, {
    warehouse: till.warehouse, variant, quantity: -quantity, kind: 'till', ref: id,
  }), written);
  const cost = sumOf(till.lines, ({ variant, quantity }) => (
    state.variants[variant].cost * quantity));
  const booked = withEntry(withEntry(left, 'soldForCash', total, id), 'goodsSold', cost, id);
  return withTill(booked, { cash: till.cash + total, lines: [] });
}

/** The coins and notes are counted; what is missing or too much is booked. */
function closed(state, { counted }) {
  const { till } = state;
  if (!till.isOpen) return refused(state, 'The till is closed.');
  const difference = counted - till.cash;
  const day = { at: state.now, expected: till.cash, counted, difference };
  return withTill(withEntry(state, 'tillDifference', difference, null), {
    ...closedTill, days: logged(till.days, day, 30),
  });
}

/** The lines of a receipt as they are printed. */
export const receiptText = (state, id) => {
  const receipt = state.receipts[id];
  return [
    ...receipt.lines.map((line) => (
      `${line.quantity} × ${line.title}  ${formatMoney(amountOf(line))}`)),
    `Total ${formatMoney(receipt.total)}, tax ${formatMoney(receipt.tax)}`,
    `Change ${formatMoney(receipt.change)}`,
  ];
};

export const tillActions = {
  'till/opened': opened,
  'till/scanned': scanned,
  'till/reduced': reduced,
  'till/emptied': (state) => withTill(state, { lines: [] }),
  'till/paid': paid,
  'till/closed': closed,
};
