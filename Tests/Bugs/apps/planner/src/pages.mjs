// The contents of the pages: day, week, month, and details of an event.
import { conflictsOf } from './busy.mjs';
import { isShown } from './calendars.mjs';
import { addDays, DAY, daysBetween, partsOf, timeOf, weekNumber, weekdayOf } from './civil.mjs';
import { countsByDay, entriesBetween } from './dayIndex.mjs';
import { holidayOn } from './holidays.mjs';
import { barsOf, columnsOf, hourOf, lanesOf } from './layout.mjs';
import { grouped } from './lists.mjs';
import { heldBefore, occurrenceOf } from './occurrences.mjs';
import { answerLine, answerOn, findAttendee, namesOf } from './people.mjs';
import { describeRule, weekdayName } from './ruleText.mjs';
import { parseWords } from './search.mjs';
import { span } from './view.mjs';
import { changesIn, cityOf, dateIn, distance, shortName, toWall } from './zones.mjs';

/** The occurrences to show between two days, after the user's filters. */
export function visibleBetween(state, from, to) {
  const { events, view, settings, account } = state, tests = parseWords(view.words);
  return entriesBetween(state.index, from, to)
    .filter(({ eventId }) => isShown(state, events[eventId]))
    .map(({ eventId, original }) => occurrenceOf(events[eventId], original))
    .filter((one) => view.category === null || one.category === view.category)
    .filter((one) => tests.every((test) => test(one)))
    .filter((one) => {
      const own = findAttendee(one, account.address);
      return !settings.hidesDeclined || !own || answerOn(own, one.original) !== 'declined';
    });
}

/** The columns of a day, or of a week. */
export function dayColumns(state) {
  const [from, to] = span(state), { zone, country } = state.settings;
  const all = visibleBetween(state, from, to);
  return Array.from({ length: daysBetween(from, to) }, (_, index) => {
    const date = addDays(from, index);
    const own = all.filter((one) => touches(one, date, zone));
    return {
      date, title: `${weekdayName(weekdayOf(date))} ${partsOf(date).day}`,
      holiday: holidayOn(date, country), clock: clockChange(date, zone),
      whole: own.filter(({ isAllDay }) => isAllDay).map((one) => ({ title: one.title })),
      boxes: columnsOf(own.filter(({ isAllDay }) => !isAllDay))
        .map((one) => boxOf(state, one, date)),
    };
  });
}

function touches({ isAllDay, wall, minutes, start, end }, date, zone) {
  if (isAllDay) {
    const first = wall.slice(0, 10);
    return date >= first && date < addDays(first, Math.max(1, minutes / DAY));
  }
  return dateIn(start, zone) <= date && dateIn(Math.max(start, end - 1), zone) >= date;
}

const clockChange = (date, zone) =>
  changesIn(Number(date.slice(0, 4)), zone).find((one) => one.date === date)?.text ?? null;

function boxOf(state, one, date) {
  const { zone } = state.settings, wall = toWall(one.start, zone);
  return {
    eventId: one.eventId, original: one.original, title: one.title,
    top: wall.slice(0, 10) < date ? 0 : hourOf(one.start + offsetOf(wall, one.start)),
    height: one.minutes, column: one.column, columns: one.columns, width: one.width,
    time: `${timeOf(wall)}–${timeOf(toWall(one.end, zone))}`,
    isInConflict: conflictsOf(state, one).length > 0,
  };
}

const offsetOf = (wall, instant) =>
  Number(wall.slice(11, 13)) * 60 + Number(wall.slice(14)) - hourOf(instant);

export function monthGrid(state) {
  const [from, to] = span(state), { zone } = state.settings;
  const starts = Array.from({ length: daysBetween(from, to) / 7 }, (_, week) =>
    addDays(from, week * 7));
  const bars = visibleBetween(state, from, to).flatMap((one) => {
    const first = one.isAllDay ? one.wall.slice(0, 10) : dateIn(one.start, zone);
    const days = one.isAllDay ? one.minutes / DAY
      : daysBetween(first, dateIn(Math.max(one.start, one.end - 1), zone)) + 1;
    return barsOf({ from: first, to: addDays(first, days), title: one.title }, starts);
  });
  const byWeek = grouped(bars, ({ week }) => week), counts = countsByDay(state.index);
  return starts.map((start) => ({
    week: weekNumber(start), lanes: lanesOf(byWeek.get(start) ?? []),
    days: Array.from({ length: 7 }, (_, day) => {
      const date = addDays(start, day);
      const isOther = date.slice(0, 7) !== state.view.date.slice(0, 7);
      return { date, count: counts[date] ?? 0, isOther };
    }),
  }));
}

/** `3 of 10` for a series with an end, else nothing. */
function lessonLine(event, original) {
  if (!event.rule || event.rule.count === null) return '';
  const held = heldBefore(event, original).length + 1;
  return `${held} of ${event.rule.count - event.skipped.length}`;
}

/** All about the chosen event. */
export function details(state) {
  const { chosen } = state.view, event = chosen && state.events[chosen.eventId];
  if (!event) return null;
  const day = occurrenceOf(event, chosen.original), { zone, secondZone } = state.settings;
  const lines = [
    `${day.wall.replace('T', ' ')} ${shortName(day.start, event.zone)}`,
    event.rule ? describeRule(event.rule, event.start) : '', lessonLine(event, chosen.original),
    day.place, namesOf(event), answerLine(event, chosen.original),
  ];
  if (event.zone !== zone) {
    lines.push(`${cityOf(event.zone)} ${distance(day.start, zone, event.zone)}`);
  }
  if (secondZone) lines.push(`${timeOf(toWall(day.start, secondZone))} ${cityOf(secondZone)}`);
  const others = conflictsOf(state, day).map(({ title }) => title);
  if (others.length) lines.push(`at the same time: ${others.join(', ')}`);
  return { title: day.title, lines: lines.filter(Boolean) };
}
