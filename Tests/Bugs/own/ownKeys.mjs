// The problems, their keys, and the bug in a copy of an app.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { plantBug } from '../benchProblems.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));

export const names = () => fs.readdirSync(`${here}/keys`).sort();

export const fileOf = (name, file) => `${here}/keys/${name}/${file}`;

export const reportOf = (name) => fs.readFileSync(`${here}/problems/${name}.md`, 'utf8');

export const keyOf = (name) => JSON.parse(fs.readFileSync(fileOf(name, 'key.json'), 'utf8'));

export function writeKey(name, key) {
  fs.writeFileSync(fileOf(name, 'key.json'), `${JSON.stringify(key, null, 2)}\n`);
}

/** Calls `work` with two copies of the app: as it is (`correct`), and with the bug (`planted`). */
export async function withCopies(name, work) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'own-'));
  try {
    for (const copy of ['correct', 'planted']) {
      fs.cpSync(`${here}/apps/${name}`, `${folder}/${copy}`, { recursive: true });
    }
    plantBug(`${folder}/planted`, keyOf(name));
    return await work({ folder, correct: `${folder}/correct`, planted: `${folder}/planted` });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** The patch that takes the bug out. */
export function mendOf({ folder }) {
  const { stdout } = spawnSync('git', ['diff', '--no-index', '--no-color', '--no-prefix',
    'planted/src', 'correct/src'], { cwd: folder, encoding: 'utf8' });
  return stdout.replaceAll('planted/src', 'a/src').replaceAll('correct/src', 'b/src');
}

/** Whether the hidden test passes on the app in this folder. */
export function isGreen(name, folder) {
  const { status } = spawnSync(process.execPath, ['--test', fileOf(name, 'hidden.test.mjs')], {
    env: { ...process.env, APP: pathToFileURL(folder).href, NODE_TEST_CONTEXT: undefined },
    timeout: 60_000,
  });
  return status === 0;
}

/** The line of the bug in the planted source: the first one that the mend changes. */
export function plantedLine(folder, { plant: [{ file, old, new: bug }] }) {
  const text = fs.readFileSync(`${folder}/${file}`, 'utf8'), mended = old.split('\n');
  const same = bug.split('\n').findIndex((line, at) => line !== mended[at]);
  return text.slice(0, text.indexOf(bug)).split('\n').length + same;
}
