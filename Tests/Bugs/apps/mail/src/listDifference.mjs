// The difference between two lists.
import { without } from './lists.mjs';

export const difference = (old, wanted) => ({
  add: without(wanted, old), remove: without(old, wanted),
});
