// Runs in a page or in node before the app's first script, put there by `retcon attach`. It stands
// in for the extension of Redux DevTools: stores that look for it are recorded. In Retcon's
// repository this is several modules, in the folder Shim; Retcon joins them.
import { ask } from './questions.mjs';
import { drive, showOwn } from './drives.mjs';
import { compose, extension, traceSenders } from './extension.mjs';
import { connectAgain } from './steps.mjs';
import { namePage, stores } from './stores.mjs';
import { connect, flush } from './wire.mjs';
import { defineProperty, world } from './world.mjs';

/** Retcon asks the page through the member with this name. */
const SIGN = Symbol.for('retcon');

/** Starts to record. It sends text through the global function that `binding` names. */
export function retconShim(binding, options) {
  if (world[SIGN]) return world[SIGN].again(binding);
  namePage(Math.random().toString(36).slice(2));
  connect(binding);
  if (options.trace) traceSenders();
  // In node, libraries look for a window, too.
  if (world.window === undefined && world.process?.versions?.node) share(world, 'window', {});
  for (const where of new Set([world, world.window ?? world])) {
    share(where, '__REDUX_DEVTOOLS_EXTENSION__', extension);
    share(where, '__REDUX_DEVTOOLS_EXTENSION_COMPOSE__', compose);
  }
  for (const kind of ['pagehide', 'visibilitychange']) {
    world.addEventListener?.(kind, () => flush(true), true);
  }
  // A value that the app saves as it leaves is its own.
  world.addEventListener?.('pagehide', () => stores.forEach(showOwn), true);
  world.process?.on?.('exit', () => flush(true));
  share(world, SIGN, Object.freeze({
    drive, ask, has: (id) => stores.has(id), again: connectAgain, flush: () => flush(true),
  }));
}

/** Defines a member that no loop over the members shows. */
function share(where, name, value) {
  try {
    defineProperty(where, name, { value, writable: true, configurable: true, enumerable: false });
  } catch { /* it is taken */ }
}
