// axios reads all headers of each answer, whether its app wants them or not. So what counts is
// whether the app reads one from what axios made of them.
import { UNKEPT } from './taped.mjs';
import { world } from './virtual.mjs';

const ALL = 'retcon-all', answered = new WeakSet(), headerClasses = new WeakSet();
let isWatching = false;

function note(headers, name) {
  const isKept = /^content-?type$/i.test(name);
  if (answered.has(headers) && !isKept) world.active?.doubt(UNKEPT);
}

/** Stands among the headers of an answer: whoever copies all of them reads it, too. */
const trap = (headers) => Object.defineProperty(headers, ALL, {
  get: () => note(headers, ALL), enumerable: true, configurable: true,
});

/** Lets the headers of answers tell what is read of them. `Headers` is the class of axios. */
export function watchHeaders(Headers) {
  if (typeof Headers?.from !== 'function' || headerClasses.has(Headers)) return;
  headerClasses.add(Headers);
  isWatching = true;
  const { prototype, from } = Headers;
  Object.defineProperty(Headers, 'from', {
    value(given, ...rest) {
      const made = from.call(this, given, ...rest);
      if (typeof given === 'string') answered.add(made);
      return made;
    },
  });
  const wrap = (name, begin) => {
    const real = prototype[name];
    if (!real) return;
    prototype[name] = function (...given) {
      begin(this, ...given);
      return real.apply(this, given);
    };
  };
  for (const name of ['get', 'has']) wrap(name, note);
  for (const name of ['toJSON', 'toString', Symbol.iterator]) wrap(name, (own) => note(own, ALL));
  const { normalize } = prototype;
  prototype.normalize = function (...given) {
    if (!answered.has(this)) return normalize.apply(this, given);
    delete this[ALL];
    return trap(normalize.apply(this, given));
  };
  // A header that is not there is looked for here.
  Object.setPrototypeOf(prototype, new Proxy(Object.prototype, {
    get(target, name, headers) {
      if (typeof name === 'string' && !(name in target)) note(headers, name);
      return Reflect.get(target, name, headers);
    },
  }));
}

/** Whether it is an axios with such headers that asks for all of them now. */
export const isAxios = () => isWatching && /[\\/]axios[\\/]/.test(new Error().stack);
