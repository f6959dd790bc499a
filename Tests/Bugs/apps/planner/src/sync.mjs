// Merges events of the server with those of this device, field by field, against their last common
// state.
import { committed } from './commit.mjs';
import { isEqual, omit, unique } from './lists.mjs';
import { withNotice } from './notices.mjs';
import { isSamePerson } from './people.mjs';
import { handedOver, returned } from './syncQueue.mjs';

function pulled(state, { cursor, changes }) {
  const sync = { ...state.sync, cursor, status: 'idle' };
  return changes.reduce(withChange, { ...state, sync });
}

function withChange(state, { kind, eventId, event, version }) {
  const isWaiting = state.sync.queue.some((request) => request.eventId === eventId);
  if (kind === 'gone') {
    const sync = { ...state.sync, bases: omit(state.sync.bases, eventId) };
    return isWaiting ? { ...state, sync }
      : committed({ ...state, sync }, [{ id: eventId, after: null }], { isFromOutside: true });
  }
  const base = state.sync.bases[eventId], local = state.events[eventId];
  if (base && base.version >= version) return state;
  const after = isWaiting && local && base ? merged(base.event, local, event) : event;
  const isDeletedHere = isWaiting && !local;
  const sync = {
    ...state.sync, bases: { ...state.sync.bases, [eventId]: { version, event } },
    queue: state.sync.queue.map((request) => (request.eventId === eventId && request.kind === 'put'
      && !request.isSent ? { ...request, event: after } : request)),
  };
  return isDeletedHere ? { ...state, sync }
    : committed({ ...state, sync }, [{ id: eventId, after }], { isFromOutside: true });
}

/** A field changed on one side wins. If both changed it, lists are merged, else the server wins. */
export function merged(base, mine, theirs) {
  const result = { ...theirs };
  for (const key of Object.keys(theirs)) {
    if (isEqual(base[key], mine[key])) continue;
    result[key] = isEqual(base[key], theirs[key]) ? mine[key]
      : mergedField(key, base[key], mine[key], theirs[key]);
  }
  return result;
}

function mergedField(key, base, mine, theirs) {
  switch (key) {
    case 'skipped': return mergedSet(base, mine, theirs).sort();
    case 'alarms': return mergedSet(base, mine, theirs).sort((one, other) => one - other);
    case 'changes': return mergedRecord(base, mine, theirs);
    case 'attendees': return mergedPeople(base, mine, theirs);
    case 'sequence': return Math.max(mine, theirs);
    default: return theirs;
  }
}

function mergedSet(base, mine, theirs) {
  const gone = base.filter((item) => !mine.includes(item));
  const fresh = mine.filter((item) => !base.includes(item));
  return unique([...theirs.filter((item) => !gone.includes(item)), ...fresh]);
}

function mergedRecord(base, mine, theirs) {
  const result = { ...theirs };
  for (const key of unique([...Object.keys(base), ...Object.keys(mine)])) {
    if (isEqual(base[key], mine[key])) continue;
    if (key in mine) result[key] = { ...theirs[key], ...mine[key] };
    else delete result[key];
  }
  return result;
}

/** Of two answers the later one counts. */
function mergedPeople(base, mine, theirs) {
  const find = (list, { address }) => list.find((one) => isSamePerson(one.address, address));
  const kept = theirs.filter((one) => find(mine, one) || !find(base, one)).map((one) => {
    const own = find(mine, one);
    return own && (own.answeredAt ?? 0) > (one.answeredAt ?? 0) ? own : one;
  });
  const fresh = mine.filter((one) => !find(theirs, one) && !find(base, one));
  return [...kept, ...fresh];
}

function answered(state, { results }) {
  const { queue, bases } = state.sync;
  const next = { ...bases };
  const done = results.filter(({ status }) => status === 'done');
  for (const { requestId, version } of done) {
    const request = queue.find(({ id }) => id === requestId);
    if (request?.kind === 'put') next[request.eventId] = { version, event: request.event };
    else if (request) delete next[request.eventId];
  }
  // After a conflict, a request waits until the newer state of the server has arrived.
  const ids = done.map(({ requestId }) => requestId);
  const rest = queue.filter(({ id }) => !ids.includes(id));
  return { ...state, sync: returned({ ...state.sync, bases: next, queue: rest }) };
}

export const syncHandlers = {
  'sync/pulled': pulled,
  'sync/handedOver': (state, { ids }) => ({ ...state, sync: handedOver(state.sync, ids) }),
  'sync/answered': answered,
  'sync/failed': (state, { reason }) => withNotice(
    { ...state, sync: { ...returned(state.sync), status: 'failed' } }, `Not saved: ${reason}.`),
};
