// Buys goods: what runs low is ordered from suppliers, and arrives in parts.
import { DAY } from './calendar.mjs';
import { withOpenOrders } from './fulfilment.mjs';
import { withEntry } from './ledger.mjs';
import { roundCents, sumOf } from './money.mjs';
import { availableOf, onHandOf, withMovement } from './stock.mjs';
import { addItem, put, refused, updateItem } from './tables.mjs';
import { withNotices } from './wishes.mjs';

const LOOK_BACK = 21 * DAY;

/** Pieces that are on their way from suppliers. */
const incomingOf = (state, variant) => sumOf(
  Object.values(state.purchases).filter(({ status }) => status === 'ordered'),
  ({ lines }) => sumOf(
    lines.filter((line) => line.variant === variant),
    ({ quantity, received: arrived }) => quantity - arrived));

/** How many pieces of a variant were sold a day, lately. */
function paceOf(state, variant) {
  const sold = Object.values(state.orders)
    .filter(({ placed, status }) => state.now - placed < LOOK_BACK && status !== 'cancelled')
    .flatMap(({ lines }) => lines)
    .filter((line) => line.variant === variant);
  const days = Math.max(1, Math.min(LOOK_BACK, state.now) / DAY);
  return sumOf(sold, ({ quantity, cancelled }) => quantity - cancelled) / days;
}

/** The next order from a supplier: enough until the next delivery, and a reserve. */
function suggestedLines(state, supplier) {
  const { variants, days, pack } = state.suppliers[supplier];
  return variants.flatMap((variant) => {
    const need = Math.ceil(paceOf(state, variant) * (days + 7)) + 2;
    const missing = need - availableOf(state, variant) - incomingOf(state, variant);
    if (missing <= 0) return [];
    const quantity = Math.ceil(missing / pack) * pack;
    return [{ variant, quantity, received: 0, cost: state.variants[variant].cost }];
  });
}

function ordered(state, { supplier, lines }) {
  const wanted = lines ?? suggestedLines(state, supplier);
  if (wanted.length === 0) return refused(state, 'There is enough of everything.');
  return addItem(state, 'purchases', 'z', {
    supplier, lines: wanted, at: state.now, status: 'ordered',
  }).state;
}

/** The mean cost of what is there and of what arrives. */
function withCost(state, variant, quantity, cost) {
  const there = Math.max(0, onHandOf(state, variant));
  return updateItem(state, 'variants', variant, (each) => ({
    ...each, cost: roundCents((each.cost * there + cost * quantity) / (there + quantity)),
  }));
}

function received(state, { id, warehouse, counts }) {
  const purchase = state.purchases[id];
  if (purchase?.status !== 'ordered') return refused(state, 'This delivery is complete.');
  let next = state;
  const lines = purchase.lines.map((line) => {
    const count = Math.min(counts[line.variant] ?? 0, line.quantity - line.received);
    if (count === 0) return line;
    next = withCost(next, line.variant, count, line.cost);
    next = withMovement(next, {
      warehouse, variant: line.variant, quantity: count, kind: 'delivery', ref: id,
    });
    next = withEntry(next, 'goodsReceived', line.cost * count, id);
    next = withNotices(withOpenOrders(next, line.variant), line.variant);
    return { ...line, received: line.received + count };
  });
  const isComplete = lines.every((line) => line.received === line.quantity);
  return updateItem(next, 'purchases', id, (each) => (
    { ...each, lines, status: isComplete ? 'complete' : 'ordered' }));
}

const supplied = (state, { id, title, variants, days, pack }) => ({
  ...state, suppliers: put(state.suppliers, id, { id, title, variants, days, pack }),
});

/** The costs of all goods in the warehouses. */
export const stockValue = (state) => sumOf(
  Object.values(state.variants), ({ id, cost }) => cost * onHandOf(state, id));

export const purchasingActions = {
  'supplier/added': supplied,
  'purchase/ordered': ordered,
  'purchase/received': received,
  'purchase/closed': (state, { id }) => updateItem(state, 'purchases', id, (purchase) => (
    { ...purchase, status: 'complete' })),
};
