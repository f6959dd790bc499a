// Ways to send parcels: zones, weights, prices and times.
import { addWorkdays, DAY, HOUR, dayOf } from './calendar.mjs';
import { put, refused } from './tables.mjs';

const zones = { DE: 'home', AT: 'near', CH: 'near', US: 'far' };

export const zoneOf = (address) => zones[address.country] ?? 'far';

const MOST_WEIGHT = 30_000;
const LAST_HOUR = 14 * HOUR;

/** The price of a parcel: the first step of the table whose weight is enough. */
function parcelPrice({ steps }, weight) {
  const step = steps.find(({ upTo }) => weight <= upTo) ?? steps[steps.length - 1];
  return step.price;
}

/** Splits a weight into parcels that are not too heavy. */
function parcelsOf(weight) {
  const parcels = [];
  for (let left = weight; left > 0; left -= MOST_WEIGHT) parcels.push(Math.min(left, MOST_WEIGHT));
  return parcels;
}

/** The price of a way to send; undefined where it does not go. */
function shippingPrice(method, zone, weight, value) {
  const rates = method.zones[zone];
  if (!rates) return undefined;
  if (rates.freeFrom !== null && value >= rates.freeFrom) return 0;
  return parcelsOf(weight).reduce((sum, each) => sum + parcelPrice(rates, each), 0);
}

/** The ways to send to an address, the cheapest first. */
export function offersFor(state, address, weight, value) {
  return Object.values(state.shippingMethods)
    .map(({ id, title, ...method }) => (
      { id, title, price: shippingPrice(method, zoneOf(address), weight, value) }))
    .filter(({ price }) => price !== undefined)
    .sort((one, other) => one.price - other.price || one.id.localeCompare(other.id));
}

/** When a parcel arrives: what is ordered after the last hour leaves one day later. */
export function arrivalOf(method, zone, minute) {
  const isLate = minute - dayOf(minute) * DAY >= LAST_HOUR;
  return addWorkdays(minute, method.zones[zone].days + (isLate ? 1 : 0));
}

function written(state, { method }) {
  const isSorted = Object.values(method.zones).every(({ steps }) => (
    steps.every(({ upTo }, at) => at === 0 || upTo > steps[at - 1].upTo)));
  if (!isSorted) return refused(state, 'The weights of a table rise.');
  return { ...state, shippingMethods: put(state.shippingMethods, method.id, method) };
}

export const shippingActions = {
  'shipping/written': written,
};
