// The server of the simulation: keeps events with their versions, and letters of others.
// It follows the protocol of the real server.

export function newServer() {
  return { events: new Map(), log: [], letters: [] };
}

function stored(server, event) {
  const version = (server.events.get(event.id)?.version ?? 0) + 1;
  server.events.set(event.id, { version, event });
  server.log.push({ kind: 'event', eventId: event.id });
  return version;
}

/** Carries out requests. A request that is based on an old version is a conflict. */
export function asked(server, requests) {
  return requests.map(({ id: requestId, kind, eventId, event, baseVersion }) => {
    const known = server.events.get(eventId);
    if (kind === 'delete') {
      server.events.delete(eventId);
      server.log.push({ kind: 'gone', eventId });
      return { requestId, status: 'done' };
    }
    if ((known?.version ?? 0) !== baseVersion) return { requestId, status: 'conflict' };
    return { requestId, status: 'done', version: stored(server, event) };
  });
}

export function changesSince(server, cursor) {
  const latest = new Map(server.log.slice(cursor).map((change) => [change.eventId, change]));
  const changes = [...latest.values()].map(({ kind, eventId }) => {
    const known = server.events.get(eventId);
    return kind === 'gone' || !known ? { kind: 'gone', eventId } : { kind, eventId, ...known };
  });
  return { cursor: server.log.length, changes };
}

/** Another device of the same user. */
export function changedElsewhere(server, eventId, update) {
  const known = server.events.get(eventId);
  if (known) stored(server, update(known.event));
}

export function deletedElsewhere(server, eventId) {
  if (server.events.delete(eventId)) server.log.push({ kind: 'gone', eventId });
}

/** A letter that arrives at an instant. */
export function mailed(server, at, letter) {
  server.letters.push({ at, letter });
  server.letters.sort((one, other) => one.at - other.at);
}

export function arrivedLetters(server, now) {
  const due = server.letters.filter(({ at }) => at <= now).map(({ letter }) => letter);
  server.letters = server.letters.filter(({ at }) => at > now);
  return due;
}
