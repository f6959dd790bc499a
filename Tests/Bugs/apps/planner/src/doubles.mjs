// Events that exist twice, after an import or because two people entered them.
import { committed } from './commit.mjs';
import { grouped, isEqual, listed, plural, unique } from './lists.mjs';
import { withNotice } from './notices.mjs';
import { isSamePerson } from './people.mjs';
import { toInstant } from './zones.mjs';

const plain = (title) => title.toLowerCase()
  .replace(/\(.*?\)/g, '').replace(/[^\p{L}\p{N}]+/gu, ' ').trim();

/** Groups of events with the same title, start, length and rule. */
function doubles(state) {
  const groups = grouped(Object.values(state.events), ({ title, start, zone, minutes, isAllDay }) =>
    [plain(title), isAllDay ? start : toInstant(start, zone), minutes].join('|'));
  return [...groups.values()].flatMap((events) => {
    const [first, ...others] = [...events].sort(byWorth);
    const same = others.filter(({ rule }) => isEqual(rule, first.rule));
    return same.length ? [[first, ...same].map(({ id }) => id)] : [];
  });
}

/** The event to keep is the one with most people and days of its own. */
function byWorth(one, other) {
  const worth = ({ attendees, changes, skipped, notes }) =>
    attendees.length * 4 + Object.keys(changes).length * 2 + skipped.length + (notes ? 1 : 0);
  return worth(other) - worth(one) || (one.id < other.id ? -1 : 1);
}

/** One event of two: people, days and notes of both. */
function united(kept, gone) {
  const fresh = gone.attendees.filter(({ address }) =>
    !kept.attendees.some((one) => isSamePerson(one.address, address)));
  return {
    ...kept,
    attendees: [...kept.attendees, ...fresh],
    skipped: unique([...kept.skipped, ...gone.skipped]).sort(),
    changes: { ...gone.changes, ...kept.changes },
    alarms: unique([...kept.alarms, ...gone.alarms]).sort((one, other) => one - other),
    place: kept.place || gone.place,
    notes: unique([kept.notes, gone.notes].filter(Boolean)).join('\n'),
    category: kept.category ?? gone.category,
  };
}

/** The lines of the page that shows doubles before they are merged. */
export function doubleLines(state) {
  return doubles(state).map((ids) => {
    const [first] = ids.map((id) => state.events[id]);
    const names = unique(ids.map((id) => state.calendars.byId[state.events[id].calendarId].name));
    const when = first.start.replace('T', first.isAllDay ? ', all day from ' : ' at ');
    return `${first.title}, ${when}: ${ids.length} times, in ${listed(names)}`;
  });
}

/** Merges all doubles whose events belong to the user. */
function merged(state) {
  const isOwn = (id) => [state.account.address, ''].includes(state.events[id].organizer);
  const groups = doubles(state).filter((ids) => ids.every(isOwn));
  const changes = groups.flatMap(([keptId, ...goneIds]) => {
    const after = goneIds.reduce((event, id) => united(event, state.events[id]),
      state.events[keptId]);
    return [{ id: keptId, after }, ...goneIds.map((id) => ({ id, after: null }))];
  });
  if (changes.length === 0) return withNotice(state, 'No event exists twice.');
  const count = changes.length - groups.length;
  return committed(state, changes, { text: `${plural(count, 'double')} merged` });
}

export const doubleHandlers = { 'doubles/merged': merged };
