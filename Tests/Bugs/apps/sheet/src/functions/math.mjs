import { criterion } from '../criteria.mjs';
import { Failure, checked } from '../values.mjs';
import { MANY, takes } from './given.mjs';

export const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** Rounds a decimal as it is written: 1.005 with two digits is 1.01. */
function shifted(number, digits) {
  const [mantissa, exponent = '0'] = String(number).split('e');
  return Number(`${mantissa}e${Number(exponent) + digits}`);
}

function roundedBy(round, number, digits) {
  const size = shifted(round(shifted(Math.abs(number), digits)), -digits);
  return number < 0 ? -size : size;
}

export const rounded = (number, digits) => roundedBy(Math.round, number, digits);

function toMultiple(round) {
  return (given) => {
    const number = given.number(0);
    const step = given.number(1, 1);
    if (step === 0) return 0;
    if (number > 0 && step < 0) throw new Failure('#NUM!');
    return rounded(round(rounded(number / step, 10)) * step, 10);
  };
}

function modulo(given) {
  const divisor = given.number(1);
  if (divisor === 0) throw new Failure('#DIV/0!');
  const number = given.number(0);
  return number - divisor * Math.floor(number / divisor);
}

function root(given) {
  const number = given.number(0);
  if (number < 0) throw new Failure('#NUM!');
  return Math.sqrt(number);
}

/** The values of the last part whose partners in the first one meet the condition. */
export function matching(given, valuesAt) {
  const tested = given.list(0);
  const isMatch = criterion(given.value(1));
  const values = given.has(valuesAt) ? given.list(valuesAt) : tested;
  return values.filter((_, at) => at < tested.length && isMatch(tested[at]))
    .map(checked).filter((value) => typeof value === 'number');
}

function sumOfProducts(given) {
  const lists = Array.from({ length: given.count }, (_, at) => given.list(at));
  if (lists.some((list) => list.length !== lists[0].length)) throw new Failure('#VALUE!');
  return sum(lists[0].map((_, at) => lists.reduce((product, list) => {
    const value = checked(list[at]);
    return product * (typeof value === 'number' ? value : 0);
  }, 1)));
}

export const mathFunctions = {
  SUM: takes(1, MANY, (given) => sum(given.numbers())),
  PRODUCT: takes(1, MANY, (given) => (
    given.numbers().reduce((product, number) => product * number, 1))),
  SUMIF: takes(2, 3, (given) => sum(matching(given, 2))),
  SUMPRODUCT: takes(1, MANY, sumOfProducts),
  ABS: takes(1, 1, (given) => Math.abs(given.number(0))),
  SIGN: takes(1, 1, (given) => Math.sign(given.number(0))),
  INT: takes(1, 1, (given) => Math.floor(given.number(0))),
  MOD: takes(2, 2, modulo),
  POWER: takes(2, 2, (given) => given.number(0) ** given.number(1)),
  SQRT: takes(1, 1, root),
  ROUND: takes(1, 2, (given) => rounded(given.number(0), given.whole(1, 0))),
  ROUNDUP: takes(1, 2, (given) => roundedBy(Math.ceil, given.number(0), given.whole(1, 0))),
  ROUNDDOWN: takes(1, 2, (given) => roundedBy(Math.floor, given.number(0), given.whole(1, 0))),
  CEILING: takes(1, 2, toMultiple(Math.ceil)),
  FLOOR: takes(1, 2, toMultiple(Math.floor)),
};
