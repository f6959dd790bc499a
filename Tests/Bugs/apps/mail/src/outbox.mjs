// Requests for the server, in order. While a request waits, later changes of the same message are
// joined to it.
import { DAY, MINUTE } from './dates.mjs';
import { shared, union, without } from './lists.mjs';

const BATCH = 8;
const SHORTEST_PAUSE = MINUTE / 4, LONGEST_PAUSE = 30 * MINUTE;

export const emptyOutbox = { queue: [], nextId: 1, failures: 0, retryAt: null, lost: [] };

export function queued(outbox, request) {
  const { queue, nextId } = outbox;
  return {
    ...outbox, nextId: nextId + 1,
    queue: [...queue, { ...request, id: nextId, attempts: 0, isSent: false }],
  };
}

export function relabelQueued(outbox, effect) {
  const { queue } = outbox;
  const index = queue.findLastIndex((request) => request.kind === 'relabel'
    && request.messageId === effect.messageId && !request.isSent);
  if (index < 0) return queued(outbox, { kind: 'relabel', ...effect });
  const request = joined(queue[index], effect);
  const isEmpty = request.add.length + request.remove.length === 0;
  return {
    ...outbox,
    queue: isEmpty ? queue.toSpliced(index, 1) : queue.toSpliced(index, 1, request),
  };
}

/** One request of two for the same message. */
function joined(request, { add, remove }) {
  const undone = request.attempts > 0 ? []
    : [...shared(request.add, remove), ...shared(request.remove, add)];
  return {
    ...request,
    add: without(union(without(request.add, remove), add), undone),
    remove: without(union(without(request.remove, add), remove), undone),
  };
}

/** The requests of the next call: some at once, but a message to send goes alone. */
export function nextBatch({ queue, retryAt }, now) {
  if (queue.length === 0 || (retryAt !== null && now < retryAt)) return [];
  if (queue.some((request) => request.isSent)) return [];
  if (queue[0].kind === 'send') return queue.slice(0, 1);
  const end = queue.findIndex((request) => request.kind === 'send');
  return queue.slice(0, Math.min(BATCH, end < 0 ? queue.length : end));
}

export function handedOver(outbox, ids) {
  return {
    ...outbox,
    queue: outbox.queue.map((request) => (ids.includes(request.id)
      ? { ...request, isSent: true, attempts: request.attempts + 1 } : request)),
  };
}

/** Keeps requests without a response, and waits longer after each failure. */
export function failed(outbox, now) {
  const failures = outbox.failures + 1;
  return {
    ...outbox, failures,
    retryAt: now + pauseAfter(failures),
    queue: outbox.queue.map((request) => ({ ...request, isSent: false })),
  };
}

const pauseAfter = (failures) =>
  Math.min(LONGEST_PAUSE, SHORTEST_PAUSE * 2 ** (failures - 1));

export function acknowledged(outbox, results, now) {
  const answered = results.map(({ requestId }) => requestId);
  const refused = results.filter(({ status }) => status === 'refused');
  const lost = refused.map(({ requestId, reason }) => ({
    request: outbox.queue.find(({ id }) => id === requestId), reason, at: now,
  })).filter(({ request }) => request);
  return {
    ...outbox, failures: 0, retryAt: null,
    queue: outbox.queue.filter(({ id }) => !answered.includes(id)),
    lost: [...outbox.lost.filter(({ at }) => now - at < 7 * DAY), ...lost],
  };
}

/** The labels of the server, with the waiting requests applied. */
export function withWaiting({ queue }, messageId, labels) {
  return queue.filter((request) => request.kind === 'relabel' && request.messageId === messageId)
    .reduce((result, { add, remove }) => union(without(result, remove), add), labels);
}

export const waitsFor = ({ queue }, messageId) =>
  queue.some((request) => request.messageId === messageId);

export function withoutRequests({ queue, ...rest }, isGone) {
  return { ...rest, queue: queue.filter((request) => request.isSent || !isGone(request)) };
}
