// Eight small apps with one bug each, to measure commands that look for bugs: ../README.md.
//   node own.mjs list
//   node own.mjs prepare NAME DIR     the app with the bug, the session, the report, the key
//   node own.mjs check [--write] [NAME…]
// `check --write` writes the measured step and line into a key. Exit status 1: a check failed.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { check } from './ownCheck.mjs';
import { fileOf, keyOf, mendOf, names, reportOf, withCopies } from './ownKeys.mjs';
import { recorded } from './ownPlay.mjs';

function stop(message) {
  console.error(message);
  process.exit(2);
}

function chosen(asked) {
  const unknown = asked.filter((name) => !names().includes(name));
  if (unknown.length) stop(`no problem is named ${unknown.join(', ')}: try own.mjs list`);
  return asked.length ? asked : names();
}

async function prepare(name, folder) {
  if (fs.existsSync(folder) && fs.readdirSync(folder).length) stop(`${folder} has files already`);
  await withCopies(name, async (copies) => {
    const session = await recorded(copies.planted, name, keyOf(name).seed);
    fs.cpSync(`${copies.planted}/src`, `${folder}/app/src`, { recursive: true });
    fs.writeFileSync(`${folder}/session.retcon`, session);
    fs.writeFileSync(`${folder}/problem.md`, reportOf(name));
    fs.writeFileSync(`${folder}/mend.patch`, mendOf(copies));
    for (const file of ['key.json', 'rules.mjs', 'hidden.test.mjs']) {
      fs.copyFileSync(fileOf(name, file), `${folder}/${file}`);
    }
  });
}

const { values, positionals: [command, ...rest] } = parseArgs({
  options: { write: { type: 'boolean' } }, allowPositionals: true,
});
if (command === 'list') for (const name of names()) console.log(name);
else if (command === 'check') process.exitCode = await check(chosen(rest), values) ? 0 : 1;
else if (command === 'prepare' && rest.length === 2) {
  const [name] = chosen(rest.slice(0, 1));
  await prepare(name, path.resolve(rest[1]));
} else stop('list, prepare NAME DIR or check: the first lines of own.mjs say more');
