// Channels of a page on the oracle's clock. A socket's messages depend on its address and on what
// was sent to it, and on nothing else.
import { hash } from './clock.mjs';

class Target {
  constructor() { this.listeners = new Map(); }
  addEventListener(type, work) {
    this.listeners.set(type, [...this.listeners.get(type) ?? [], work]);
  }
  tell(type, more = {}) {
    const event = { type, ...more };
    this[`on${type}`]?.(event);
    for (const each of this.listeners.get(type) ?? []) each.call(this, event);
  }
}

/** A line on which something comes again and again, until it is stopped. */
function line(clock, pauses, work) {
  let timer, number = 0;
  const next = () => {
    timer = clock.later(pauses(number), () => { next(); work(number++); });
  };
  next();
  return () => clock.stop(timer);
}

export function channelsOn(clock, seed) {
  class WebSocket extends Target {
    constructor(url) {
      super();
      Object.assign(this, { url, readyState: 0, protocol: '', talk: [url] });
      this.timer = clock.later(30 + hash(seed, url) % 90, () => {
        this.readyState = 1;
        this.begin();
        this.tell('open');
      });
    }
    begin() {
      this.end?.();
      const number = hash(seed, this.talk), price = (at) => hash(number, at, 'price') % 100;
      this.end = line(clock, (at) => 100 + hash(number, at) % 300, (at) => (
        this.tell('message', { data: JSON.stringify({ price: price(at) }) })));
    }
    send(words) {
      if (this.readyState === 0) throw new DOMException('connecting', 'InvalidStateError');
      if (this.readyState !== 1) return;
      this.talk.push(words);
      this.begin();
    }
    close(code = 1005) {
      if (this.readyState > 1) return;
      this.readyState = 2;
      this.end?.();
      clock.stop(this.timer);
      clock.later(15, () => {
        this.readyState = 3;
        this.tell('close', { code, reason: '', wasClean: true });
      });
    }
  }
  class EventSource extends Target {
    constructor(url) {
      super();
      Object.assign(this, { url, readyState: 0 });
      this.end = line(clock, (at) => 120 + hash(seed, url, at) % 250, (at) => {
        if (!at) this.tell('open');
        const type = hash(seed, at) % 3 ? 'message' : 'sale';
        this.tell(type, { data: `news ${hash(seed, url, at, 'news') % 50}`, lastEventId: `${at}` });
      });
    }
    close() {
      this.readyState = 2;
      this.end();
    }
  }
  class XMLHttpRequest extends Target {
    constructor() {
      super();
      Object.assign(this, {
        readyState: 0, status: 0, timeout: 0, responseText: '', responseType: '',
      });
    }
    open(...question) { Object.assign(this, { question, readyState: 1 }); }
    setRequestHeader() {}
    get response() {
      const { responseText, responseType } = this;
      return responseType === 'json' ? JSON.parse(responseText || 'null') : responseText;
    }
    getResponseHeader() { return 'application/json'; }
    getAllResponseHeaders() { return 'content-type: application/json\r\nx-pages: 3\r\n'; }
    send(body) {
      const [method, url] = this.question, control = new AbortController();
      this.stop = () => { over('abort'); control.abort(); };
      const timer = this.timeout ? clock.later(this.timeout, () => {
        over('timeout');
        control.abort();
      }) : 0;
      const over = (how) => {
        clock.stop(timer);
        if (this.readyState === 4) return;
        this.readyState = 4;
        for (const type of ['readystatechange', how, 'loadend']) this.tell(type);
      };
      globalThis.fetchOfPage(url, { method, body, signal: control.signal }).then(async (answer) => {
        this.responseText = await answer.text();
        this.status = answer.status;
        over('load');
      }, () => { over('error'); });
    }
    abort() { this.stop?.(); }
  }
  const items = new Map([['theme', 'dark']]);
  const localStorage = {
    getItem: (key) => items.get(key) ?? null, key: (at) => [...items.keys()][at] ?? null,
    setItem(key, value) { items.set(key, `${value}`); },
    removeItem(key) { items.delete(key); },
    clear() { items.clear(); },
    get length() { return items.size; },
  };
  return { WebSocket, EventSource, XMLHttpRequest, localStorage };
}
