// XMLHttpRequest, WebSocket, EventSource and storage as an app sees them. The news comes from the
// page in a recorder, and from the tape in a host: both tell the app the same, in the same order.

/** A target whose `on…` properties listen, too. */
class Channel extends EventTarget {
  tell(type, more) { this.dispatchEvent(Object.assign(new Event(type), more)); }
}

function listens(kind, types) {
  for (const type of types) {
    const handlers = new WeakMap();
    Object.defineProperty(kind.prototype, `on${type}`, {
      get() { return handlers.get(this) ?? null; },
      set(work) {
        const isNew = !handlers.has(this);
        handlers.set(this, work);
        if (isNew) this.addEventListener(type, (event) => handlers.get(this)?.call(this, event));
      },
    });
  }
  return kind;
}

function numbered(kind, names) {
  for (const [value, name] of names.entries()) {
    for (const each of [kind, kind.prototype]) Object.defineProperty(each, name, { value });
  }
  return kind;
}

const addressOf = (address) => {
  try { return String(new URL(address, globalThis.location?.href)); } catch { return `${address}`; }
};

/** Whether a channel gives texts, which alone are kept. */
export const isText = ({ responseType }) => ['', 'text', 'json'].includes(responseType);
/** Whether nothing comes behind it. */
export const isLast = ({ event, readyState }) => event === 'close' || readyState === 2;

/** A long talk as its last words, and a number for the others. */
function shortened(talk) {
  if (talk.length <= 400) return talk;
  let sum = 2166136261;
  for (let at = 0; at < talk.length; at++) sum = Math.imul(sum ^ talk.charCodeAt(at), 16777619);
  return `… ${talk.length} ${sum >>> 0} ${talk.slice(-200)}`;
}

/**
 * The question that a channel is: its address, and what the app has told it. Each word of the app
 * begins another question. `begin(name, asks)` and `end(handle)` tell when one is asked.
 */
export function lineOf({ begin, end }, kind, asks) {
  const name = `${kind} ${asks[0].replace(/[?#].*/, '')}`;
  let handle, said;
  const line = {
    name, kind, asks,
    ask() {
      line.asks = said === undefined ? asks : [...asks, said];
      handle = begin(name, line.asks);
    },
    handle: () => handle,
    stop() {
      if (handle !== undefined) end(handle);
      handle = undefined;
    },
    /** Binary data ends the line: its answers are unknown. */
    say(words) {
      if (handle === undefined) return;
      line.stop();
      if (words === undefined) return;
      said = shortened(said === undefined ? words : `${said}\n${words}`);
      line.ask();
    },
  };
  return line;
}

/** Asks when the app has said for what it listens. */
export function linedUp(line) {
  let isAsked = false, isOver = false;
  queueMicrotask(() => {
    isAsked = true;
    if (!isOver) line.ask();
  });
  return {
    listen(type) { if (isAsked) line.say(`listens to ${type}`); else line.asks.push(type); },
    close() { isOver = true; line.stop(); },
  };
}

/**
 * `make` gives each request what carries it: `send(body)`, `abort()`, `header(name)` and
 * `headers()`.
 */
export function requestClass(make) {
  class XMLHttpRequest extends Channel {
    constructor() {
      super();
      Object.assign(this, {
        readyState: 0, status: 0, statusText: '', response: '', responseText: '', responseURL: '',
        responseType: '', responseXML: null, timeout: 0, withCredentials: false,
      });
      this.carrier = make(this);
      this.upload = this.carrier.upload ?? new EventTarget();
    }

    open(method, address, isAsync = true, ...login) {
      Object.assign(this, { method, address: `${address}`, isAsync, login, given: [] });
      Object.assign(this, { status: 0, statusText: '', response: '', responseText: '' });
      this.isSent = false;
      this.advance(1);
    }

    setRequestHeader(...header) { this.given.push(header); }
    overrideMimeType(type) { this.mime = type; }

    send(body) {
      this.isSent = true;
      this.carrier.send(body);
      // A timer as any other, so that a fork knows of it.
      const { isAsync, isSent, timeout } = this;
      if (isAsync && isSent && timeout > 0) {
        this.timer = globalThis.setTimeout(() => this.stop('timeout'), timeout);
      }
    }

    abort() {
      if (this.isSent) this.stop('abort');
      this.readyState = 0;
    }

    stop(how) {
      this.isSent = false;
      this.carrier.abort();
      this.finish(how, {});
    }

    getResponseHeader(name) { return this.readyState < 2 ? null : this.carrier.header(name); }
    getAllResponseHeaders() { return this.readyState < 2 ? '' : this.carrier.headers(); }

    advance(state) {
      this.readyState = state;
      this.tell('readystatechange');
    }

    /** Tells the app how it ended: `load`, `error`, `timeout` or `abort`. */
    finish(how, { status = 0, statusText = '', body = '', response = body, address = '' }) {
      this.isSent = false;
      globalThis.clearTimeout(this.timer);
      if (this.responseType === 'json' && response === body) {
        try { response = JSON.parse(body); } catch { response = null; }
      }
      const responseText = /^(text)?$/.test(this.responseType) ? body : '';
      Object.assign(this, { status, statusText, response, responseText, responseURL: address });
      this.advance(4);
      const size = { loaded: body.length, total: body.length, lengthComputable: true };
      this.tell(how, size);
      this.tell('loadend', size);
    }
  }
  listens(XMLHttpRequest, [
    'readystatechange', 'loadstart', 'progress', 'load', 'error', 'timeout', 'abort', 'loadend',
  ]);
  return numbered(XMLHttpRequest, ['UNSENT', 'OPENED', 'HEADERS_RECEIVED', 'LOADING', 'DONE']);
}

/** `make` gives each socket its line: `send(data)` and `close(code, reason)`. */
export function socketClass(make) {
  class WebSocket extends Channel {
    constructor(address, protocols = []) {
      super();
      Object.assign(this, {
        address: `${address}`, url: addressOf(address).replace(/^http/, 'ws'), readyState: 0,
        protocol: '', extensions: '', binaryType: 'blob', bufferedAmount: 0,
        protocols: [protocols].flat(),
      });
      this.line = make(this);
    }

    send(data) {
      if (this.readyState === 0) throw new DOMException('still connecting', 'InvalidStateError');
      if (this.readyState === 1) this.line.send(data);
    }

    close(code, reason) {
      if (this.readyState > 1) return;
      this.readyState = 2;
      this.line.close(code, reason);
    }

    hear({ event, protocol = '', ...more }) {
      if (event === 'open') Object.assign(this, { readyState: 1, protocol });
      if (event === 'close') this.readyState = 3;
      this.tell(event, event === 'message' ? { origin: new URL(this.url).origin, ...more } : more);
    }
  }
  listens(WebSocket, ['open', 'message', 'error', 'close']);
  return numbered(WebSocket, ['CONNECTING', 'OPEN', 'CLOSING', 'CLOSED']);
}

const COMMON = ['open', 'message', 'error'];

/** `make` gives each stream its line: `listen(type)` and `close()`. */
export function eventsClass(make) {
  class EventSource extends Channel {
    constructor(address, { withCredentials = false } = {}) {
      super();
      Object.assign(this, {
        address: `${address}`, url: addressOf(address), readyState: 0, withCredentials,
        types: new Set(),
      });
      this.line = make(this);
    }

    addEventListener(type, ...rest) {
      super.addEventListener(type, ...rest);
      if (COMMON.includes(type) || this.types?.has(type) !== false) return;
      this.types.add(type);
      this.line.listen(type);
    }

    close() {
      if (this.readyState === 2) return;
      this.readyState = 2;
      this.line.close();
    }

    hear({ event, readyState = 1, ...more }) {
      if (this.readyState === 2) return;
      this.readyState = readyState;
      this.tell(event, more);
    }
  }
  listens(EventSource, COMMON);
  return numbered(EventSource, ['CONNECTING', 'OPEN', 'CLOSED']);
}

const METHODS = ['getItem', 'setItem', 'removeItem', 'clear', 'key', 'length'];

/** A storage over a map. `look(key)` runs before a key is read, and `look()` before all are. */
export function storageOver(items, look) {
  const all = () => { look(); return [...items().keys()]; };
  const methods = {
    getItem(key) { look(`${key}`); return items().get(`${key}`) ?? null; },
    setItem(key, value) { items().set(`${key}`, `${value}`); },
    removeItem(key) { items().delete(`${key}`); },
    clear() { items().clear(); },
    key: (index) => all()[index] ?? null,
  };
  const isKey = (name) => typeof name === 'string' && !METHODS.includes(name);
  return new Proxy(methods, {
    get: (_, name) => (name === 'length' ? all().length
      : isKey(name) ? methods.getItem(name) ?? undefined : methods[name]),
    set: (_, name, value) => { methods.setItem(name, value); return true; },
    deleteProperty: (_, name) => { methods.removeItem(name); return true; },
    has: (_, name) => !isKey(name) || methods.getItem(name) !== null,
    ownKeys: all,
    getOwnPropertyDescriptor: (_, name) => {
      const value = isKey(name) ? methods.getItem(name) : null;
      return value === null ? undefined
        : { value, writable: true, enumerable: true, configurable: true };
    },
  });
}
