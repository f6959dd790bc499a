// The channels and storages of an app that runs whole: their news come from the tape.
import {
  eventsClass, isText, lineOf, linedUp, requestClass, socketClass, storageOver,
} from '../Recorder/channels.mjs';
import { nameOf, questionOf } from '../Recorder/outside.mjs';
import { isAxios } from './axios.mjs';

const BINARY = 'the app sends or gets what is no text';
export const UNKEPT = 'the app reads a header of an answer, and no recording keeps headers';
const unread = (storage, key) => (
  `the app ${key === undefined ? `lists ${storage}` : `reads “${key}” of ${storage}`}, `
    + 'which it did not do in the recording');

/** Replaces the channels of a page. `active` gives the instance that works now, if one does. */
export function channels(active) {
  const doubt = (words) => { active()?.doubt(words); };
  const carrier = (request) => {
    let key, kind;
    const take = ({ status, body = '', kind: type, error }) => {
      kind = type;
      const { address } = request;
      if (error === undefined) request.finish('load', { status, body: body ?? '', address });
      else request.finish('error', {});
    };
    return {
      send(body) {
        const { method, address, isAsync } = request;
        const isKept = isAsync && isText(request);
        const asks = isKept ? questionOf(address, { method, body }) : undefined;
        if (asks) key = active()?.ask(nameOf(asks), asks, { take }); else doubt(BINARY);
      },
      abort: () => active()?.cancel(key),
      header(name) {
        if (/^content-type$/i.test(name)) return kind || null;
        doubt(UNKEPT);
        return null;
      },
      headers() {
        if (!isAxios()) doubt(UNKEPT);
        return kind ? `content-type: ${kind}` : '';
      },
    };
  };
  const told = (channel) => ({
    begin: (name, asks) => active()?.listen(name, asks, (value) => channel.hear(value)),
    end: (key) => active()?.cancel(key),
  });
  const socketLine = (socket) => {
    const line = lineOf(told(socket), 'socket', [socket.address, ...socket.protocols]);
    line.ask();
    return {
      send(data) {
        if (typeof data !== 'string') doubt(BINARY);
        line.say(typeof data === 'string' ? data : undefined);
      },
      close: (...given) => line.say(`closes ${given.join(' ')}`),
    };
  };
  const eventsLine = (source) => linedUp(lineOf(told(source), 'events', [source.address]));
  const storage = (name) => {
    const spare = Object.assign(new Items(), { isAll: true });
    const own = () => active()?.stored(name) ?? spare;
    return storageOver(() => own().items, (key) => {
      if (!own().knows(key)) doubt(unread(name, key));
    });
  };
  return {
    XMLHttpRequest: requestClass(carrier), WebSocket: socketClass(socketLine),
    EventSource: eventsClass(eventsLine),
    localStorage: storage('localStorage'), sessionStorage: storage('sessionStorage'),
  };
}

/**
 * The recorded app's storages: by their names, the items that it read. And the events of its
 * channels: by their questions, each event with its time in milliseconds.
 */
export class Stored {
  constructor() { Object.assign(this, { first: new Map(), heard: new Map() }); }

  /** Notes what an input read; what is read again there is news from outside. */
  note({ id, stored }) {
    for (const [name, { items = {}, isAll }] of Object.entries(stored ?? {})) {
      const first = this.of(name);
      first.isAll ||= isAll;
      for (const [key, value] of Object.entries(items)) {
        if (!first.items.has(key)) first.items.set(key, { value, id });
      }
    }
  }

  of(name) {
    if (!this.first.has(name)) this.first.set(name, { items: new Map(), isAll: false });
    return this.first.get(name);
  }

  /** A storage as the app finds it when it is loaded. */
  begun(name) {
    const { items, isAll } = this.of(name), begun = new Items();
    begun.isAll = isAll;
    for (const [key, { value }] of items) begun.put(key, value);
    return begun;
  }

  /** The items that other windows have written before an input. */
  *news({ id, stored }) {
    for (const [name, { items = {} }] of Object.entries(stored ?? {})) {
      for (const [key, value] of Object.entries(items)) {
        if (this.of(name).items.get(key)?.id !== id) yield { name, key, value };
      }
    }
  }
}

/** The items of a storage, and the keys that are known to be absent. */
class Items {
  constructor() {
    Object.assign(this, { items: new Map(), gone: new Set(), lost: new Set(), isAll: false });
    const { items, gone, lost } = this;
    items.set = (key, value) => {
      lost.delete(key);
      return Map.prototype.set.call(items, key, value);
    };
    items.delete = (key) => {
      gone.add(key);
      lost.delete(key);
      return Map.prototype.delete.call(items, key);
    };
    items.clear = () => {
      this.isAll = true;
      lost.clear();
      Map.prototype.clear.call(items);
    };
  }

  /** A value that was too long for the recording is `false`. */
  put(key, value) {
    if (typeof value === 'string') this.items.set(key, value); else this.items.delete(key);
    if (value === false) this.lost.add(key);
  }

  knows(key) {
    const { items, gone, lost, isAll } = this;
    if (key === undefined) return isAll && !lost.size;
    return !lost.has(key) && (isAll || items.has(key) || gone.has(key));
  }
}
