// Journeys, parties, a new kitchen: costs with one tag, with a limit and an end.
import { daysBetween } from './dates.mjs';
import { sum } from './money.mjs';
import { changed, folded, grouped, omitted, patched, tidied } from './records.mjs';

export const initialProjects = { byId: {} };

export function projectsReducer(projects, action) {
  const edit = (patch) => {
    const byId = changed(projects.byId, action.id, (each) => patched(each, patch));
    return byId === projects.byId ? projects : { byId };
  };
  switch (action.type) {
    case 'projects/added': {
      const { id, name, tag, limit, from, to } = action;
      const isTaken = Object.values(projects.byId).some((each) => each.tag === folded(tag));
      if (projects.byId[id] || isTaken || from > to) return projects;
      const entry = { id, name: tidied(name), tag: folded(tag), limit, from, to, isOver: false };
      return { byId: { ...projects.byId, [id]: entry } };
    }
    case 'projects/limited':
      return edit({ limit: Math.max(0, action.limit) });
    case 'projects/ended':
      return edit({ isOver: true });
    case 'projects/removed':
      return { byId: omitted(projects.byId, action.id) };
    default:
      return projects;
  }
}

function costsOf(project, transactions, accounts) {
  return Object.values(transactions.byId)
    .filter(({ tags, date }) => tags.includes(project.tag)
      && date >= project.from && date <= project.to)
    .flatMap(({ date, postings }) => postings
      .filter(({ account }) => accounts.byId[account].type === 'expense')
      .map(({ account, base }) => ({ date, account, base })));
}

/** The costs of a project so far, by kind, and whether it stays in its limit at this pace. */
export function projectReport(project, { transactions, accounts, today }) {
  const costs = costsOf(project, transactions, accounts);
  const spent = sum(costs.map(({ base }) => base));
  const parts = Object.entries(grouped(costs, ({ account }) => account))
    .map(([account, own]) => ({
      name: accounts.byId[account].name, amount: sum(own.map(({ base }) => base)),
    }))
    .sort((one, other) => other.amount - one.amount);
  const whole = Math.max(1, daysBetween(project.from, project.to));
  const passed = Math.min(whole, Math.max(1, daysBetween(project.from, today)));
  const expected = project.isOver ? spent : Math.round((spent * whole) / passed);
  return { spent, left: project.limit - spent, parts, expected, fits: expected <= project.limit };
}
