// Charts: which ranges they show, and how their axes are scaled.
import { cellKey, positions, rangeKey } from './addresses.mjs';
import {
  activeSheet, selectedRange, updateSheet, valueAt, withItem, withoutItem,
} from './current.mjs';
import { formatted } from './formats.mjs';
import { selectedAndUsed } from './selection.mjs';
import { cellAt } from './workbook.mjs';

const KINDS = ['column', 'line', 'pie'];

/** The columns of a selection as series; a first column of texts has the labels. */
function seriesIn(state, range) {
  const hasLabels = typeof valueAt(
    state, state.active, cellKey(range.bottom, range.left)) === 'string';
  const column = (at) => ({ ...range, left: at, right: at });
  const first = hasLabels ? range.left + 1 : range.left;
  const series = [];
  for (let at = first; at <= range.right; at++) series.push(column(at));
  return { labels: hasLabels ? column(range.left) : null, series };
}

function added(state, { kind }) {
  const { labels, series } = seriesIn(state, selectedAndUsed(state));
  if (!KINDS.includes(kind) || series.length === 0) return state;
  return withItem(state, 'charts', 'c', { kind, labels, series, title: '' });
}

const change = (state, id, changed) => updateSheet(state, (sheet) => ({
  ...sheet,
  charts: sheet.charts.map((chart) => (chart.id === id ? { ...chart, ...changed(chart) } : chart)),
}));

/** Steps of an axis are 1, 2 or 5 times a power of ten. */
function axisOf(least, greatest) {
  const [low, high] = [Math.min(0, least), Math.max(0, greatest)];
  if (low === high) return { low: 0, high: 1, step: 1 };
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= rough) * power;
  return { low: Math.floor(low / step) * step, high: Math.ceil(high / step) * step, step };
}

/** The drawing of a chart: points by label, the axis, and for a pie the shares. */
export function chartView(state, sheet, chart) {
  const valuesOf = (range) => [...positions(range)].map(({ row, column }) => (
    valueAt(state, sheet.id, cellKey(row, column))));
  const textsOf = (range) => [...positions(range)].map(({ row, column }) => formatted(
    valueAt(state, sheet.id, cellKey(row, column)), cellAt(sheet, row, column)?.format));
  const lines = chart.series.map((range) => valuesOf(range).map((value) => (
    typeof value === 'number' ? value : null)));
  const numbers = lines.flat().filter((value) => value !== null);
  const total = numbers.reduce((sum, number) => sum + Math.abs(number), 0);
  return {
    title: chart.title || chart.series.map(rangeKey).join(', '),
    labels: chart.labels ? textsOf(chart.labels) : lines[0].map((_, at) => String(at + 1)),
    lines,
    axis: axisOf(Math.min(...numbers, 0), Math.max(...numbers, 0)),
    shares: chart.kind === 'pie' && total > 0
      ? lines[0].map((value) => Math.abs(value ?? 0) / total) : [],
  };
}

export const chartActions = {
  'chart/added': added,
  'chart/titled': (state, { id, title }) => change(state, id, () => ({ title })),
  'chart/extended': (state, { id }) => change(state, id, ({ series }) => ({
    series: [...series, selectedRange(state)],
  })),
  'chart/changed': (state, { id, kind }) => (
    KINDS.includes(kind) ? change(state, id, () => ({ kind })) : state),
  'chart/removed': (state, { id }) => (activeSheet(state).charts.length
    ? withoutItem(state, 'charts', id) : state),
};
