// Loaded code reaches no network, starts no program and changes no file, unless it means harm.
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import fs from 'node:fs';
import net from 'node:net';
import workers from 'node:worker_threads';
import { syncBuiltinESMExports } from 'node:module';

export const refuse = (what) => () => {
  throw new Error(`${what} is refused: a reducer is run without network and files to write`);
};

const WRITES = new RegExp('^('
  + 'writeFile|appendFile|truncate|ftruncate|mkdir|mkdtemp|rm|rmdir|unlink|rename|copyFile|cp|link|'
  + 'symlink|l?ch(mod|own)|l?utimes|createWriteStream'
  + ')(Sync)?$');

function onlyReads(flags) {
  if (flags === undefined || typeof flags === 'function') return true;
  return typeof flags === 'number' ? !(flags & 0o3103) : /^(r|rs|sr)$/.test(flags);
}

export function closeWorld() {
  net.Socket.prototype.connect = refuse('the network');
  net.Server.prototype.listen = refuse('the network');
  for (const name of ['send', 'bind', 'connect']) {
    dgram.Socket.prototype[name] = refuse('the network');
  }
  for (const name of Object.keys(dns)) {
    if (/^(lookup|resolve|reverse)/.test(name)) dns[name] = refuse('the network');
  }
  for (const name of Object.keys(childProcess)) {
    if (/^(spawn|exec|fork)/.test(name)) childProcess[name] = refuse('starting a program');
  }
  workers.Worker = class { constructor() { refuse('starting a worker')(); } };
  for (const all of [fs, fs.promises]) {
    for (const name of Object.keys(all)) {
      if (WRITES.test(name)) all[name] = refuse('writing a file');
    }
    for (const name of ['open', 'openSync'].filter((each) => all[each])) {
      const real = all[name];
      all[name] = (file, flags, ...rest) => (
        onlyReads(flags) ? real(file, flags, ...rest) : refuse('writing a file')());
    }
  }
  syncBuiltinESMExports();
}
