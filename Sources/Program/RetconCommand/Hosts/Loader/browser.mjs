// A browser that has nothing: enough for a module that sets up a store.
import { refuse } from './closed-world.mjs';
import { compose } from './stand-ins.mjs';

const nothing = () => {};

function storage() {
  const items = new Map();
  return {
    getItem: (key) => items.get(String(key)) ?? null,
    setItem: (key, value) => { items.set(String(key), String(value)); },
    removeItem: (key) => { items.delete(String(key)); },
    clear: () => items.clear(),
    key: (index) => [...items.keys()][index] ?? null,
    get length() { return items.size; },
  };
}

const listening = { addEventListener: nothing, removeEventListener: nothing };

function element() {
  return {
    style: {}, dataset: {}, children: [], childNodes: [],
    classList: { add: nothing, remove: nothing, toggle: nothing, contains: () => false },
    appendChild: (child) => child, append: nothing, removeChild: (child) => child,
    /** Where CSS is written to. */
    firstChild: { data: '', nodeType: 3 },
    setAttribute: nothing, getAttribute: () => null, ...listening,
    querySelector: () => null, querySelectorAll: () => [], remove: nothing, nodeType: 1,
    get ownerDocument() { return globalThis.document; },
  };
}

function page() {
  return {
    ...element(), nodeType: 9, cookie: '', readyState: 'complete', hidden: false,
    visibilityState: 'visible', body: element(), head: element(), documentElement: element(),
    createElement: element, createElementNS: element, createTextNode: element,
    createDocumentFragment: element, getElementById: element, getElementsByTagName: () => [],
    getElementsByClassName: () => [],
  };
}

function location(address) {
  const { href, origin, protocol, host, hostname, port, pathname } = new URL(address);
  return {
    href, origin, protocol, host, hostname, port, pathname, search: '', hash: '', reload: nothing,
    assign: nothing, replace: nothing,
  };
}

const history = () => ({
  length: 1, state: null, pushState: nothing, replaceState: nothing, back: nothing,
  forward: nothing, go: nothing,
});

/** Redux DevTools as a page finds it, without an open panel. */
function devTools() {
  const connect = () => ({
    init: nothing, send: nothing, subscribe: () => nothing, unsubscribe: nothing, error: nothing,
  });
  const extension = Object.assign(() => (make) => make, {
    connect, disconnect: nothing, send: nothing, listen: nothing, open: nothing,
    notifyErrors: nothing, updateStore: nothing,
  });
  return {
    __REDUX_DEVTOOLS_EXTENSION__: extension,
    __REDUX_DEVTOOLS_EXTENSION_COMPOSE__: (...calls) => (
      calls.some((call) => typeof call === 'function') ? compose(...calls) : compose),
  };
}

/** `address` is the one of the page that was recorded. */
export function browse(address = 'http://localhost/') {
  class Observer { observe() {} unobserve() {} disconnect() {} }
  const world = {
    window: globalThis, self: globalThis, document: page(), localStorage: storage(),
    sessionStorage: storage(), location: location(address), history: history(),
    navigator: {
      userAgent: 'node', language: 'en', languages: ['en'], onLine: false, platform: '',
    },
    screen: { width: 0, height: 0 }, innerWidth: 0, innerHeight: 0, devicePixelRatio: 1,
    ...listening, dispatchEvent: () => true,
    alert: nothing, confirm: () => false, prompt: () => null,
    matchMedia: () => (
      { matches: false, addListener: nothing, removeListener: nothing, ...listening }),
    requestAnimationFrame: () => 0, cancelAnimationFrame: nothing, getComputedStyle: () => ({}),
    MutationObserver: Observer, IntersectionObserver: Observer, ResizeObserver: Observer,
    HTMLElement: class {}, Element: class {}, Node: class {}, Image: class {},
    fetch: async () => refuse('fetch')(), ...devTools(),
  };
  for (const name of ['XMLHttpRequest', 'WebSocket', 'EventSource', 'Worker', 'SharedWorker']) {
    world[name] = class { constructor() { refuse(name)(); } };
  }
  for (const [name, value] of Object.entries(world)) {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  }
}
