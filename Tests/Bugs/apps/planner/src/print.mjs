// A month on paper: a table of signs, with a mark for each day on which something is.
import { addDays, partsOf, startOfMonth, startOfWeek, weekdayOf, weekNumber } from './civil.mjs';
import { holidaysOf } from './holidays.mjs';
import { countsByDay } from './dayIndex.mjs';
import { weekdayName } from './ruleText.mjs';

const WIDTH = 5;
const MONTHS = [
  'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September',
  'October', 'November', 'December',
];

function dayText(date, count, isHoliday) {
  const mark = isHoliday ? '*' : count > 0 ? '.' : ' ';
  return `${partsOf(date).day}${mark}`.padStart(WIDTH);
}

export function monthText(state, date) {
  const first = startOfMonth(date), { weekStart, country } = state.settings;
  const { year, month } = partsOf(first), counts = countsByDay(state.index);
  const holidays = holidaysOf(year, country)
    .filter((one) => one.date.startsWith(first.slice(0, 7)));
  const heads = Array.from({ length: 7 }, (_, day) =>
    weekdayName((weekStart + day) % 7).slice(0, 2).padStart(WIDTH - 1).padEnd(WIDTH));
  const lines = [`${MONTHS[month - 1]} ${year}`, `   ${heads.join('')}`];
  for (let week = startOfWeek(first, weekStart); week.slice(0, 7) <= first.slice(0, 7);
    week = addDays(week, 7)) {
    const days = Array.from({ length: 7 }, (_, day) => addDays(week, day)).map((day) =>
      (day.slice(0, 7) === first.slice(0, 7)
        ? dayText(day, counts[day] ?? 0, holidays.some((one) => one.date === day))
        : ' '.repeat(WIDTH)));
    lines.push(`${String(weekNumber(addDays(week, 3))).padStart(2)} ${days.join('')}`.trimEnd());
  }
  const notes = holidays.map(({ name, date: day }) =>
    `* ${partsOf(day).day} ${weekdayName(weekdayOf(day))}: ${name}`);
  return [...lines, ...notes].join('\n');
}
