// The queue of changed events for the server.

export const neverSynced = { cursor: 0, status: 'idle', queue: [], nextId: 1, bases: {} };

/** Queues an event. It replaces an earlier state that was not sent yet. */
export function putQueued(sync, event) {
  const waiting = sync.queue
    .findIndex((request) => request.eventId === event.id && !request.isSent);
  if (waiting >= 0) {
    const request = { ...sync.queue[waiting], kind: 'put', event };
    return { ...sync, queue: sync.queue.toSpliced(waiting, 1, request) };
  }
  return queued(sync, { kind: 'put', eventId: event.id, event });
}

export function deletionQueued(sync, eventId) {
  const rest = sync.queue.filter((request) => request.eventId !== eventId || request.isSent);
  const isKnown = Object.hasOwn(sync.bases, eventId)
    || sync.queue.some((request) => request.eventId === eventId && request.isSent);
  return isKnown ? queued({ ...sync, queue: rest }, { kind: 'delete', eventId })
    : { ...sync, queue: rest };
}

function queued(sync, request) {
  return {
    ...sync, nextId: sync.nextId + 1,
    queue: [...sync.queue, { ...request, id: sync.nextId, isSent: false }],
  };
}

/** The server compares `baseVersion` with its own, so that no device overwrites another. */
export function handedOver(sync, ids) {
  const sent = (request) =>
    ({ ...request, isSent: true, baseVersion: sync.bases[request.eventId]?.version ?? 0 });
  return {
    ...sync,
    queue: sync.queue.map((request) => (ids.includes(request.id) ? sent(request) : request)),
  };
}

export const returned = (sync) =>
  ({ ...sync, queue: sync.queue.map((request) => ({ ...request, isSent: false })) });

const BATCH = 6;

export const nextBatch = ({ queue }) =>
  (queue.some(({ isSent }) => isSent) ? [] : queue.slice(0, BATCH));
