import { Failure, compareOperands, isBlank, isError, toBoolean } from '../values.mjs';
import { MANY, takes } from './given.mjs';

/** The part at a place, or what the function means without it. */
const optional = (given, at, otherwise) => (given.has(at) ? given.value(at) : otherwise);

function conditions(given) {
  return given.all().filter((value) => !isBlank(value)).map(toBoolean);
}

function firstTrue(given) {
  for (let at = 0; at + 1 < given.count; at += 2) {
    if (given.boolean(at)) return given.value(at + 1);
  }
  throw new Failure('#N/A');
}

/** SWITCH: pairs of a value and a result, and perhaps a last result for all others. */
function switched(given) {
  const value = given.value(0);
  let at = 1;
  for (; at + 1 < given.count; at += 2) {
    if (compareOperands(value, given.value(at)) === 0) return given.value(at + 1);
  }
  if (at < given.count) return given.value(at);
  throw new Failure('#N/A');
}

function unlessError(given) {
  const value = given.attempt(0);
  return isError(value) ? given.value(1) : value;
}

const isType = (type) => (given) => typeof given.attempt(0) === type;

export const logicFunctions = {
  IF: takes(2, 3, (given) => (
    given.boolean(0) ? given.value(1) : optional(given, 2, false))),
  IFS: takes(2, MANY, firstTrue),
  SWITCH: takes(3, MANY, switched),
  IFERROR: takes(2, 2, unlessError),
  AND: takes(1, MANY, (given) => conditions(given).every(Boolean)),
  OR: takes(1, MANY, (given) => conditions(given).some(Boolean)),
  NOT: takes(1, 1, (given) => !given.boolean(0)),
  ISBLANK: takes(1, 1, (given) => given.attempt(0) === null),
  ISNUMBER: takes(1, 1, isType('number')),
  ISTEXT: takes(1, 1, isType('string')),
  ISERROR: takes(1, 1, (given) => isError(given.attempt(0))),
};
