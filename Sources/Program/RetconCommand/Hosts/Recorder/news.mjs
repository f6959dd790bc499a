// The channels and storages of a page, in versions that tell what comes through them.
import {
  eventsClass, isLast, isText, lineOf, linedUp, requestClass, socketClass, storageOver,
} from './channels.mjs';
import { LARGEST, nameOf, questionOf } from './outside.mjs';
import { leaving } from './tasks.mjs';

export function patchChannels(world) {
  const { XMLHttpRequest, WebSocket, EventSource } = globalThis;
  if (XMLHttpRequest) {
    globalThis.XMLHttpRequest = requestClass(
      (request) => carrierOf(new XMLHttpRequest(), request, world));
  }
  if (WebSocket) {
    globalThis.WebSocket = socketClass((socket) => socketLine(WebSocket, socket, world));
  }
  if (EventSource) {
    globalThis.EventSource = eventsClass((source) => eventsLine(EventSource, source, world));
  }
  for (const name of ['localStorage', 'sessionStorage']) patchStorage(name, world);
}

function carrierOf(real, request, { apart, effect, cancel, arrives, leave }) {
  let started, asks, how;
  const end = () => {
    if (how === 'abort') return undefined;
    const { status, statusText, responseURL: address } = real, isWhole = isText(request);
    const body = isWhole && how === 'load' ? real.responseText : '';
    const answer = { status, statusText, body, address };
    if (!isWhole) answer.response = real.response;
    const done = () => request.finish(how, how === 'load' ? answer : {});
    if (!started || body.length > LARGEST) {
      if (started) cancel(started);
      leave();
      return done();
    }
    const kind = real.getResponseHeader('content-type') ?? '';
    const told = how === 'load' ? { status, body, kind }
      : { error: 'TypeError: failed' };
    const type = `${nameOf(asks)} ${how === 'load' ? status : 'failed'}`;
    return arrives(started, { type, retcon: { answer: started.key, asks, ...told } },
      { arguments: asks, value: told }, done);
  };
  real.addEventListener('error', () => { how = 'error'; });
  real.addEventListener('loadend', end);
  real.addEventListener('readystatechange', () => {
    if (real.readyState > 1 && how !== 'abort') leave(); // an abort is reported at once
    if (real.readyState === 2 || real.readyState === 3) request.advance(real.readyState);
  });
  real.addEventListener('progress', leaving(leave, ({ lengthComputable, loaded, total }) => (
    request.tell('progress', { lengthComputable, loaded, total }))));
  return {
    upload: real.upload,
    send(body) {
      const { method, address, isAsync, login, given, mime, withCredentials } = request;
      asks = isAsync && isText(request) ? questionOf(address, { method, body }) : undefined;
      started = asks && effect(nameOf(asks));
      how = 'load';
      real.open(method, address, isAsync, ...login);
      for (const header of given) real.setRequestHeader(...header);
      if (mime) real.overrideMimeType(mime);
      // A text is parsed where it is reported, so that it can be kept.
      const responseType = isText(request) ? '' : request.responseType;
      if (isAsync) real.responseType = responseType;
      real.withCredentials = withCredentials;
      apart(() => real.send(body)); // a stand-in for it may set timers
    },
    abort() {
      how = 'abort';
      if (started) cancel(started);
      real.abort();
    },
    header: (name) => real.getResponseHeader(name),
    headers: () => real.getAllResponseHeaders(),
  };
}

/** Tells the app what came through a channel, and the session if it is a text. */
function hear({ arrives, leave }, line, channel, value, isKept = true) {
  const started = line.handle();
  if (!isKept) line.stop();
  if (!started || !isKept) {
    leave();
    return channel.hear(value);
  }
  const action = { type: `${line.name} ${value.event}`, retcon: { hear: started.key, ...value } };
  return arrives(started, action, { read: line.kind, arguments: line.asks, value },
    () => channel.hear(value), !isLast(value));
}

const recorded = ({ effect, cancel }) => ({ begin: (name) => effect(name), end: cancel });

function socketLine(Real, socket, world) {
  const { address, protocols } = socket, real = new Real(address, protocols);
  const line = lineOf(recorded(world), 'socket', [address, ...protocols]);
  const on = (type, read) => real.addEventListener(type, (event) => {
    real.binaryType = socket.binaryType;
    const value = { event: type, ...read(event) };
    hear(world, line, socket, value, typeof value.data !== 'object');
  });
  on('open', () => ({ protocol: real.protocol }));
  on('message', ({ data }) => ({ data }));
  on('error', () => ({}));
  on('close', ({ code, reason, wasClean }) => ({ code, reason, wasClean }));
  line.ask();
  return {
    send(data) { line.say(typeof data === 'string' ? data : undefined); real.send(data); },
    close(...given) { line.say(`closes ${given.join(' ')}`); real.close(...given); },
  };
}

function eventsLine(Real, source, world) {
  const { address, withCredentials } = source, real = new Real(address, { withCredentials });
  const line = lineOf(recorded(world), 'events', [address]), { listen, close } = linedUp(line);
  const on = (type, read) => real.addEventListener(type, (event) => (
    hear(world, line, source, { event: type, ...read(event) })));
  const message = ({ data, lastEventId }) => ({ data, lastEventId });
  on('open', () => ({}));
  on('message', message);
  on('error', () => ({ readyState: real.readyState }));
  return {
    listen(type) { listen(type); on(type, message); },
    close() { close(); real.close(); },
  };
}

function patchStorage(name, { stored }) {
  let real;
  try { real = globalThis[name]; } catch { /* a page may refuse it */ }
  if (!real) return;
  // The values that the app has read or written: other ones are news from outside.
  const known = new Map();
  let isListed = false;
  const keys = () => Array.from({ length: real.length }, (_, at) => real.key(at));
  const note = (key) => {
    const value = real.getItem(key);
    if (known.get(key) === value) return;
    known.set(key, value);
    stored(name, key, value?.length > LARGEST ? false : value);
  };
  const look = (key) => {
    if (key !== undefined) { note(key); return; }
    for (const each of new Set([...known.keys(), ...keys()])) note(each);
    if (!isListed) stored(name);
    isListed = true;
  };
  const items = {
    get: (key) => real.getItem(key), keys,
    // A fork that does not write finds the earlier value.
    set(key, value) { note(key); real.setItem(key, value); known.set(key, value); },
    delete(key) { note(key); real.removeItem(key); known.set(key, null); },
    clear() { look(); real.clear(); for (const key of known.keys()) known.set(key, null); },
  };
  const value = storageOver(() => items, look);
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
