// The worth of pieces of an order's line when they are cancelled or come back.
import { shareOf } from './money.mjs';

/**
 * The worth of so many more pieces. Pieces may come back one by one: all of them together are worth
 * exactly the total of the line.
 */
export function worthOf(line, quantity) {
  const before = line.cancelled + line.returned;
  return shareOf(line.total, before + quantity, line.quantity)
    - shareOf(line.total, before, line.quantity);
}
