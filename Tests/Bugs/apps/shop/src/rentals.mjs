// Rentals: tents and stoves by the day.
import { DAY, dayOf, formatDay, weekdayOf } from './calendar.mjs';
import { withEntry } from './ledger.mjs';
import { percentOf } from './money.mjs';
import { addItem, put, refused, updateItem } from './tables.mjs';

const MOST_DAYS = 28;
const LATE_FACTOR = 1.5;

/** Longer rentals cost less a day. */
const tiers = [{ from: 1, percent: 100 }, { from: 3, percent: 80 }, { from: 7, percent: 60 }];

const offered = (state, { id, title, rate, deposit, units }) => ({
  ...state, rentalItems: put(state.rentalItems, id, { id, title, rate, deposit, units }),
});

/** Bookings of an item that need pieces on a day. A late item is still away today. */
function isTaken(state, booking, day) {
  if (booking.status === 'out' && day <= dayOf(state.now)) return day >= booking.from;
  return ['booked', 'out'].includes(booking.status)
    && day >= booking.from && day < booking.from + booking.days;
}

function freeUnits(state, item, day, except = null) {
  const taken = Object.values(state.bookings)
    .filter((booking) => booking.item === item && booking.id !== except
      && isTaken(state, booking, day))
    .reduce((sum, { units }) => sum + units, 0);
  return state.rentalItems[item].units - taken;
}

/** The least number of free pieces on any day of a time. */
function freeFor(state, item, from, days, except) {
  const counts = Array.from({ length: days }, (_, at) => freeUnits(state, item, from + at, except));
  return Math.min(...counts);
}

/** Sundays are free when a rental goes over a weekend: the shop is closed for returns then. */
function paidDays(from, days) {
  let count = 0;
  for (let day = from; day < from + days; day++) if (weekdayOf(day * DAY) !== 6) count++;
  return Math.max(1, count);
}

function rentalFee({ rate }, from, days, units) {
  const paid = paidDays(from, days);
  const tier = tiers.findLast((each) => paid >= each.from);
  return percentOf(rate * paid * units, tier.percent);
}

function booked(state, { item: id, customer, from, days, units }) {
  const item = state.rentalItems[id];
  const isTime = from >= dayOf(state.now) && days >= 1 && days <= MOST_DAYS;
  if (!item || !isTime || units < 1) return refused(state, 'This cannot be booked.');
  if (freeFor(state, id, from, days, null) < units) {
    return refused(state, `${item.title} is not free from ${formatDay(from * DAY)} on.`);
  }
  return addItem(state, 'bookings', 'h', {
    item: id, customer, from, days, units, status: 'booked',
    fee: rentalFee(item, from, days, units), deposit: item.deposit * units, late: 0, kept: 0,
  }).state;
}

const update = (state, id, change) => updateItem(state, 'bookings', id, change);

/** The customer takes the things, and pays the fee and the deposit. */
function handedOut(state, { id }) {
  const booking = state.bookings[id];
  if (booking?.status !== 'booked' || dayOf(state.now) < booking.from) {
    return refused(state, 'This booking does not begin today.');
  }
  const out = update(state, id, (each) => ({ ...each, status: 'out' }));
  return withEntry(
    withEntry(out, 'rented', booking.fee, id), 'depositTaken', booking.deposit, id);
}

/** Days behind the end cost more; damage is kept from the deposit. */
function broughtBack(state, { id, damage = 0 }) {
  const booking = state.bookings[id];
  if (booking?.status !== 'out') return refused(state, 'This booking is not out.');
  const item = state.rentalItems[booking.item];
  const days = Math.max(0, dayOf(state.now) - (booking.from + booking.days));
  const late = Math.round(item.rate * booking.units * days * LATE_FACTOR);
  const kept = Math.min(booking.deposit, damage + late);
  const back = update(state, id, (each) => ({ ...each, status: 'back', late, kept }));
  return withEntry(
    withEntry(back, 'depositBack', booking.deposit - kept, id), 'depositKept', kept, id);
}

/** A longer rental costs the difference. */
function prolonged(state, { id, days }) {
  const booking = state.bookings[id];
  if (booking?.status !== 'out' || days <= booking.days) {
    return refused(state, 'This booking cannot be longer.');
  }
  if (freeFor(state, booking.item, booking.from, days, id) < booking.units) {
    return refused(state, 'Others have booked it then.');
  }
  const fee = rentalFee(state.rentalItems[booking.item], booking.from, days, booking.units);
  const longer = update(state, id, (each) => ({ ...each, days, fee }));
  return withEntry(longer, 'rented', fee - booking.fee, id);
}

function cancelled(state, { id }) {
  const booking = state.bookings[id];
  if (booking?.status !== 'booked') return refused(state, 'This booking has begun.');
  return update(state, id, (each) => ({ ...each, status: 'cancelled' }));
}

/** The free pieces of an item on the next days, as the calendar shows them. */
export const rentalCalendar = (state, item, days) => Array.from({ length: days }, (_, at) => {
  const day = dayOf(state.now) + at;
  return { day: formatDay(day * DAY), free: freeUnits(state, item, day) };
});

export const rentalActions = {
  'rental/offered': offered,
  'rental/booked': booked,
  'rental/handedOut': handedOut,
  'rental/broughtBack': broughtBack,
  'rental/prolonged': prolonged,
  'rental/cancelled': cancelled,
};
