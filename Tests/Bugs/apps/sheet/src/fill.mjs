// Dragging the corner of a selection: goes on with a series, or copies formulas and texts.
import {
  cellKey, contains, heightOf, intersection, positions, widthOf,
} from './addresses.mjs';
import { addMonths, dateOf, monthNames, weekdayNames } from './calendar.mjs';
import { activeSheet, notified, selectRange, selectedRange, updateCells } from './current.mjs';
import { isDateFormat } from './formats.mjs';
import { isFormula } from './parser.mjs';
import { copiedInput } from './references.mjs';
import { cellAt, withInput } from './workbook.mjs';

const CYCLES = [
  monthNames,
  monthNames.map((name) => name.slice(0, 3)),
  weekdayNames,
  weekdayNames.map((name) => name.slice(0, 3)),
];

const modulo = (number, size) => ((number % size) + size) % size;

/** The step between numbers at equal distances; undefined if the distances differ. */
function commonStep(numbers) {
  if (numbers.length < 2) return undefined;
  const step = numbers[1] - numbers[0];
  const isEven = numbers.every((number, at) => (
    at === 0 || Math.abs(number - numbers[at - 1] - step) < 1e-9));
  return isEven ? step : undefined;
}

const clean = (number) => Number(number.toPrecision(12));

/** A series of numbers goes on by its step, one number alone is copied. */
function numberSeries(numbers) {
  const step = commonStep(numbers);
  if (step !== undefined) return (at) => clean(numbers[0] + step * at);
  if (numbers.length === 1) return () => numbers[0];
  return undefined;
}

const monthsOf = (serial) => {
  const { year, month } = dateOf(serial);
  return year * 12 + month;
};

/** Dates go on by days; by months if all of them are the same day of their months. */
function dateSeries(serials) {
  if (serials.length === 1) return (at) => serials[0] + at;
  const days = serials.map((serial) => dateOf(serial).day);
  const step = commonStep(serials.map(monthsOf));
  if (step && days.every((day) => day === days[0])) {
    return (at) => addMonths(serials[0], step * at);
  }
  return numberSeries(serials);
}

/** `Week 1`, `Week 2` …: texts with a number at their end. */
function countedSeries(texts) {
  const parts = texts.map((text) => /^(.*?)(\d+)$/.exec(text));
  if (parts.some((part) => !part || part[1] !== parts[0][1])) return undefined;
  const numbers = parts.map(([, , digits]) => Number(digits));
  const step = numbers.length === 1 ? 1 : commonStep(numbers);
  if (step === undefined) return undefined;
  const width = parts[0][2].startsWith('0') ? parts[0][2].length : 0;
  return (at) => parts[0][1] + String(Math.abs(numbers[0] + step * at)).padStart(width, '0');
}

/** Names of months and weekdays go round. */
function namedSeries(texts) {
  for (const names of CYCLES) {
    const places = texts.map((text) => names.findIndex((name) => (
      name.toLowerCase() === text.toLowerCase())));
    if (places.includes(-1)) continue;
    const step = places.length === 1 ? 1 : modulo(places[1] - places[0], names.length);
    const goesOn = places.every((place, at) => (
      at === 0 || modulo(place - places[at - 1], names.length) === step));
    if (goesOn) return (at) => names[modulo(places[0] + step * at, names.length)];
  }
  return undefined;
}

/** The series that some inputs begin: a function of the place; undefined if they are repeated. */
function seriesOf(cells) {
  const inputs = cells.map((cell) => cell?.input);
  if (inputs.some((input) => isFormula(input))) return undefined;
  if (inputs.every((input) => typeof input === 'number')) {
    return cells.every(({ format }) => isDateFormat(format))
      ? dateSeries(inputs) : numberSeries(inputs);
  }
  if (inputs.every((input) => typeof input === 'string')) {
    return namedSeries(inputs) ?? countedSeries(inputs);
  }
  return undefined;
}

/** The cells of one line of the selection, and how a place on the line is found. */
function lineOf(sheet, source, isVertical, at) {
  const length = isVertical ? heightOf(source) : widthOf(source);
  const placeAt = (step) => (isVertical
    ? { row: source.top + step, column: at } : { row: at, column: source.left + step });
  const cells = Array.from({ length }, (_, step) => {
    const { row, column } = placeAt(step);
    return cellAt(sheet, row, column);
  });
  return { cells, placeAt };
}

function filledLine({ cells, placeAt }, steps, isUnchanged) {
  const series = isUnchanged ? undefined : seriesOf(cells);
  return steps.map((step) => {
    const from = modulo(step, cells.length);
    const place = placeAt(step);
    const source = placeAt(from);
    const cell = cells[from];
    const input = series ? series(step)
      : copiedInput(cell?.input, place.row - source.row, place.column - source.column);
    return [cellKey(place.row, place.column), cell && withInput(cell, input)];
  });
}

/** The steps from the begin of the source to the places outside of it, before and behind. */
function stepsOutside(source, target, isVertical) {
  const [low, high] = isVertical ? ['top', 'bottom'] : ['left', 'right'];
  const steps = [];
  for (let at = target[low]; at <= target[high]; at++) {
    if (at < source[low] || at > source[high]) steps.push(at - source[low]);
  }
  return steps;
}

function directionOf(source, target) {
  const isWider = target.left !== source.left || target.right !== source.right;
  const isHigher = target.top !== source.top || target.bottom !== source.bottom;
  return isWider && isHigher ? undefined : isHigher;
}

function filled(state, { range: target, mode = 'series' }) {
  const source = selectedRange(state);
  const isVertical = directionOf(source, target);
  if (isVertical === undefined || !contains(target, source.top, source.left)) {
    return notified(state, 'Fill goes in one direction.');
  }
  const sheet = activeSheet(state);
  const steps = stepsOutside(source, target, isVertical);
  const [first, last] = isVertical ? [source.left, source.right] : [source.top, source.bottom];
  const changes = [];
  for (let at = first; at <= last; at++) {
    changes.push(...filledLine(lineOf(sheet, source, isVertical, at), steps, mode === 'copy'));
  }
  return selectRange(updateCells(state, changes), target);
}

/** A double click on the corner fills down as far as the column to the left has values. */
function filledDown(state) {
  const source = selectedRange(state);
  const values = state.values[state.active] ?? {};
  if (source.left === 0) return state;
  let { bottom } = source;
  while (values[cellKey(bottom + 1, source.left - 1)] !== undefined) bottom++;
  return bottom === source.bottom ? state : filled(state, { range: { ...source, bottom } });
}

/** Dragging inwards empties the cells that are left out. */
function shrunk(state, { range: target }) {
  const source = selectedRange(state);
  const kept = intersection(source, target);
  if (!kept) return state;
  const sheet = activeSheet(state);
  const changes = [...positions(source)]
    .filter(({ row, column }) => !contains(kept, row, column))
    .map(({ row, column }) => {
      const cell = cellAt(sheet, row, column);
      return [cellKey(row, column), cell && withInput(cell, null)];
    });
  return selectRange(updateCells(state, changes), kept);
}

export const fillActions = {
  'cells/filled': filled,
  'cells/filledDown': filledDown,
  'cells/shrunk': shrunk,
};
