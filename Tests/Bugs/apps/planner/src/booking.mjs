// Booking pages: hours in which others may book a meeting.
import { addDays, DAY, HOUR, isWall, minutesOfTime, wallAt, weekdayOf } from './civil.mjs';
import { gaps, ownBusy } from './busy.mjs';
import { committed } from './commit.mjs';
import { newEvent } from './events.mjs';
import { holidayOn } from './holidays.mjs';
import { change, omit } from './lists.mjs';
import { withFault, withNotice } from './notices.mjs';
import { attendee, isAddress } from './people.mjs';
import { dateIn, toInstant, toWall } from './zones.mjs';

const FARTHEST = 40;

/** `hours` are `{ weekday, from, to }`; each booking has a free `pause` before and after it. */
function written(state, { id, title, minutes, hours, ...rest }) {
  const { pause = 0, notice = 2 * HOUR, mostInDay = 4 } = rest;
  const fault = pageFault({ title, minutes, hours });
  if (fault) return withFault(state, fault);
  const bookings = state.pages[id]?.bookings ?? {};
  const page = { id, title, minutes, pause, notice, mostInDay, hours, bookings, isOpen: true };
  return { ...state, pages: { ...state.pages, [id]: page } };
}

function pageFault({ title, minutes, hours }) {
  if (!title.trim()) return 'A page needs a title.';
  if (!(minutes >= 10 && minutes <= 4 * HOUR)) return 'It can take from 10 minutes to 4 hours.';
  const wrong = hours.find(({ from, to }) => minutesOfTime(from) + minutes > minutesOfTime(to));
  return wrong ? `From ${wrong.from} to ${wrong.to} is too short.` : null;
}

function openHours({ hours }, date, zone) {
  return hours.filter(({ weekday }) => weekday === weekdayOf(date)).map(({ from, to }) => ({
    from: toInstant(wallAt(date, from), zone), to: toInstant(wallAt(date, to), zone),
  }));
}

const bookedOn = ({ bookings }, date, zone) => Object.values(bookings)
  .filter(({ start }) => dateIn(start, zone) === date).length;

/** The start times that can be booked on a day. */
function slotsOn(state, page, date) {
  const { zone, country } = state.settings, { minutes, pause, notice, mostInDay } = page;
  if (!page.isOpen || holidayOn(date, country)) return [];
  if (bookedOn(page, date, zone) >= mostInDay) return [];
  const earliest = state.now + notice;
  return openHours(page, date, zone).flatMap(({ from, to }) => {
    const busy = ownBusy(state, from - pause, to + pause)
      .map((one) => ({ from: one.from - pause, to: one.to + pause }));
    return gaps(busy, from, to).flatMap((gap) => steps(gap, minutes))
      .filter((start) => start >= earliest);
  });
}

function steps({ from, to }, minutes) {
  const starts = [];
  for (let at = Math.ceil(from / 15) * 15; at + minutes <= to; at += minutes) starts.push(at);
  return starts;
}

export function slotsFrom(state, page, date, days) {
  return Array.from({ length: days }, (_, day) => addDays(date, day))
    .map((day) => ({ date: day, starts: slotsOn(state, page, day) }))
    .filter(({ starts }) => starts.length > 0);
}

/** Books a time, unless it was taken meanwhile. */
function booked(state, { pageId, id, start, name, address, zone }) {
  const page = state.pages[pageId], { settings } = state;
  if (!page || !isAddress(address) || start > state.now + FARTHEST * DAY) return state;
  if (!slotsOn(state, page, dateIn(start, settings.zone)).includes(start)) {
    return withNotice(state, `${name} came too late for ${toWall(start, settings.zone)}.`);
  }
  const event = newEvent(state, {
    id, title: `${page.title}: ${name}`, start: toWall(start, settings.zone),
    minutes: page.minutes, attendees: [{ ...attendee({ name, address }), answer: 'accepted' }],
    category: 'booking', notes: `Booked from ${zone}`,
  });
  const next = committed(state, [{ id, after: event }]);
  const booking = { eventId: id, start, name, address };
  return withNotice({
    ...next, pages: change(next.pages, pageId,
      (old) => ({ ...old, bookings: { ...old.bookings, [id]: booking } })),
  }, `${name} booked ${event.start.replace('T', ' at ')}.`);
}

function cancelled(state, { pageId, id }) {
  const page = state.pages[pageId];
  if (!page?.bookings[id]) return state;
  const next = state.events[id] ? committed(state, [{ id, after: null }]) : state;
  return withNotice({
    ...next,
    pages: change(next.pages, pageId, (old) => ({ ...old, bookings: omit(old.bookings, id) })),
  }, `${page.bookings[id].name} cancelled.`);
}

/** A booking moves with its event, when the user moves that. */
function moved(state, { pageId, id, start }) {
  const page = state.pages[pageId], event = state.events[id];
  if (!page?.bookings[id] || !event || !isWall(start)) return state;
  const next = committed(state, [{ id, after: { ...event, start } }],
    { text: `Moved: ${event.title}` });
  const instant = toInstant(start, event.zone);
  return {
    ...next, pages: change(next.pages, pageId, (old) => ({
      ...old, bookings: change(old.bookings, id, (booking) => ({ ...booking, start: instant })),
    })),
  };
}

export const bookingHandlers = {
  'booking/pageWritten': written,
  'booking/pageClosed': (state, { id }) => (state.pages[id] ? {
    ...state, pages: change(state.pages, id, (page) => ({ ...page, isOpen: false })),
  } : state),
  'booking/taken': booked,
  'booking/cancelled': cancelled,
  'booking/moved': moved,
};
