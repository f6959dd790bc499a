// Busy times as files, for people whose calendars are on other servers.
import { DAY, wallMinutes, wallOf } from './civil.mjs';
import { ownBusy, united } from './busy.mjs';
import { formatLine, parseLine, unfolded } from './icsLines.mjs';
import { compact } from './icsWrite.mjs';
import { withFault } from './notices.mjs';

const instantText = (instant) => `${compact(wallOf(instant))}Z`;

/** The user's busy times of some days, without what takes place then. */
export function busyFile(state, from, days) {
  const to = from + days * DAY;
  const lines = ownBusy(state, from, to).map((one) => formatLine('FREEBUSY',
    `${instantText(Math.max(one.from, from))}/${instantText(Math.min(one.to, to))}`,
    { FBTYPE: 'BUSY' }));
  return [
    'BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VFREEBUSY',
    formatLine('ATTENDEE', `mailto:${state.account.address}`),
    formatLine('DTSTART', instantText(from)), formatLine('DTEND', instantText(to)),
    ...lines, 'END:VFREEBUSY', 'END:VCALENDAR', '',
  ].join('\r\n');
}

function readInstant(text) {
  const found = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})\d{2}Z$/.exec(text ?? '');
  return found && wallMinutes(`${found[1]}-${found[2]}-${found[3]}T${found[4]}:${found[5]}`);
}

/** A period with its end, `…Z/…Z`, or with its length, `…Z/PT1H30M`. */
function readPeriod(text) {
  const [first, second] = text.split('/'), from = readInstant(first);
  if (from === null) return null;
  const length = /^PT(?:(\d+)H)?(?:(\d+)M)?$/.exec(second ?? '');
  const to = length ? from + Number(length[1] ?? 0) * 60 + Number(length[2] ?? 0)
    : readInstant(second);
  return to !== null && to > from ? { from, to } : null;
}

/** `{ address, from, to, intervals }`, or null if this is not such a file. */
function readBusyFile(text) {
  const lines = unfolded(text).map(parseLine).filter(Boolean);
  const valueOf = (name) => lines.find((line) => line.name === name)?.value;
  const address = valueOf('ATTENDEE')?.replace(/^mailto:/i, '');
  const from = readInstant(valueOf('DTSTART')), to = readInstant(valueOf('DTEND'));
  if (!address || from === null || to === null) return null;
  const intervals = lines
    .filter(({ name, params }) => name === 'FREEBUSY' && params.FBTYPE !== 'FREE')
    .flatMap(({ value }) => value.split(',')).map(readPeriod).filter(Boolean);
  return { address, from, to, intervals: united(intervals) };
}

function received(state, { text }) {
  const file = readBusyFile(text);
  if (!file) return withFault(state, 'This file has no busy times.');
  const { address, ...known } = file;
  return { ...state, busy: { ...state.busy, [address]: { ...known, at: state.now } } };
}

export const busyFileHandlers = { 'busy/fileReceived': received };
