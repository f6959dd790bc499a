// Cards from a table: each row becomes the fields of a card, or a problem that people can read.
import { PRIORITIES } from './cards.mjs';
import { firstOfKind } from './columns.mjs';
import { parsedCsv } from './csv.mjs';
import { parsedDay } from './dates.mjs';
import { labelNamed } from './labels.mjs';
import { REST, laneNamed } from './lanes.mjs';
import { memberByHandle } from './members.mjs';
import { folded, tidied } from './text.mjs';

const NAMES = {
  title: ['title', 'name', 'summary', 'task'],
  description: ['description', 'notes', 'text', 'details'],
  column: ['column', 'list', 'status', 'state'],
  lane: ['lane', 'swimlane', 'project'],
  labels: ['labels', 'tags'],
  members: ['members', 'assignee', 'owner', 'who'],
  due: ['due', 'due date', 'deadline'],
  estimate: ['estimate', 'points', 'size'],
  priority: ['priority'],
  checklist: ['checklist', 'subtasks'],
};

/** Which field each column of a table is; the first header that fits wins. */
function mappedHeaders(headers) {
  const mapping = {};
  for (const [index, header] of headers.entries()) {
    const name = folded(tidied(header));
    const field = Object.keys(NAMES).find((each) => NAMES[each].includes(name));
    if (field && mapping[field] === undefined) mapping[field] = index;
  }
  return mapping;
}

function parts(text) {
  return text.split(/[|,;]/).map(tidied).filter(Boolean);
}

function itemsOf(text, id) {
  return text.split('\n').filter((line) => line.trim()).map((line, index) => ({
    id: `${id}-item-${index}`,
    text: tidied(line.replace(/^\[[ x]\] /, '')),
    isDone: line.startsWith('[x]'),
  }));
}

function columnFor(columns, title) {
  const wanted = folded(tidied(title));
  const found = columns.order.find((id) => folded(columns.byId[id].title) === wanted);
  return found ?? firstOfKind(columns, 'open') ?? columns.order[0];
}

function readRow(row, mapping, content, { id, today }) {
  const problems = [];
  const get = (field) => (mapping[field] === undefined ? '' : row[mapping[field]] ?? '').trim();
  const due = get('due') ? parsedDay(get('due'), today) : null;
  if (due === undefined) problems.push(`“${get('due')}” is no day`);
  const estimate = get('estimate') === '' ? null : Number(get('estimate').replace(',', '.'));
  if (Number.isNaN(estimate)) problems.push(`“${get('estimate')}” is no number`);
  const priority = folded(get('priority')) || 'normal';
  if (!PRIORITIES.includes(priority)) problems.push(`“${get('priority')}” is no priority`);
  const labels = parts(get('labels')).map((name) => labelNamed(content.labels, name)?.id);
  const members = parts(get('members'))
    .map((handle) => memberByHandle(content.members, folded(handle).replace(/^@/, ''))?.id);
  if (labels.includes(undefined)) problems.push('a label is unknown');
  if (members.includes(undefined)) problems.push('a member is unknown');
  return {
    problems,
    title: tidied(get('title')),
    columnId: columnFor(content.columns, get('column')),
    laneId: laneNamed(content.lanes, get('lane')) ?? REST,
    fields: {
      description: get('description'),
      due: due ?? null,
      estimate: Number.isNaN(estimate) ? null : estimate,
      priority: PRIORITIES.includes(priority) ? priority : 'normal',
      labelIds: [...new Set(labels.filter(Boolean))],
      memberIds: [...new Set(members.filter(Boolean))],
      checklist: itemsOf(get('checklist'), id),
    },
  };
}

/** The actions that add the cards of a table, and what was not understood, by line. */
export function importedCards(text, content, { prefix, at, by, today }) {
  const [headers = [], ...rows] = parsedCsv(text);
  const mapping = mappedHeaders(headers);
  const report = { added: 0, skipped: 0, problems: [] };
  if (mapping.title === undefined) {
    return { actions: [], report: { ...report, problems: [{ line: 1, text: 'no title column' }] } };
  }
  const titles = new Set(Object.values(content.cards.byId).map((card) => folded(card.title)));
  const actions = [];
  for (const [index, row] of rows.entries()) {
    const id = `${prefix}-${index}`;
    const { problems, title, columnId, laneId, fields } =
      readRow(row, mapping, content, { id, today });
    for (const problem of problems) report.problems.push({ line: index + 2, text: problem });
    if (!title || titles.has(folded(title))) {
      report.skipped += 1;
      continue;
    }
    titles.add(folded(title));
    report.added += 1;
    actions.push({ type: 'cards/added', id, title, columnId, laneId, at, by, fields });
  }
  return { actions, report };
}
