// Periods that were handed in: what is in them does not change any more.
import { addDays, quarterRange } from './dates.mjs';

export const initialPeriods = { lockedTo: null, closed: [] };

export function periodsReducer(periods, action) {
  switch (action.type) {
    case 'periods/closed': {
      const { to } = quarterRange(action.quarter);
      if (isLocked(periods, to)) return periods;
      const entry = { quarter: action.quarter, on: action.today, result: action.result };
      return { lockedTo: to, closed: [...periods.closed, entry] };
    }
    case 'periods/reopened': {
      const last = periods.closed[periods.closed.length - 1];
      if (!last) return periods;
      const closed = periods.closed.slice(0, -1);
      const lockedTo = closed.length ? addDays(quarterRange(last.quarter).from, -1) : null;
      return { lockedTo, closed };
    }
    default:
      return periods;
  }
}

export function isLocked(periods, date) {
  return periods.lockedTo !== null && date <= periods.lockedTo;
}
