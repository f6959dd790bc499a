// Stocktakes: people count shelf by shelf, and count again where a number is surprising.
import { withEntry } from './ledger.mjs';
import { sumOf } from './money.mjs';
import { levelOf, withMovement } from './stock.mjs';
import { addItem, put, refused, updateItem } from './tables.mjs';

const SURPRISE = 2;

const variantsOf = (state, warehouse) => Object.keys(state.levels)
  .filter((key) => key.startsWith(`${warehouse}/`))
  .map((key) => key.slice(warehouse.length + 1));

const openTake = (state, warehouse) => Object.values(state.stocktakes)
  .find((take) => take.warehouse === warehouse && take.status === 'open');

function begun(state, { warehouse }) {
  if (openTake(state, warehouse)) return refused(state, 'This warehouse is being counted.');
  const variants = variantsOf(state, warehouse);
  if (variants.length === 0) return refused(state, 'There is nothing to count.');
  return addItem(state, 'stocktakes', 'st', {
    warehouse, at: state.now, status: 'open', left: variants, counts: {}, recounts: [],
  }).state;
}

/** Pieces that left or came after the count of a variant change what it means. */
function movedSince(state, take, variant, minute) {
  return sumOf(state.movements.filter((movement) => (
    movement.warehouse === take.warehouse && movement.variant === variant && movement.at > minute)),
    ({ quantity }) => quantity);
}

/** A number far from the known one is asked for again; the second count holds. */
function counted(state, { id, variant, count }) {
  const take = state.stocktakes[id];
  if (take?.status !== 'open' || count < 0) return refused(state, 'Nobody counts this now.');
  const known = levelOf(state, take.warehouse, variant).onHand;
  const isSecond = take.recounts.includes(variant);
  if (!isSecond && Math.abs(count - known) > SURPRISE) {
    return updateItem(state, 'stocktakes', id, (each) => (
      { ...each, recounts: [...each.recounts, variant] }));
  }
  return updateItem(state, 'stocktakes', id, (each) => ({
    ...each,
    left: each.left.filter((other) => other !== variant),
    counts: put(each.counts, variant, { count, at: state.now }),
  }));
}

/** The counted pieces of now, beside those in the books. */
function differencesOf(state, take) {
  return Object.entries(take.counts).map(([variant, { count, at }]) => ({
    variant,
    quantity: count + movedSince(state, take, variant, at)
      - levelOf(state, take.warehouse, variant).onHand,
  })).filter(({ quantity }) => quantity !== 0);
}

function closed(state, { id }) {
  const take = state.stocktakes[id];
  if (take?.status !== 'open') return refused(state, 'This stocktake is closed.');
  if (take.left.length) return refused(state, `${take.left.length} shelves are not counted.`);
  const differences = differencesOf(state, take);
  const moved = differences.reduce((next, { variant, quantity }) => withMovement(next, {
    warehouse: take.warehouse, variant, quantity, kind: 'count', ref: id,
  }), state);
  const loss = sumOf(differences, ({ variant, quantity }) => (
    -state.variants[variant].cost * quantity));
  return updateItem(withEntry(moved, 'lost', loss, id), 'stocktakes', id, (each) => (
    { ...each, status: 'closed', differences }));
}

export const stocktakeActions = {
  'stocktake/begun': begun,
  'stocktake/counted': counted,
  'stocktake/closed': closed,
};
