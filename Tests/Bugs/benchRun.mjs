// Gives problems to a command, and scores what it leaves.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { isGreen } from './benchCheck.mjs';
import { here, placeOf, prepare, problem, temporary } from './benchProblems.mjs';

const LINES = 5, PARTS = ['file', 'line', 'step', 'test'];

/** The environment of the command: with the program, or without any trace of it. */
function environment({ without, retcon }) {
  const { RETCON: given, ...rest } = process.env;
  const program = path.resolve(retcon ?? given ?? `${here}/../../.build/release/retcon`);
  if (!without) return { ...rest, RETCON: program };
  const folders = rest.PATH.split(path.delimiter)
    .filter((folder) => !fs.existsSync(path.join(folder, 'retcon')));
  const others = Object.entries(rest).filter(([name]) => !name.startsWith('RETCON'));
  return { ...Object.fromEntries(others), PATH: folders.join(path.delimiter) };
}

/** Runs the command in the folder; all its processes end with it, or after the time. */
function solved(command, cwd, env, minutes) {
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', command], {
      cwd, env, detached: true, stdio: ['ignore', 'inherit', 'inherit'],
    });
    let isLate = false;
    const end = () => { try { process.kill(-child.pid, 'SIGKILL'); } catch { /* all ended */ } };
    const timer = setTimeout(() => { isLate = true; end(); }, minutes * 60_000);
    child.on('close', (status) => {
      clearTimeout(timer);
      end();
      resolve({ status, isLate });
    });
  });
}

function answerIn(folder) {
  try { return JSON.parse(fs.readFileSync(`${folder}/answer.json`, 'utf8')) ?? {}; } catch {
    return {};
  }
}

/** The right parts of an answer. The step before the first wrong one counts, too. */
function scored(name, key, folder) {
  const answer = answerIn(folder), away = Math.abs(answer.line - placeOf(key).planted);
  const file = String(answer.file ?? '').replace(/^\.?\//, '').replace(/^app\//, '');
  const isFile = file === key.file;
  return {
    answer, file: isFile, line: isFile && away <= LINES,
    step: answer.step === key.step || answer.step === key.step - 1,
    test: isGreen(name, `${folder}/app`),
  };
}

const mark = (isRight) => (isRight ? 'yes' : 'no');

function table(rows) {
  const sum = (part) => `${rows.filter((row) => row[part]).length} of ${rows.length}`;
  const lines = rows.map((row) => [
    row.name, ...PARTS.map((part) => mark(row[part])), row.isLate ? 'too late' : row.minutes]);
  const all = [['problem', ...PARTS, 'minutes'], ...lines, ['all', ...PARTS.map(sum), '']];
  const widths = all[0].map((_, column) =>
    Math.max(...all.map((cells) => String(cells[column]).length)));
  return all.map((cells) => cells.map((cell, column) => String(cell).padEnd(widths[column]))
    .join('  ').trimEnd()).join('\n');
}

export async function run(names, options) {
  const env = environment(options), minutes = Number(options.minutes), rows = [];
  if (env.RETCON && !fs.existsSync(env.RETCON)) {
    throw new Error(`${env.RETCON} does not exist: name the program with --retcon`);
  }
  for (const name of names) {
    const { key } = problem(name), place = temporary();
    const folder = options.keep ? path.resolve(options.keep, name) : `${place}/${name}`;
    try {
      prepare(name, folder, options);
      const start = performance.now();
      const { status, isLate } = await solved(options.solve, folder, env, minutes);
      const took = Math.round((performance.now() - start) / 600) / 100;
      rows.push({ name, status, isLate, minutes: took, ...scored(name, key, folder) });
    } finally {
      fs.rmSync(place, { recursive: true, force: true });
    }
  }
  console.log(table(rows));
  if (options.output) {
    const report = { with: !options.without, solve: options.solve, problems: rows };
    fs.writeFileSync(options.output, `${JSON.stringify(report, null, 2)}\n`);
  }
  return rows.every((row) => PARTS.every((part) => row[part]));
}
