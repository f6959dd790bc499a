// Transfers: pieces on their way from one warehouse to another.
import { withEntry } from './ledger.mjs';
import { sumOf } from './money.mjs';
import { freeIn, warehousesInOrder, withMovement } from './stock.mjs';
import { addItem, refused, updateItem } from './tables.mjs';

const RESERVE = 3;

function sent(state, { from, to, lines }) {
  const isPossible = from !== to && lines.length > 0 && lines.every(({ variant, quantity }) => (
    quantity > 0 && quantity <= freeIn(state, from, variant)));
  if (!isPossible) return refused(state, 'There are not so many free pieces to send.');
  const left = lines.reduce((next, { variant, quantity }) => withMovement(next, {
    warehouse: from, variant, quantity: -quantity, kind: 'transfer', ref: to,
  }), state);
  return addItem(left, 'transfers', 'j', { from, to, lines, at: state.now, status: 'onTheWay' })
    .state;
}

/** Pieces that do not arrive are a loss, and named on the transfer. */
function arrived(state, { id, counts }) {
  const transfer = state.transfers[id];
  if (transfer?.status !== 'onTheWay') return refused(state, 'This transfer has arrived.');
  const missing = transfer.lines
    .map(({ variant, quantity }) => ({ variant, quantity: quantity - (counts[variant] ?? 0) }))
    .filter(({ quantity }) => quantity > 0);
  const placed = transfer.lines.reduce((next, { variant, quantity }) => {
    const count = Math.min(quantity, counts[variant] ?? 0);
    return count === 0 ? next : withMovement(next, {
      warehouse: transfer.to, variant, quantity: count, kind: 'transfer', ref: id,
    });
  }, state);
  const loss = sumOf(missing, ({ variant, quantity }) => state.variants[variant].cost * quantity);
  return updateItem(withEntry(placed, 'lost', loss, id), 'transfers', id, (each) => (
    { ...each, status: 'arrived', missing }));
}

/** Goods to send so that each warehouse has a reserve of what others have plenty of. */
export function suggestedTransfer(state, to) {
  const others = warehousesInOrder(state).filter(({ id }) => id !== to);
  for (const { id: from } of others) {
    const lines = Object.keys(state.variants).flatMap((variant) => {
      const lack = RESERVE - freeIn(state, to, variant);
      const spare = freeIn(state, from, variant) - 2 * RESERVE;
      const quantity = Math.min(lack, spare);
      return quantity > 0 ? [{ variant, quantity }] : [];
    });
    if (lines.length) return { from, to, lines };
  }
  return undefined;
}

export const transferActions = {
  'transfer/sent': sent,
  'transfer/arrived': arrived,
};
