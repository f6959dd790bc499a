// The parts of the page or of node that the shim uses. The app may replace these later.

export const world = globalThis;
export const { stringify, parse } = JSON;
export const { keys, getPrototypeOf, defineProperty, is } = Object;
export const hasOwn = Object.prototype.hasOwnProperty;
export const RealDate = Date;
const settled = Promise.resolve(), { then } = Promise.prototype;
/** Runs work as a microtask. */
export const soon = (work) => then.call(settled, work);
export const later = world.setTimeout.bind(world);

const clock = world.performance;
export const now = () => clock.now();
/** The time, in milliseconds since 1970, at which `now` was 0. */
export const origin = Date.now() - now();

export const isObject = (value) => typeof value === 'object' && value !== null;

/** Sets a member. A member named `__proto__` does not become the prototype. */
export function put(object, key, value) {
  if (key !== '__proto__') object[key] = value;
  else defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}

/** Reads a member. A getter may throw. */
export function get(object, key) {
  try { return object[key]; } catch (error) { return `[Threw ${error}]`; }
}
