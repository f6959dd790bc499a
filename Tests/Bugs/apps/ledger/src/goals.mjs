// Goals of saving: parts of the money on people's accounts, set aside in thought.
import { addMonths, monthOf, monthsBetween } from './dates.mjs';
import { allocated, sum } from './money.mjs';
import { omitted } from './records.mjs';

export const initialGoals = { byId: {}, order: [] };

export function goalsReducer(goals, action) {
  const goal = goals.byId[action.id];
  const put = (next) => ({ ...goals, byId: { ...goals.byId, [next.id]: next } });
  switch (action.type) {
    case 'goals/added': {
      const { id, name, target, by = null, weight = 1 } = action;
      return {
        byId: { ...goals.byId, [id]: { id, name, target, by, weight, saved: 0 } },
        order: [...goals.order, id],
      };
    }
    case 'goals/saved':
      return goal ? put({ ...goal, saved: Math.max(0, goal.saved + action.amount) }) : goals;
    case 'goals/shared':
      return shared(goals, action.amount);
    case 'goals/removed':
      return {
        byId: omitted(goals.byId, action.id),
        order: goals.order.filter((id) => id !== action.id),
      };
    default:
      return goals;
  }
}

/** Shares an amount among the goals that are not reached yet, by their weights. */
function shared(goals, amount) {
  const open = goals.order.map((id) => goals.byId[id])
    .filter(({ saved, target }) => saved < target);
  const parts = allocated(amount, open.map(({ weight }) => weight));
  const byId = { ...goals.byId };
  for (const [index, goal] of open.entries()) {
    byId[goal.id] = { ...goal, saved: Math.min(goal.target, goal.saved + parts[index]) };
  }
  return { ...goals, byId };
}

/** How much a month is needed for a goal, and when it is reached at that pace. */
export function paceOf(goal, today) {
  const left = Math.max(0, goal.target - goal.saved);
  if (goal.by === null) return { left, monthly: null };
  const months = Math.max(1, monthsBetween(addMonths(monthOf(today), 1), goal.by).length);
  return { left, monthly: Math.ceil(left / months) };
}

export function savedTogether(goals) {
  return sum(Object.values(goals.byId).map(({ saved }) => saved));
}
