// Gives planted bugs to a command that solves them, and scores its answers: README.md.
//   node bench.mjs prepare NAME DIR [--without]
//   node bench.mjs run --solve 'CMD' [--without] [--retcon PROGRAM] [--minutes N]
//     [--keep DIR] [--output FILE] [NAME…]
//   node bench.mjs check [--write] [NAME…]
//   node bench.mjs list
// `--without` gives a session as JSON Lines, and no program. `check --write` writes the measured
// step and place into a key. Exit status 1: a check failed, or a problem is unsolved.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { check } from './benchCheck.mjs';
import { names, prepare } from './benchProblems.mjs';
import { run } from './benchRun.mjs';

const options = {
  solve: { type: 'string' }, without: { type: 'boolean' }, retcon: { type: 'string' },
  minutes: { type: 'string', default: '30' }, keep: { type: 'string' },
  output: { type: 'string' }, write: { type: 'boolean' },
};

function stop(message) {
  console.error(message);
  process.exit(2);
}

function given() {
  try { return parseArgs({ options, allowPositionals: true }); } catch (error) {
    return stop(error.message);
  }
}

/** The problems asked for; all when none is named. */
function chosen(asked) {
  const unknown = asked.filter((name) => !names().includes(name));
  if (unknown.length) stop(`no problem is named ${unknown.join(', ')}: try bench.mjs list`);
  return asked.length ? asked : names();
}

async function main({ values, positionals: [command, ...rest] }) {
  if (command === 'prepare' && rest.length === 2) {
    const [name] = chosen(rest.slice(0, 1));
    prepare(name, path.resolve(rest[1]), values);
  } else if (command === 'run' && values.solve) {
    process.exitCode = await run(chosen(rest), values) ? 0 : 1;
  } else if (command === 'check') {
    process.exitCode = await check(chosen(rest), values) ? 0 : 1;
  } else if (command === 'list' && !rest.length) {
    for (const name of names()) console.log(name);
  } else {
    stop('prepare NAME DIR, run --solve CMD, check or list: the first lines of bench.mjs say more');
  }
}

try { await main(given()); } catch (error) { stop(error.message); }
