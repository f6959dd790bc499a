// Snoozed conversations: out of the inbox until a given moment.
import { formatWhen, parseMoment, startOfDay, DAY, HOUR, partsOf } from './dates.mjs';
import { inserted, union } from './lists.mjs';

const byMoment = (one, other) => one.until - other.until;

export function snoozedUntil(snoozes, { threadId, messageIds, until }) {
  const others = snoozes.filter((snooze) => snooze.threadId !== threadId);
  return inserted(others, { threadId, messageIds, until }, byMoment);
}

export function awake(snoozes, threadId) {
  return snoozes.filter((snooze) => snooze.threadId !== threadId);
}

export const dueSnoozes = (snoozes, now) => snoozes.filter(({ until }) => until <= now);

/** Moves a snooze to another thread. If both have one, the earlier moment counts. */
export function movedSnoozes(snoozes, goneId, keptId) {
  const gone = snoozes.find(({ threadId }) => threadId === goneId);
  if (!gone) return snoozes;
  const kept = snoozes.find(({ threadId }) => threadId === keptId);
  const messageIds = union(kept?.messageIds ?? [], gone.messageIds);
  const until = Math.min(gone.until, kept?.until ?? gone.until);
  return snoozedUntil(awake(snoozes, goneId), { threadId: keptId, messageIds, until });
}

/** The choices of the menu, without past ones. */
export function snoozeChoices(now, offset) {
  const today = startOfDay(now, offset), { weekday } = partsOf(now, offset);
  const choices = [
    { name: 'Later today', until: today + 18 * HOUR },
    { name: 'Tomorrow', until: today + DAY + 8 * HOUR },
    { name: 'This weekend', until: today + ((6 - weekday + 7) % 7) * DAY + 9 * HOUR },
    { name: 'Next week', until: today + ((8 - weekday) % 7 || 7) * DAY + 8 * HOUR },
  ];
  return choices.filter(({ until }) => until > now + HOUR)
    .map((choice) => ({ ...choice, hint: formatWhen(choice.until, now, offset) }));
}

export function parseSnooze(text, now, offset) {
  const until = parseMoment(text, now, offset);
  if (until === null) return { fault: `“${text}” is no moment to come.` };
  return { until };
}
