// Whether an input leaves something for later in its task. Only node can tell.
import { createHook } from 'node:async_hooks';

/** Runs work, and returns whether it begins or keeps a promise. */
export function hasMore(work) {
  let isMore = false;
  const note = () => { isMore = true; }, hook = createHook({ init: note, promiseResolve: note });
  hook.enable();
  try { work(); } finally { hook.disable(); }
  return isMore;
}
