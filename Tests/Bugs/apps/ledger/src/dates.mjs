// Days are "2026-03-31", months are "2026-03".
const DAY = 86_400_000;

const two = (number) => String(number).padStart(2, '0');

function partsOf(day) {
  const [year, month, date] = day.split('-').map(Number);
  return { year, month, date };
}

export function isDay(text) {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const { year, month, date } = partsOf(text);
  return month >= 1 && month <= 12 && date >= 1 && date <= daysIn(year, month);
}

export function daysIn(year, month) {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

export function addDays(day, count) {
  const { year, month, date } = partsOf(day);
  return new Date(Date.UTC(year, month - 1, date + count)).toISOString().slice(0, 10);
}

export function daysBetween(from, to) {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY);
}

export const monthOf = (day) => day.slice(0, 7);

export function addMonths(month, count) {
  const [year, number] = month.split('-').map(Number);
  const all = year * 12 + number - 1 + count;
  return `${Math.floor(all / 12)}-${two((all % 12) + 1)}`;
}

export function monthsBetween(from, to) {
  const months = [];
  for (let month = from; month <= to; month = addMonths(month, 1)) months.push(month);
  return months;
}

export const firstDay = (month) => `${month}-01`;

export function lastDay(month) {
  const [year, number] = month.split('-').map(Number);
  return `${month}-${two(daysIn(year, number))}`;
}

/** The same date some months later: the last one of the month if that has no such date. */
export function dayInMonth(month, date) {
  const [year, number] = month.split('-').map(Number);
  return `${month}-${two(Math.min(date, daysIn(year, number)))}`;
}

export function quarterOf(day) {
  const { year, month } = partsOf(day);
  return `${year}-Q${Math.ceil(month / 3)}`;
}

export function quarterRange(quarter) {
  const [year, number] = quarter.split('-Q').map(Number);
  const from = `${year}-${two(number * 3 - 2)}`;
  return { from: firstDay(from), to: lastDay(addMonths(from, 2)) };
}

/** Reads a typed day: "31.3.", "31.3.2026", "2026-03-31", "yesterday", "15". */
export function parsedDay(text, today) {
  const words = text.trim().toLowerCase();
  if (isDay(words)) return words;
  if (words === 'today' || words === '') return today;
  if (words === 'yesterday') return addDays(today, -1);
  const dotted = /^(\d{1,2})\.(\d{1,2})\.?(\d{2,4})?$/.exec(words);
  if (dotted) return dayFrom(dotted[1], dotted[2], dotted[3], today);
  if (!/^\d{1,2}$/.test(words)) return undefined;
  const day = `${monthOf(today)}-${two(words)}`;
  if (!isDay(day)) return undefined;
  return day <= today ? day : dayInMonth(addMonths(monthOf(today), -1), Number(words));
}

function dayFrom(date, month, year, today) {
  const long = year?.length === 2 ? `20${year}` : year;
  const day = `${long ?? today.slice(0, 4)}-${two(month)}-${two(date)}`;
  if (!isDay(day)) return undefined;
  // Without a year it is the last such day.
  return long || day <= today ? day : `${Number(today.slice(0, 4)) - 1}${day.slice(4)}`;
}

const NAMES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export function monthName(month) {
  const [year, number] = month.split('-').map(Number);
  return `${NAMES[number - 1]} ${year}`;
}
