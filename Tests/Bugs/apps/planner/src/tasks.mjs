// Tasks with due days. Some repeat.
import { addDays, addMonths, HOUR } from './civil.mjs';
import { committed } from './commit.mjs';
import { newEvent } from './events.mjs';
import { change, omit, without } from './lists.mjs';
import { withFault, withNotice } from './notices.mjs';
import { dateIn } from './zones.mjs';

export const noTasks = { byId: {}, order: [] };

const PRIORITIES = ['low', 'normal', 'high'];

function added(state, { id, title, due = null, repeat = null, minutes = HOUR, ...rest }) {
  const clean = title.trim(), priority = rest.priority ?? 'normal';
  if (!clean) return withFault(state, 'A task needs a title.');
  if (!PRIORITIES.includes(priority)) return withFault(state, `Priority ${priority}?`);
  if (repeat && !due) return withFault(state, 'What comes again needs a first day.');
  const task = {
    id, title: clean, due, anchor: due, repeat, minutes, priority, parts: [], doneAt: null, runs: 0,
    blockId: null,
  };
  const { byId, order } = state.tasks;
  return { ...state, tasks: { byId: { ...byId, [id]: task }, order: [...order, id] } };
}

/** The next due day of a repeating task. */
function nextDue({ anchor, due, repeat }) {
  let turn = 1, next = dueAfter(anchor, repeat, turn);
  while (next <= due) {
    turn += 1;
    next = dueAfter(anchor, repeat, turn);
  }
  return next;
}

function dueAfter(anchor, { unit, every }, turns) {
  return unit === 'months' ? addMonths(anchor, every * turns)
    : addDays(anchor, every * turns * (unit === 'weeks' ? 7 : 1));
}

function checked(state, { id }) {
  const task = state.tasks.byId[id];
  if (!task || task.doneAt !== null) return state;
  const parts = task.parts.map((part) => ({ ...part, isDone: task.repeat === null }));
  const next = task.repeat
    ? { ...task, parts, due: nextDue(task), runs: task.runs + 1, blockId: null }
    : { ...task, parts, doneAt: state.now };
  return withNotice(withTask(state, next), `Done: ${task.title}`);
}

const withTask = (state, task) => ({
  ...state, tasks: change(state.tasks, 'byId', (byId) => ({ ...byId, [task.id]: task })),
});

/** Changes a task. A new due day becomes the anchor of its repetition. */
function edited(state, { id, fields }) {
  const task = state.tasks.byId[id];
  if (!task) return state;
  const anchor = fields.due && fields.due !== task.due ? fields.due : task.anchor;
  return withTask(state, { ...task, ...fields, anchor });
}

function partAdded(state, { id, title }) {
  const task = state.tasks.byId[id];
  if (!task || !title.trim()) return state;
  const parts = [...task.parts, { title: title.trim(), isDone: false }];
  return withTask(state, { ...task, parts });
}

function partChecked(state, { id, index }) {
  const task = state.tasks.byId[id];
  if (!task?.parts[index]) return state;
  const parts = task.parts.with(index, {
    ...task.parts[index], isDone: !task.parts[index].isDone,
  });
  const next = withTask(state, { ...task, parts });
  return parts.every(({ isDone }) => isDone) ? checked(next, { id }) : next;
}

/** Time in the calendar for a task. */
function blocked(state, { id, eventId, start }) {
  const task = state.tasks.byId[id];
  if (!task) return state;
  const event = newEvent(state, {
    id: eventId, title: task.title, start, minutes: task.minutes, category: 'task', alarms: [],
  });
  const next = committed(state, [{ id: eventId, after: event }],
    { text: `Time for ${task.title}` });
  return withTask(next, { ...task, blockId: eventId });
}

/** Open tasks: overdue ones first, then by day and priority. */
export function openTasks(state) {
  const rank = ({ priority }) => -PRIORITIES.indexOf(priority);
  return state.tasks.order.map((id) => state.tasks.byId[id])
    .filter(({ doneAt }) => doneAt === null)
    .sort((one, other) => compareDue(one, other) || rank(one) - rank(other));
}

function compareDue(one, other) {
  if (one.due === other.due) return 0;
  if (one.due === null || other.due === null) return one.due === null ? 1 : -1;
  return one.due < other.due ? -1 : 1;
}

export function dueLine(state, { due }) {
  const today = dateIn(state.now, state.settings.zone);
  if (due === null) return 'some day';
  if (due < today) return `overdue since ${due}`;
  return due === today ? 'today' : due === addDays(today, 1) ? 'tomorrow' : due;
}

export const taskHandlers = {
  'task/added': added,
  'task/edited': edited,
  'task/checked': checked,
  'task/partAdded': partAdded,
  'task/partChecked': partChecked,
  'task/blocked': blocked,
  'task/deleted': (state, { id }) => ({
    ...state,
    tasks: { byId: omit(state.tasks.byId, id), order: without(state.tasks.order, [id]) },
  }),
};
