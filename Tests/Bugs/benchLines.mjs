// Counts the lines of an app's source, and those that its users reach.
import fs from 'node:fs';
import inspector from 'node:inspector';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { play } from './benchRecord.mjs';

/** The text with spaces for comments: for sources that have no "//" in a text of their own. */
const withoutComments = (text) => text
  .replace(/\/\*[^]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
  .replace(/(^|\s)\/\/[^\n]*/g, (comment) => comment.replace(/[^\n]/g, ' '));

/** For each character, whether it ran. Inner ranges come after those around them. */
function ranIn(text, functions) {
  const ran = new Uint8Array(text.length).fill(1);
  const ranges = functions.flatMap((each) => each.ranges)
    .sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  for (const { startOffset, endOffset, count } of ranges) {
    ran.fill(count ? 1 : 0, startOffset, endOffset);
  }
  return ran;
}

function counted(text, functions) {
  const ran = functions ? ranIn(text, functions) : new Uint8Array(text.length);
  let at = 0, lines = 0, run = 0;
  const missed = [];
  for (const [index, line] of withoutComments(text).split('\n').entries()) {
    const signs = [...line].map((sign, column) => [sign, at + column])
      .filter(([sign]) => sign.trim());
    at += line.length + 1;
    if (!signs.length) continue;
    lines++;
    // A line of only brackets ran with what it closes.
    if (signs.some(([, place]) => ran[place])) run++; else missed.push(index + 1);
  }
  return { lines, run, missed };
}

const sources = (folder) => fs.readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.mjs'))
  .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name)).sort();

/** The lines of code in `src`, the part of them that runs, and the files that are too long. */
export async function linesOf(app, seed) {
  const session = new inspector.Session();
  session.connect();
  const post = promisify(session.post.bind(session));
  await post('Profiler.enable');
  await post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  await play(app, seed, () => {});
  const { result } = await post('Profiler.takePreciseCoverage');
  session.disconnect();
  const functions = new Map(result.map((each) => [each.url, each.functions]));
  const files = sources(`${app}/src`).map((file) => {
    const text = fs.readFileSync(file, 'utf8');
    return { file, text, ...counted(text, functions.get(pathToFileURL(file).href)) };
  });
  const sum = (field) => files.reduce((total, each) => total + each[field], 0);
  if (process.env.MISSED) {
    for (const { file, lines, run, missed } of files) {
      console.log(`${path.basename(file)}: ${run} of ${lines}; not ${missed.join(' ')}`);
    }
  }
  const lines = sum('lines');
  const long = files.filter(({ text }) => text.split('\n').length > 401);
  return { lines, run: sum('run') / lines, long: long.map(({ file }) => path.basename(file)) };
}
