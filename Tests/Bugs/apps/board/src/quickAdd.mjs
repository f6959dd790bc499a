// A card in one line: "Fix the login *bug @ann !high ~3 due fri /Mobile".
import { PRIORITIES } from './cards.mjs';
import { parsedDay } from './dates.mjs';
import { labelNamed } from './labels.mjs';
import { REST, laneNamed } from './lanes.mjs';
import { memberByHandle } from './members.mjs';
import { tidied } from './text.mjs';

const MARK = /(?:^|\s)([*@!~/])(\S+)/g;
const DUE = /(?:^|\s)due ((?:in )?\d{1,3} ?\w+|next week|\d{4}-\d{2}-\d{2}|[a-z]+)\s*$/i;

/** Reads a line about a card. An unknown mark stays in the title. */
export function readLine(line, content, today) {
  const fields = { labelIds: [], memberIds: [] };
  let laneId = REST;
  let rest = line;
  const due = DUE.exec(rest);
  const day = due && parsedDay(due[1], today);
  if (day) {
    fields.due = day;
    rest = rest.slice(0, due.index);
  }
  const title = rest.replace(MARK, (whole, mark, value) => {
    switch (mark) {
      case '*': {
        const label = labelNamed(content.labels, value.replaceAll('-', ' '));
        if (label) fields.labelIds.push(label.id);
        return label ? ' ' : whole;
      }
      case '@': {
        const member = memberByHandle(content.members, value.toLowerCase());
        if (member?.isActive) fields.memberIds.push(member.id);
        return member?.isActive ? ' ' : whole;
      }
      case '!': {
        const priority = PRIORITIES.find((each) => each.startsWith(value.toLowerCase()));
        if (priority) fields.priority = priority;
        return priority ? ' ' : whole;
      }
      case '~':
        if (!/^\d+(\.5)?$/.test(value)) return whole;
        fields.estimate = Number(value);
        return ' ';
      default: {
        const found = laneNamed(content.lanes, value.replaceAll('-', ' '));
        laneId = found ?? laneId;
        return found ? ' ' : whole;
      }
    }
  });
  return { title: tidied(title), laneId, fields };
}

export function quickAction(action, content, today) {
  const { title, laneId, fields } = readLine(action.line, content, today);
  const { id, columnId, at, by } = action;
  return { type: 'cards/added', id, title, columnId, laneId, index: 0, at, by, fields };
}
