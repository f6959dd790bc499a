// What has to be added and removed to make one list of another.
import { without } from './lists.mjs';

export const difference = (old, wanted) => ({
  add: without(wanted, old), remove: without(old, wanted),
});
