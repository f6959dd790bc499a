import { Failure } from '../values.mjs';
import { MANY, takes } from './given.mjs';

/** The growth of a payment over all periods, and the sum of the growth of one payment each. */
function growth(rate, periods) {
  const total = (1 + rate) ** periods;
  return { total, payments: rate === 0 ? periods : (total - 1) / rate };
}

/** The payment for each period that pays back a loan. */
function payment(given) {
  const [rate, periods, loan] = [given.number(0), given.number(1), given.number(2)];
  if (periods === 0) throw new Failure('#NUM!');
  const { total, payments } = growth(rate, periods);
  const due = given.boolean(4, false) ? 1 + rate : 1;
  return -(loan * total + given.number(3, 0)) / (payments * due);
}

function futureValue(given) {
  const [rate, periods] = [given.number(0), given.number(1)];
  const { total, payments } = growth(rate, periods);
  const due = given.boolean(4, false) ? 1 + rate : 1;
  return -(given.number(3, 0) * total + given.number(2) * payments * due);
}

function netPresentValue(given) {
  const rate = given.number(0);
  return given.numbers(1).reduce((total, flow, at) => total + flow / (1 + rate) ** (at + 1), 0);
}

export const financeFunctions = {
  PMT: takes(3, 5, payment),
  FV: takes(3, 5, futureValue),
  NPV: takes(2, MANY, netPresentValue),
};
