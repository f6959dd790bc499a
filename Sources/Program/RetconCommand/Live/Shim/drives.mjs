// Requests of the debugger to the app.
import { cloned, plain, walk } from './plain.mjs';
import { revived } from './reviving.mjs';
import { pause, resume } from './steps.mjs';
import { stores } from './stores.mjs';
import { flush } from './wire.mjs';
import { JUMP, refuse, shortWords } from './words.mjs';
import { later, stringify, world } from './world.mjs';

/** After so many milliseconds without a word of the debugger, the app shows its own state. */
const SILENCE = 2000;

/** Carries out an order. The answer is empty, or says why it failed. */
export function drive(id, order) {
  try {
    drives[order.drive](stores.get(id), order);
    flush(false);
    return '';
  } catch (error) { return shortWords(error); }
}

const drives = {
  show,
  own: showOwn,
  lock(store) {
    if (!store.tell) refuse('a store of this kind cannot be locked');
    store.isLocked = true;
  },
  unlock(store) { store.isLocked = false; },
  commit(store) {
    walk.values = 0;
    store.committed = plain(store.live);
  },
  revert(store) {
    walk.values = 0;
    store.jump({ type: JUMP, state: store.committed ?? plain(store.first) });
  },
  jump(store, { state, step, play }) {
    walk.values = 0;
    store.before ??= plain(store.live);
    store.jump({ type: JUMP, step, state, play });
  },
  back(store) {
    if (store.before === undefined) refuse('the app was not set to a step');
    store.jump({ type: JUMP, state: store.before });
    store.before = undefined;
  },
  send(store, { actions }) {
    for (const action of actions) {
      const known = store.known.get(stringify(action));
      store.send(known === undefined ? action : cloned(known));
    }
  },
  pause,
  resume,
};

/** Shows a state, or goes on with the one that is shown. */
function show(store, { state, words }) {
  if (!store.tell) refuse('a store of this kind shows only its own state: use :app jump');
  const beat = (store.beat = {});
  later(() => { if (store.beat === beat) showOwn(store); }, SILENCE)?.unref?.();
  if (state === undefined) return;
  walk.values = 0;
  store.shown = { state: revived(store.live, state) };
  try { showBanner(store, words); } catch { /* it runs outside of a page */ }
  store.tell();
}

export function showOwn(store) {
  store.beat = undefined;
  store.banner?.remove();
  store.banner = undefined;
  if (store.shown) {
    store.shown = undefined;
    store.tell();
  }
}

function showBanner(store, words) {
  store.banner ??= world.document.createElement('retcon-banner');
  store.banner.style.cssText = 'all: initial; position: fixed; z-index: 2147483647; bottom: 8px;'
    + 'left: 8px; padding: 4px 10px; border-radius: 4px; font: 13px sans-serif; color: #fff;'
    + 'background: #b02a6b; pointer-events: none;';
  store.banner.textContent = words;
  world.document.documentElement.append(store.banner);
}
