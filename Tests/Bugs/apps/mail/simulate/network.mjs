// The network of the simulation, with its failures.
import { MINUTE } from '../src/dates.mjs';
import { nextBatch } from '../src/outbox.mjs';
import { asked, changesSince } from './server.mjs';

export function synced(world) {
  const { cursor } = world.state.sync;
  world.lastSync = world.now;
  world.send('sync/started', {}, 'network');
  world.pass(600);
  world.send('sync/received', changesSince(world.server, cursor), 'network');
}

/** Sends requests. If `isLossy`, the server does its part and the response is lost. */
export function flushed(world, isLossy = false) {
  for (let round = 0; round < 4; round += 1) {
    const batch = nextBatch(world.state.outbox, world.now);
    if (batch.length === 0) return;
    world.send('outbox/handedOver', { ids: batch.map(({ id }) => id) }, 'network');
    const results = asked(world.server, batch, world.state.messages);
    world.pass(400);
    if (isLossy) {
      world.send('outbox/failed', { reason: 'timeout' }, 'network');
      return;
    }
    world.send('outbox/answered', { results }, 'network');
  }
}

export function background(world) {
  if (world.now - world.lastTick > 22 * MINUTE) {
    world.lastTick = world.now;
    world.send('clock/ticked', {}, 'clock');
  }
  if (world.now - world.lastSync > 40 * MINUTE) {
    if (world.chance(0.06)) world.send('sync/failed', { reason: 'no network' }, 'network');
    else synced(world);
  }
  if (world.chance(0.6)) flushed(world);
}
