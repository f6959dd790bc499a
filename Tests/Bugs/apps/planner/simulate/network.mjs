// The network of the simulation, with its failures.
import { DAY } from '../src/civil.mjs';
import { nextBatch } from '../src/syncQueue.mjs';
import { answersLetter, busyTimes, invites, PEOPLE } from './people.mjs';
import { arrivedLetters, asked, changedElsewhere, changesSince, deletedElsewhere }
  from './server.mjs';

function synced(world) {
  const batch = nextBatch(world.state.sync);
  if (batch.length) {
    world.send('sync/handedOver', { ids: batch.map(({ id }) => id) }, 'network');
    if (world.chance(0.06)) world.send('sync/failed', { reason: 'no network' }, 'network');
    else {
      const sent = world.state.sync.queue.filter(({ isSent }) => isSent);
      world.send('sync/answered', { results: asked(world.server, sent) }, 'network');
    }
  }
  const news = changesSince(world.server, world.state.sync.cursor);
  if (news.changes.length) world.send('sync/pulled', news, 'network');
}

/** Letters go out, and those that have arrived come in. */
function posted(world) {
  const { outgoing } = world.state.mail;
  if (outgoing.length) {
    for (const letter of outgoing) answersLetter(world, letter);
    world.send('mail/delivered', { ids: outgoing.map(({ id }) => id) }, 'network');
  }
  for (const letter of arrivedLetters(world.server, world.now)) {
    world.send('invitation/received', letter, 'network');
  }
}

export function exchanged(world) {
  posted(world);
  synced(world);
}

/** Her other devices, and people who invite her. */
export function elsewhere(world) {
  const { server, chance, pick } = world;
  const meetings = [...server.events.values()].map(({ event }) => event)
    .filter(({ category }) => category === 'meeting');
  if (meetings.length && chance(0.25)) {
    const { id } = pick(meetings);
    changedElsewhere(server, id, pick([
      (event) => ({ ...event, notes: 'Bring the samples' }),
      (event) => ({ ...event, alarms: [5, ...event.alarms], place: 'Video' }),
    ]));
    if (chance(0.5)) world.send('event/edited', { id, fields: { alarms: [20], place: 'Fjord' } });
    if (chance(0.15)) deletedElsewhere(server, id);
  }
  if (chance(0.35)) invites(world, world.today);
}

/** Learns the working hours of her colleagues. */
export function hoursLearned(world) {
  for (const { address, zone } of PEOPLE) {
    world.send('hours/received', { address, zone, workFrom: '09:00', workTo: '18:00' }, 'network');
  }
}

export function calendarsAsked(world, people) {
  for (const { address, zone } of people) {
    const from = world.now, intervals = busyTimes(world, zone, world.today);
    world.send('busy/received', { address, from, to: from + 10 * DAY, intervals }, 'network');
  }
}
