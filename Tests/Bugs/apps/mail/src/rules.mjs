// The user's rules, and what they do to a message that arrives or to all that are there.
import { cleanName, findLabel, freeColor } from './labelNames.mjs';
import { withLabel } from './labels.mjs';
import { change, moved, omit, union, without } from './lists.mjs';
import { contextOf } from './mailbox.mjs';
import { performed } from './gestures.mjs';
import { withNotice } from './notices.mjs';
import { queued } from './outbox.mjs';
import { matches } from './queryMatch.mjs';
import { formatRule, parseRule } from './ruleParser.mjs';
import { plural } from './text.mjs';

export const noRules = { byId: {}, order: [] };

function written(state, { id, text }) {
  const { rule, faults } = parseRule(text, contextOf(state));
  if (faults.length) return withNotice(state, faults[0], { isFault: true });
  const old = state.rules.byId[id];
  const next = {
    id, ...rule, text: formatRule(rule), isOn: old?.isOn ?? true, hits: old?.hits ?? 0,
  };
  const rules = {
    byId: { ...state.rules.byId, [id]: next },
    order: old ? state.rules.order : [...state.rules.order, id],
  };
  return rule.actions.reduce(withNamedLabel, { ...state, rules });
}

/** Creates the label that a rule names, if it does not exist yet. */
function withNamedLabel(state, { kind, name }) {
  if (kind !== 'label' || findLabel(state.labels, name)) return state;
  const label = {
    id: `label-${cleanName(name).toLowerCase().replace(/[^a-z0-9]+/g, '-')}`,
    name: cleanName(name), color: freeColor(state.labels),
  };
  return {
    ...state, labels: withLabel(state.labels, label),
    outbox: queued(state.outbox, { kind: 'label', label }),
  };
}

/** The result of all rules for a message: labels to add and remove, forwards, and more. */
export function verdictOf(state, message) {
  const verdict = { add: [], remove: [], isMuted: false, isTrusted: false, forwards: [], hits: [] };
  const context = contextOf(state);
  for (const id of state.rules.order) {
    const rule = state.rules.byId[id];
    if (!rule.isOn || !matches(rule.query, message, context)) continue;
    verdict.hits.push(id);
    for (const action of rule.actions) judged(verdict, action, state.labels);
    if (rule.actions.some(({ kind }) => kind === 'stop')) break;
  }
  return verdict;
}

function judged(verdict, action, labels) {
  const give = (id) => {
    verdict.add = union(verdict.add, [id]);
    verdict.remove = without(verdict.remove, [id]);
  };
  const take = (id) => {
    verdict.remove = union(verdict.remove, [id]);
    verdict.add = without(verdict.add, [id]);
  };
  const named = action.name && findLabel(labels, action.name)?.id;
  switch (action.kind) {
    case 'label': if (named) give(named); break;
    case 'unlabel': if (named) take(named); break;
    case 'archive': take('inbox'); break;
    case 'read': take('unread'); break;
    case 'star': give('starred'); break;
    case 'trash': give('trash'); take('inbox'); break;
    case 'mute': verdict.isMuted = true; break;
    case 'notSpam': verdict.isTrusted = true; break;
    case 'forward': verdict.forwards.push(action.address); break;
    default: break;
  }
}

export function countedHits(rules, hits) {
  return hits.reduce((result, id) => change(result, 'byId',
    (byId) => change(byId, id, (rule) => ({ ...rule, hits: rule.hits + 1 }))), rules);
}

/** Runs one rule on all messages. It changes labels and forwards nothing. */
function appliedToAll(state, { id }) {
  const rule = state.rules.byId[id];
  if (!rule) return state;
  const context = contextOf(state);
  const alone = { order: [id], byId: { [id]: { ...rule, isOn: true } } };
  const changes = Object.values(state.messages)
    .filter((message) => matches(rule.query, message, context))
    .map((message) => {
      const { add, remove } = verdictOf({ ...state, rules: alone }, message);
      return { messageId: message.id, add, remove };
    });
  return performed(state, changes, `Rule applied to ${plural(changes.length, 'message')}.`);
}

export const ruleHandlers = {
  'rule/written': written,
  'rule/applied': appliedToAll,
  'rule/switched': (state, { id, isOn }) => (state.rules.byId[id] ? {
    ...state, rules: change(state.rules, 'byId',
      (byId) => change(byId, id, (rule) => ({ ...rule, isOn }))),
  } : state),
  'rule/moved': (state, { from, to }) => ({
    ...state, rules: change(state.rules, 'order', (order) => moved(order, from, to)),
  }),
  'rule/deleted': (state, { id }) => ({
    ...state,
    rules: { byId: omit(state.rules.byId, id), order: without(state.rules.order, [id]) },
  }),
};
