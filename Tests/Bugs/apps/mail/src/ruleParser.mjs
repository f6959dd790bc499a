// Rules as one line each: `from:bank.example subject:statement then label Money/Bank, skip inbox`.
import { isAddress } from './addresses.mjs';
import { formatQuery } from './queryFormat.mjs';
import { parseQuery } from './queryParser.mjs';
import { fold } from './text.mjs';

const VERBS = [
  [/^label (.+)$/i, (name) => ({ kind: 'label', name: unquoted(name) })],
  [/^unlabel (.+)$/i, (name) => ({ kind: 'unlabel', name: unquoted(name) })],
  [/^(?:skip inbox|archive)$/i, () => ({ kind: 'archive' })],
  [/^(?:mark )?read$/i, () => ({ kind: 'read' })],
  [/^star$/i, () => ({ kind: 'star' })],
  [/^mute$/i, () => ({ kind: 'mute' })],
  [/^(?:trash|delete)$/i, () => ({ kind: 'trash' })],
  [/^never spam$/i, () => ({ kind: 'notSpam' })],
  [/^forward to (\S+)$/i, (address) => ({ kind: 'forward', address })],
  [/^stop$/i, () => ({ kind: 'stop' })],
];

const unquoted = (text) => text.trim().replace(/^"(.*)"$/, '$1');

/** `{ rule: { query, actions }, faults }`, where a fault is a sentence. */
export function parseRule(text, context) {
  const cut = splitAt(text, ' then ');
  if (cut.length < 2) return { rule: null, faults: ['A rule needs “then” and what to do.'] };
  const [condition, ...rest] = cut;
  const { query, faults } = parseQuery(condition, context);
  const actions = [], wrong = faults.map(({ message }) => message);
  if (query.kind === 'all') wrong.push('A rule needs words that decide about messages.');
  for (const part of splitAt(rest.join(' then '), ',').map((item) => item.trim())) {
    const action = parseAction(part);
    if (action.fault) wrong.push(action.fault);
    else actions.push(action);
  }
  wrong.push(...contradictions(actions));
  return { rule: wrong.length ? null : { query, actions }, faults: wrong };
}

/** Cuts a text at each `sign` outside of quotation marks. */
function splitAt(text, sign) {
  const parts = [];
  let part = '', isQuoted = false, index = 0;
  while (index < text.length) {
    if (text[index] === '"') isQuoted = !isQuoted;
    if (!isQuoted && text.startsWith(sign, index)) {
      parts.push(part);
      part = '';
      index += sign.length;
    } else {
      part += text[index];
      index += 1;
    }
  }
  return [...parts, part];
}

function parseAction(text) {
  for (const [pattern, make] of VERBS) {
    const found = pattern.exec(text);
    if (found) return checked(make(found[1]), text);
  }
  return { fault: text ? `“${text}” is nothing a rule can do.` : 'A comma has nothing behind it.' };
}

function checked(action, text) {
  return action.kind === 'forward' && !isAddress(action.address)
    ? { fault: `“${text}” needs an address.` } : action;
}

const OPPOSITES = [['trash', 'star'], ['trash', 'label'], ['trash', 'forward']];

function contradictions(actions) {
  const kinds = actions.map(({ kind }) => kind);
  return OPPOSITES.filter(([one, other]) => kinds.includes(one) && kinds.includes(other))
    .map(([one, other]) => `A rule cannot ${one} and ${other} the same message.`);
}

const NAMES = {
  archive: 'skip inbox', read: 'mark read', star: 'star', mute: 'mute', trash: 'trash',
  notSpam: 'never spam', stop: 'stop',
};

function formatAction(action) {
  switch (action.kind) {
    case 'label': case 'unlabel':
      return `${action.kind} ${/,/.test(action.name) ? `"${action.name}"` : action.name}`;
    case 'forward': return `forward to ${action.address}`;
    default: return NAMES[action.kind];
  }
}

export const formatRule = ({ query, actions }) =>
  `${formatQuery(query)} then ${actions.map(formatAction).join(', ')}`;

/** Renames a label in all rules that use it. */
export function rulesWithName(rules, oldName, newName) {
  const byId = {};
  for (const [id, rule] of Object.entries(rules.byId)) {
    const actions = rule.actions.map((action) => (action.name && fold(action.name) === fold(oldName)
      ? { ...action, name: newName } : action));
    byId[id] = { ...rule, actions, text: formatRule({ ...rule, actions }) };
  }
  return { ...rules, byId };
}
