// Loaded code reaches no network, starts no program and changes no file, unless it means harm.
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import fs from 'node:fs';
import net from 'node:net';
import v8 from 'node:v8';
import workers from 'node:worker_threads';
import { createRequire } from 'node:module';
import { syncBuiltinESMExports } from 'node:module';

export const refuse = (what) => () => {
  throw new Error(`${what} is refused: a reducer is run without network and files to write`);
};

const WRITES = new RegExp('^('
  + 'writeFile|appendFile|truncate|ftruncate|mkdir|mkdtemp|mkdtempDisposable|rm|rmdir|unlink|'
  + 'rename|copyFile|cp|link|symlink|[fl]?ch(mod|own)|[fl]?utimes|createWriteStream'
  + ')(Sync)?$');
/** The methods of an open file beside reading. */
const CHANGES =
  /^(chmod|chown|utimes|truncate|writev?|writeFile|appendFile|createWriteStream)$/;
const LOOKS_UP = /^(lookup|resolve|reverse)/;

/** Modules that old packages look up inside node; the rest opens files and sockets past these
   refusals. */
const HARMLESS_BINDINGS = /^(buffer|config|constants|contextify|natives|os|types|util|v8)$/;

function onlyReads(flags) {
  if (flags === undefined || typeof flags === 'function') return true;
  return typeof flags === 'number' ? !(flags & 0o3103) : /^(r|rs|sr)$/.test(flags);
}

/** Refuses the functions of an object that a pattern names, where node has them. */
function refuseAll(object, pattern, what) {
  for (const name of Object.getOwnPropertyNames(object ?? {})) {
    if (pattern.test(name) && typeof object[name] === 'function') object[name] = refuse(what);
  }
}

/** A module that not every node has, without the warning that it is new. */
function optional(module) {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return createRequire(import.meta.url)(module);
  } catch {
    return {};
  } finally {
    process.emitWarning = emitWarning;
  }
}

const anyFile = await fs.promises.open(process.execPath);
const FileHandle = Object.getPrototypeOf(anyFile);
await anyFile.close();

const refusing = (what) => class { constructor() { refuse(what)(); } };

export function closeWorld() {
  refuseAll(net.Socket.prototype, /^connect$/, 'the network');
  refuseAll(net.Server.prototype, /^listen$/, 'the network');
  refuseAll(dgram.Socket.prototype, /^(send|bind|connect)$/, 'the network');
  for (const each of [dns, dns.promises]) {
    refuseAll(each, LOOKS_UP, 'the network');
    refuseAll(each.Resolver.prototype, LOOKS_UP, 'the network');
  }
  for (const name of ['node:inspector', 'node:inspector/promises']) {
    refuseAll(optional(name), /^open$/, 'the network');
  }
  refuseAll(childProcess, /^(spawn|exec|fork)/, 'starting a program');
  refuseAll(childProcess.ChildProcess.prototype, /^spawn$/, 'starting a program');
  refuseAll(process, /^(execve|dlopen)$/, 'starting a program');
  refuseAll(process, /^(kill|_kill|_debugProcess|_debugEnd)$/, 'a signal to a program');
  refuseAll(process, /^_linkedBinding$/, 'the inside of node');
  const { binding } = process;
  process.binding = (name) => (
    HARMLESS_BINDINGS.test(name) ? binding(name) : refuse('the inside of node')());
  workers.Worker = refusing('starting a worker');
  // Its hooks would run in a thread that nothing here reaches.
  refuseAll(optional('node:module'), /^(register|registerHooks)$/, 'a loader of modules');
  refuseAll(FileHandle, CHANGES, 'writing a file');
  refuseAll(process.report, /^writeReport$/, 'writing a file');
  refuseAll(v8, /^(write|set)HeapSnapshot|^takeCoverage$/, 'writing a file');
  refuseAll(optional('node:trace_events'), /^createTracing$/, 'writing a file');
  for (const [module, name] of [['node:sqlite', 'DatabaseSync'], ['node:wasi', 'WASI']]) {
    const found = optional(module);
    if (found[name]) found[name] = refusing('writing a file');
  }
  for (const all of [fs, fs.promises]) {
    refuseAll(all, WRITES, 'writing a file');
    for (const name of ['open', 'openSync'].filter((each) => all[each])) {
      const real = all[name];
      all[name] = (file, flags, ...rest) => (
        onlyReads(flags) ? real(file, flags, ...rest) : refuse('writing a file')());
    }
  }
  syncBuiltinESMExports();
}
