// Reservations: pieces that a cart or an order holds, by warehouse. The sum of the parts in a
// warehouse is what its level has as reserved.
import { freeIn, warehousesInOrder, withLevel } from './stock.mjs';
import { put, without } from './tables.mjs';

export const cartOwner = (id) => `cart:${id}`;
export const orderOwner = (id) => `order:${id}`;

const keyOf = (owner, variant) => `${owner}/${variant}`;

const reservationOf = (state, owner, variant) => (
  state.reservations[keyOf(owner, variant)]);

const sizeOf = (parts) => parts.reduce((sum, { quantity }) => sum + quantity, 0);

export const reservedFor = (state, owner, variant) => (
  sizeOf(reservationOf(state, owner, variant)?.parts ?? []));

const withReserved = (state, warehouse, variant, change) => withLevel(
  state, warehouse, variant, (level) => ({ ...level, reserved: level.reserved + change }));

/** Parts by warehouse: pieces of one warehouse are one part. */
function withPart(parts, warehouse, quantity) {
  const known = parts.find((part) => part.warehouse === warehouse);
  if (!known) return [...parts, { warehouse, quantity }];
  return parts.map((part) => (part === known
    ? { warehouse, quantity: part.quantity + quantity } : part))
    .filter((part) => part.quantity > 0);
}

function written(state, owner, variant, parts, expires) {
  const key = keyOf(owner, variant);
  const reservations = parts.length
    ? put(state.reservations, key, { owner, variant, parts, expires })
    : without(state.reservations, key);
  return { ...state, reservations };
}

/** Takes free pieces from the warehouses in their order, as many as there are. */
function grown(state, owner, variant, quantity) {
  const known = reservationOf(state, owner, variant);
  let [next, parts, left] = [state, known?.parts ?? [], quantity];
  for (const { id } of warehousesInOrder(state)) {
    const taken = Math.min(left, Math.max(0, freeIn(next, id, variant)));
    if (taken === 0) continue;
    next = withReserved(next, id, variant, taken);
    parts = withPart(parts, id, taken);
    left -= taken;
  }
  return written(next, owner, variant, parts, known?.expires ?? null);
}

/** Gives pieces back, those of the last warehouse first. */
function shrunk(state, owner, variant, quantity) {
  const known = reservationOf(state, owner, variant);
  let [next, parts, left] = [state, known.parts, quantity];
  for (const part of [...known.parts].reverse()) {
    const given = Math.min(left, part.quantity);
    if (given === 0) break;
    next = withReserved(next, part.warehouse, variant, -given);
    parts = withPart(parts, part.warehouse, -given);
    left -= given;
  }
  return written(next, owner, variant, parts, known.expires);
}

/** The state with so many pieces held for an owner, or as many as there are. */
export function withReservation(state, owner, variant, quantity) {
  const now = reservedFor(state, owner, variant);
  if (quantity > now) return grown(state, owner, variant, quantity - now);
  return quantity < now ? shrunk(state, owner, variant, now - quantity) : state;
}

export const reservationsOf = (state, owner) => Object.values(state.reservations)
  .filter((reservation) => reservation.owner === owner);

export const withoutReservations = (state, owner) => reservationsOf(state, owner)
  .reduce((next, { variant }) => withReservation(next, owner, variant, 0), state);

/** Everything that one owner holds goes to another, who may hold pieces already. */
export function transferred(state, from, to) {
  return reservationsOf(state, from).reduce((next, { variant, parts }) => {
    const known = reservationOf(next, to, variant);
    const together = parts.reduce((all, part) => (
      withPart(all, part.warehouse, part.quantity)), known?.parts ?? []);
    const given = written(next, from, variant, [], null);
    return written(given, to, variant, together, known?.expires ?? null);
  }, state);
}

/** Pieces leave a warehouse for good: they are no longer reserved. */
export function consumed(state, owner, variant, warehouse, quantity) {
  const known = reservationOf(state, owner, variant);
  const parts = withPart(known.parts, warehouse, -quantity);
  const next = withReserved(state, warehouse, variant, -quantity);
  return written(next, owner, variant, parts, known.expires);
}

export const withExpiry = (state, owner, expires) => reservationsOf(state, owner)
  .reduce((next, { variant, parts }) => written(next, owner, variant, parts, expires), state);

/** The owners whose reservations have run out. */
export const expiredOwners = (state) => [...new Set(Object.values(state.reservations)
  .filter(({ expires }) => expires !== null && expires <= state.now)
  .map(({ owner }) => owner))];
