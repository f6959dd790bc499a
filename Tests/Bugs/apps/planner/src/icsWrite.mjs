// Events as a calendar file.
import { addMinutes, DAY, HOUR } from './civil.mjs';
import { escaped, formatLine } from './icsLines.mjs';
import { occurrenceOf } from './occurrences.mjs';
import { formatRule } from './ruleText.mjs';

const STATUS = {
  needsAction: 'NEEDS-ACTION', accepted: 'ACCEPTED', tentative: 'TENTATIVE', declined: 'DECLINED',
};

export const compact = (wall) => `${wall.replaceAll('-', '').replace(':', '')}00`;

export function writeCalendar(events, name) {
  const lines = [
    'BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Planner//EN',
    formatLine('X-WR-CALNAME', escaped(name)),
    ...events.flatMap(writeEvent), 'END:VCALENDAR', '',
  ];
  return lines.join('\r\n');
}

function moment(name, wall, { isAllDay, zone }) {
  if (isAllDay) return formatLine(name, compact(wall).slice(0, 8), { VALUE: 'DATE' });
  return formatLine(name, compact(wall), { TZID: zone });
}

function writeEvent(event) {
  const main = [
    ...common(event, event.start, event.minutes),
    ...(event.rule ? [formatLine('RRULE', formatRule(event.rule))] : []),
    ...event.skipped.map((wall) => moment('EXDATE', wall, event)),
    ...event.attendees.map(person),
    ...event.alarms.flatMap(alarm),
    'END:VEVENT',
  ];
  const days = Object.keys(event.changes).sort().flatMap((original) => {
    const day = occurrenceOf(event, original);
    return [
      ...common({ ...event, ...day, id: event.id }, day.wall, day.minutes),
      moment('RECURRENCE-ID', original, event), 'END:VEVENT',
    ];
  });
  return [...main, ...days];
}

function common(event, wall, minutes) {
  const { uid, title, place, notes, sequence, organizer, isBusy, category } = event;
  return [
    'BEGIN:VEVENT', formatLine('UID', uid), formatLine('SEQUENCE', String(sequence)),
    moment('DTSTART', wall, event), moment('DTEND', addMinutes(wall, minutes), event),
    formatLine('SUMMARY', escaped(title)),
    ...(place ? [formatLine('LOCATION', escaped(place))] : []),
    ...(notes ? [formatLine('DESCRIPTION', escaped(notes))] : []),
    ...(category ? [formatLine('CATEGORIES', escaped(category))] : []),
    formatLine('ORGANIZER', `mailto:${organizer}`),
    formatLine('TRANSP', isBusy ? 'OPAQUE' : 'TRANSPARENT'),
  ];
}

function person({ name, address, isOptional, answer }) {
  return formatLine('ATTENDEE', `mailto:${address}`, {
    CN: name, ROLE: isOptional ? 'OPT-PARTICIPANT' : '', PARTSTAT: STATUS[answer],
  });
}

function alarm(before) {
  const duration = before % DAY === 0 && before > 0 ? `P${before / DAY}D`
    : before % HOUR === 0 && before > 0 ? `PT${before / HOUR}H` : `PT${before}M`;
  return ['BEGIN:VALARM', 'ACTION:DISPLAY', `TRIGGER:-${duration}`, 'END:VALARM'];
}
