// Problems, their keys, and the folder that a solver gets.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const here = path.dirname(fileURLToPath(import.meta.url));

export const names = () => fs.readdirSync(`${here}/problems`)
  .filter((file) => file.endsWith('.md')).map((file) => file.slice(0, -3)).sort();

export const appFolder = (app) => `${here}/apps/${app}`;
export const hiddenTest = (name) => `${here}/keys/${name}/hidden.test.mjs`;
const keyFile = (name) => `${here}/keys/${name}/key.json`;

export function problem(name) {
  const text = fs.readFileSync(`${here}/problems/${name}.md`, 'utf8');
  const [first, ...rest] = text.split('\n');
  const app = /^app: ([a-z]+)$/.exec(first)?.[1];
  const key = JSON.parse(fs.readFileSync(keyFile(name), 'utf8'));
  if (!app || app !== key.app) {
    throw new Error(`${name}: the first line of the report needs "app: ${key.app}"`);
  }
  return { name, app, key, report: `${rest.join('\n').trim()}\n` };
}

export function writeKey(name, key) {
  const { plant, ...rest } = key;
  const line = (value) => JSON.stringify(value);
  const plants = plant.map((each) => `    ${line(each)}`).join(',\n');
  const fields = Object.entries(rest).map(([field, value]) => `  ${line(field)}: ${line(value)}`);
  const text = [...fields, `  "plant": [\n${plants}\n  ]`].join(',\n');
  fs.writeFileSync(keyFile(name), `{\n${text}\n}\n`);
}

/** Replaces what is correct by the bug, in a copy of the app. */
export function plantBug(folder, { plant }) {
  for (const { file, old, new: bug } of plant) {
    const text = fs.readFileSync(`${folder}/${file}`, 'utf8'), parts = text.split(old);
    if (parts.length !== 2) {
      throw new Error(`${file}: the text to replace is there ${parts.length - 1} times: ${old}`);
    }
    fs.writeFileSync(`${folder}/${file}`, parts.join(bug));
  }
}

const lineCount = (text) => text.split('\n').length - 1;

/** The lines of the correct source that the bug replaces, and where the key's line is after it. */
export function placeOf({ app, file, line, plant }) {
  const text = fs.readFileSync(`${appFolder(app)}/${file}`, 'utf8');
  const own = plant.filter((each) => each.file === file).map((each) => {
    const first = lineCount(text.slice(0, text.indexOf(each.old))) + 1;
    return { first, last: first + lineCount(each.old.trimEnd()), ...each };
  });
  const shift = own.filter(({ last }) => last < line)
    .reduce((sum, { old, new: bug }) => sum + lineCount(bug) - lineCount(old), 0);
  return { isInside: own.some(({ first, last }) => first <= line && line <= last),
    planted: line + shift };
}

export const temporary = () => fs.mkdtempSync(path.join(os.tmpdir(), 'bugs-'));

export const copyApp = (app, folder) => fs.cpSync(appFolder(app), folder, { recursive: true });

const task = (session) => `# Find a bug

- \`app\` is the source of an app. Its reducer is in \`app/src/store.mjs\`.
- \`report.md\` is what a user of the app saw.
- \`${session}\` is the user's session: each action, and the state after it.

Find the mistake in the source and correct it in \`app\`. Then write \`answer.json\` beside this
file: \`{"file": "src/…", "line": 12, "step": 34}\`. \`file\` and \`line\` say where the mistake is,
as the source was given to you. \`step\` is the first step of the session after which the state is
wrong. The first action is step 1.
${session.endsWith('.jsonl') ? `
Each line of the session is \`{"step": 1, "action": {…}, "state": {…}}\`. The first one is the state
before step 1.
` : `
\`"$RETCON" --help\` lists what the debugger Retcon can do with the session. Name the reducer with
\`--reducer app/src/store.mjs#reducer\`.
`}`;

/** The folder that a solver gets. It has neither the key nor what the session was made with. */
export function prepare(name, folder, { without = false } = {}) {
  const { app, key, report } = problem(name);
  if (fs.existsSync(folder) && fs.readdirSync(folder).length) {
    throw new Error(`${folder} has files already`);
  }
  const session = without ? 'session.jsonl' : 'session.retcon';
  copyApp(app, `${folder}/app`);
  plantBug(`${folder}/app`, key);
  execFileSync(process.execPath, [
    `${here}/benchRecord.mjs`, `${folder}/app`, app, String(key.seed), `${folder}/${session}`,
  ], { stdio: 'inherit' });
  for (const own of ['simulate.mjs', 'simulate']) {
    fs.rmSync(`${folder}/app/${own}`, { recursive: true, force: true });
  }
  fs.writeFileSync(`${folder}/report.md`, report);
  fs.writeFileSync(`${folder}/task.md`, task(session));
}
