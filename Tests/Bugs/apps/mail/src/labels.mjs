// The user's labels: made, renamed with all inside of them, painted, merged and deleted.
import { fold, plural } from './text.mjs';
import {
  cleanName, compareNames, findLabel, freeColor, isSystem, isWithin, nameFault, parentName,
  systemLabels,
} from './labelNames.mjs';
import { inserted, omit, without } from './lists.mjs';
import { refiled, relabeled } from './mailbox.mjs';
import { withNotice } from './notices.mjs';
import { queued } from './outbox.mjs';
import { rulesWithName } from './ruleParser.mjs';

export const startLabels = { byId: systemLabels(), order: [] };

const byName = (byId) => (one, other) => compareNames(byId[one].name, byId[other].name);

export function withLabel(labels, label) {
  const byId = { ...labels.byId, [label.id]: label };
  const order = isSystem(label.id) ? labels.order
    : inserted(without(labels.order, [label.id]), label.id, byName(byId));
  return { byId, order };
}

function created(state, { id, name }) {
  const fault = nameFault(state.labels, name);
  if (fault) return withNotice(state, fault, { isFault: true });
  let { labels, outbox } = state;
  for (const [index, part] of missingNames(labels, cleanName(name)).entries()) {
    const label = { id: index === 0 ? id : `${id}.${index}`, name: part, color: freeColor(labels) };
    labels = withLabel(labels, label);
    outbox = queued(outbox, { kind: 'label', label });
  }
  return refiled({ ...state, labels, outbox });
}

/** The name itself and then those around it that do not exist yet. */
function missingNames(labels, name) {
  const outer = parentName(name);
  return outer && !findLabel(labels, outer) ? [name, ...missingNames(labels, outer)] : [name];
}

function renamedLabel(state, { id, name }) {
  const label = state.labels.byId[id], clean = cleanName(name);
  if (!label || isSystem(id) || label.name === clean) return state;
  const fault = nameFault(state.labels, clean, id) ?? nestingFault(label.name, clean);
  if (fault) return withNotice(state, fault, { isFault: true });
  const inner = state.labels.order.filter((other) => isWithin(state.labels, other, id));
  let { labels, outbox, rules } = state;
  for (const changedId of [id, ...inner]) {
    const old = labels.byId[changedId];
    const next = { ...old, name: clean + old.name.slice(label.name.length) };
    labels = withLabel(labels, next);
    rules = rulesWithName(rules, old.name, next.name);
    outbox = queued(outbox, { kind: 'label', label: next });
  }
  const next = { ...state, labels, outbox, rules };
  return refiled(withNotice(next, `“${label.name}” is now “${clean}”.`));
}

function nestingFault(name, next) {
  return fold(next).startsWith(`${fold(name)}/`) ? 'A label cannot be inside of itself.' : null;
}

function painted(state, { id, color }) {
  const label = state.labels.byId[id];
  if (!label || isSystem(id) || label.color === color) return state;
  const next = { ...label, color };
  return {
    ...state, labels: withLabel(state.labels, next),
    outbox: queued(state.outbox, { kind: 'label', label: next }),
  };
}

/** Deletes a label and those inside of it. Messages stay, without them. */
function deleted(state, { id }) {
  const label = state.labels.byId[id];
  if (!label || isSystem(id)) return state;
  const gone = [id, ...state.labels.order.filter((other) => isWithin(state.labels, other, id))];
  const next = gone.reduce(withoutLabel, state);
  const outbox = queued(next.outbox, { kind: 'labelGone', ids: gone });
  const inner = gone.length - 1;
  const text = inner ? `“${label.name}” and ${plural(inner, 'label')} in it are gone.`
    : `“${label.name}” is gone.`;
  return withNotice({ ...next, outbox }, text);
}

export function withoutLabel(state, id) {
  if (!state.labels.byId[id]) return state;
  const holders = Object.values(state.messages).filter(({ labels }) => labels.includes(id));
  const bare = holders.reduce(
    (result, { id: messageId }) => relabeled(result, { messageId, remove: [id] }), state);
  const { labels, view } = bare;
  return refiled({
    ...bare,
    labels: { byId: omit(labels.byId, id), order: without(labels.order, [id]) },
    counters: omit(bare.counters, id),
    view: view.place.kind === 'label' && view.place.id === id
      ? { ...view, place: { kind: 'label', id: 'inbox' }, page: 0 } : view,
  });
}

export const labelHandlers = {
  'label/created': created,
  'label/renamed': renamedLabel,
  'label/painted': painted,
  'label/deleted': deleted,
};
