import { criterion } from '../criteria.mjs';
import { Failure, isBlank } from '../values.mjs';
import { MANY, takes } from './given.mjs';
import { matching, sum } from './math.mjs';

function mean(numbers) {
  if (numbers.length === 0) throw new Failure('#DIV/0!');
  return sum(numbers) / numbers.length;
}

function median(numbers) {
  if (numbers.length === 0) throw new Failure('#NUM!');
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function deviation(numbers) {
  if (numbers.length < 2) throw new Failure('#DIV/0!');
  const middle = mean(numbers);
  const squares = numbers.map((number) => (number - middle) ** 2);
  return Math.sqrt(sum(squares) / (numbers.length - 1));
}

const numbersIn = (values) => values.filter((value) => typeof value === 'number');

function ordered(given, compare) {
  const numbers = numbersIn(given.list(0)).sort(compare);
  const place = given.whole(1);
  if (place < 1 || place > numbers.length) throw new Failure('#NUM!');
  return numbers[place - 1];
}

function rank(given) {
  const number = given.number(0);
  const numbers = numbersIn(given.list(1));
  if (!numbers.includes(number)) throw new Failure('#N/A');
  const isRising = given.boolean(2, false);
  return 1 + numbers.filter((other) => (isRising ? other < number : other > number)).length;
}

function countMatching(given) {
  const isMatch = criterion(given.value(1));
  return given.list(0).filter((value) => isMatch(value)).length;
}

const extreme = (pick) => (given) => {
  const numbers = given.numbers();
  return numbers.length === 0 ? 0 : pick(...numbers);
};

export const statisticsFunctions = {
  AVERAGE: takes(1, MANY, (given) => mean(given.numbers())),
  AVERAGEIF: takes(2, 3, (given) => mean(matching(given, 2))),
  COUNT: takes(1, MANY, (given) => numbersIn(given.all()).length),
  COUNTA: takes(1, MANY, (given) => given.all().filter((value) => !isBlank(value)).length),
  COUNTBLANK: takes(1, 1, (given) => given.list(0).filter(isBlank).length),
  COUNTIF: takes(2, 2, countMatching),
  MIN: takes(1, MANY, extreme(Math.min)),
  MAX: takes(1, MANY, extreme(Math.max)),
  MEDIAN: takes(1, MANY, (given) => median(given.numbers())),
  STDEV: takes(1, MANY, (given) => deviation(given.numbers())),
  LARGE: takes(2, 2, (given) => ordered(given, (one, other) => other - one)),
  SMALL: takes(2, 2, (given) => ordered(given, (one, other) => one - other)),
  RANK: takes(2, 3, rank),
};
