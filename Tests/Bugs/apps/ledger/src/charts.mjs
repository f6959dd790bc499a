// Numbers as drawings: bars, lines and shares of a round.
import { allocated, formatted } from './money.mjs';

const BLOCKS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** A line of blocks, for a column that is too narrow for a drawing. */
export function sparkline(values) {
  const least = Math.min(0, ...values);
  const most = Math.max(1, ...values);
  return values.map((value) => {
    const part = (value - least) / (most - least);
    return BLOCKS[Math.min(BLOCKS.length - 1, Math.floor(part * BLOCKS.length))];
  }).join('');
}

/** The marks of an axis: round numbers, at most as many as asked for. */
export function marks(least, most, count) {
  const span = Math.max(1, most - least);
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough);
  const found = [];
  for (let mark = Math.ceil(least / step) * step; mark <= most; mark += step) found.push(mark);
  return found;
}

/** Points of a line in a box, with its marks. */
export function lineChart(points, { width, height }) {
  const values = points.map(({ value }) => value);
  const least = Math.min(0, ...values);
  const most = Math.max(...values, least + 1);
  const x = (index) => Math.round((index * width) / Math.max(1, points.length - 1));
  const y = (value) => Math.round(height - ((value - least) / (most - least)) * height);
  return {
    path: points.map(({ value }, index) => `${index ? 'L' : 'M'}${x(index)} ${y(value)}`).join(' '),
    marks: marks(least, most, 5).map((mark) => ({ y: y(mark), text: formatted(mark) })),
  };
}

/** Shares in percent that are a hundred together; small ones are one share. */
export function shares(lines, least = 4) {
  const whole = lines.reduce((sum, { amount }) => sum + amount, 0);
  if (whole <= 0) return [];
  const large = lines.filter(({ amount }) => (amount * 100) / whole >= least);
  const rest = whole - large.reduce((sum, { amount }) => sum + amount, 0);
  const all = rest > 0 ? [...large, { name: 'others', amount: rest }] : large;
  const parts = allocated(100, all.map(({ amount }) => amount));
  return all.map(({ name }, index) => ({ name, percent: parts[index] }));
}
