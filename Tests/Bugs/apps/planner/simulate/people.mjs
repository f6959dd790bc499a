// The people of the simulation: their answers, proposals and busy times.
import { addDays, addMinutes, DAY, HOUR, wallAt } from '../src/civil.mjs';
import { attendee } from '../src/people.mjs';
import { plainRule } from '../src/recurrence.mjs';
import { startOfDate } from '../src/zones.mjs';
import { mailed } from './server.mjs';

export const OWN = { name: 'Ines Falk', address: 'ines@studio.example' };

export const PEOPLE = [
  { name: 'Mats Berg', address: 'mats@studio.example', zone: 'Europe/Berlin' },
  { name: 'Olu Adeyemi', address: 'olu@studio.example', zone: 'Europe/London' },
  { name: 'Priya Nair', address: 'priya@studio.example', zone: 'Asia/Kolkata' },
  { name: 'Dana Cole', address: 'dana@bridge.example', zone: 'America/New_York' },
  { name: 'Jo Park', address: 'jo@bridge.example', zone: 'America/Los_Angeles' },
];

/** `world` has `random`, `chance(share)`, `pick(items)`, `id(kind)`, `server` and `now`. */
export function answersLetter(world, letter) {
  if (letter.kind !== 'request') return;
  for (const to of letter.to) {
    if (world.chance(0.2)) continue;
    const at = world.now + Math.round(world.random() * 30 * HOUR);
    const answer = world.pick(['accepted', 'accepted', 'accepted', 'tentative', 'declined']);
    mailed(world.server, at, {
      kind: 'reply', uid: letter.uid, from: to, answer, sequence: letter.sequence, at,
    });
    if (answer === 'declined' && world.chance(0.7)) proposes(world, letter, to, at + 5);
  }
}

function proposes(world, letter, from, at) {
  const event = world.state.events[letter.eventId];
  if (!event || event.isAllDay) return;
  mailed(world.server, at, {
    kind: 'proposal', id: world.id('letter'), uid: letter.uid, from,
    start: addMinutes(event.start, world.pick([-HOUR, HOUR, DAY])), original: event.start,
  });
}

const TITLES = ['Design review', 'Budget round', 'Client call', 'Retrospective', 'Press meeting'];

/** Sends an invitation from a colleague, who may move it or cancel it later. */
export function invites(world, today) {
  const host = world.pick(PEOPLE), uid = world.id('theirs');
  const start = wallAt(addDays(today, world.pick([1, 2, 3, 5])), world.pick(['10:00', '14:30']));
  const event = {
    uid, title: world.pick(TITLES), place: world.pick(['', 'Video', 'Bridge house']), notes: '',
    isAllDay: false, start, minutes: world.pick([30, 60, 90]), zone: host.zone,
    rule: world.chance(0.25) ? plainRule('weekly', { count: 6 }) : null,
    skipped: [], changes: {}, attendees: [attendee(OWN), attendee(world.pick(PEOPLE))],
    organizer: host.address, sequence: 0, isBusy: true, category: null, roomId: null,
  };
  const at = world.now + 10;
  mailed(world.server, at, { kind: 'request', event });
  if (world.chance(0.35)) {
    const moved = { ...event, sequence: 1, start: addMinutes(start, world.pick([30, HOUR, DAY])) };
    mailed(world.server, at + 5 * HOUR, { kind: 'request', event: moved });
    // The first letter arrives once more, after the second one.
    mailed(world.server, at + 6 * HOUR, { kind: 'request', event });
  }
  if (world.chance(0.2)) {
    const original = event.rule ? start : null;
    mailed(world.server, at + 9 * HOUR, { kind: 'cancel', uid, original, sequence: 1 });
  }
}

/** Random busy times of a colleague in the next days. */
export function busyTimes(world, zone, today) {
  const intervals = [];
  for (let day = 0; day < 10; day += 1) {
    const midnight = startOfDate(addDays(today, day), zone);
    for (let count = world.pick([1, 2, 3]); count > 0; count -= 1) {
      const from = midnight + (8 + Math.floor(world.random() * 9)) * HOUR;
      intervals.push({ from, to: from + world.pick([30, HOUR, 2 * HOUR]) });
    }
  }
  return intervals;
}

export function votes(world, { id, addresses, starts }) {
  for (const address of addresses) {
    const given = starts.map((start) => [start, world.pick(['yes', 'maybe', 'no'])]);
    world.send('poll/voted', { id, address, votes: Object.fromEntries(given) }, 'network');
  }
}
