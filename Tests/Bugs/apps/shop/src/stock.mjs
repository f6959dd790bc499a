// Stock: how many pieces each warehouse has, and what came and went.
import { logged, put, refused, updateItem } from './tables.mjs';

const levelKey = (warehouse, variant) => `${warehouse}/${variant}`;

const emptyLevel = { onHand: 0, reserved: 0 };

export const levelOf = (state, warehouse, variant) => (
  state.levels[levelKey(warehouse, variant)] ?? emptyLevel);

export const freeIn = (state, warehouse, variant) => {
  const { onHand, reserved } = levelOf(state, warehouse, variant);
  return onHand - reserved;
};

/** Open warehouses in the order in which they are used. */
export const warehousesInOrder = (state) => Object.values(state.warehouses)
  .filter(({ isOpen }) => isOpen)
  .sort((one, other) => one.priority - other.priority);

/** How many pieces can still be sold. */
export const availableOf = (state, variant) => warehousesInOrder(state)
  .reduce((sum, { id }) => sum + Math.max(0, freeIn(state, id, variant)), 0);

export const onHandOf = (state, variant) => Object.keys(state.warehouses)
  .reduce((sum, id) => sum + levelOf(state, id, variant).onHand, 0);

export function withLevel(state, warehouse, variant, change) {
  const key = levelKey(warehouse, variant);
  return { ...state, levels: put(state.levels, key, change(state.levels[key] ?? emptyLevel)) };
}

/** Pieces come into a warehouse or leave it. */
export function withMovement(state, { warehouse, variant, quantity, kind, ref = null }) {
  const next = withLevel(state, warehouse, variant, (level) => (
    { ...level, onHand: level.onHand + quantity }));
  const movement = { at: state.now, warehouse, variant, quantity, kind, ref };
  return { ...next, movements: logged(next.movements, movement) };
}

/** The first stock of a warehouse, or a correction of single shelves. */
function counted(state, { warehouse, counts }) {
  return Object.entries(counts).reduce((next, [variant, count]) => {
    const difference = count - levelOf(next, warehouse, variant).onHand;
    return difference === 0 ? next : withMovement(
      next, { warehouse, variant, quantity: difference, kind: 'count' });
  }, state);
}

function moved(state, { from, to, variant, quantity }) {
  if (quantity <= 0 || quantity > freeIn(state, from, variant)) {
    return refused(state, 'There are not so many free pieces to move.');
  }
  const left = withMovement(state, { warehouse: from, variant, quantity: -quantity, kind: 'move' });
  return withMovement(left, { warehouse: to, variant, quantity, kind: 'move' });
}

function scrapped(state, { warehouse, variant, quantity, reason }) {
  if (quantity > freeIn(state, warehouse, variant)) {
    return refused(state, 'There are not so many free pieces to scrap.');
  }
  return withMovement(
    state, { warehouse, variant, quantity: -quantity, kind: 'scrap', ref: reason });
}

const opened = (state, { id, title, region, priority }) => ({
  ...state,
  warehouses: put(state.warehouses, id, { id, title, region, priority, isOpen: true }),
});

export const stockActions = {
  'warehouse/opened': opened,
  'warehouse/closed': (state, { id }) => updateItem(state, 'warehouses', id, (warehouse) => (
    { ...warehouse, isOpen: false })),
  'stock/counted': counted,
  'stock/moved': moved,
  'stock/scrapped': scrapped,
};
