// Rules that a team makes for its board: "when a card comes to Done, remove the label urgent".
import { progressOf } from './checklist.mjs';
import { addDays, dayOf } from './dates.mjs';
import { changed, omitted, patched } from './records.mjs';
import { placeOf } from './placement.mjs';
import { without } from './lists.mjs';

export const initialAutomation = { rules: {}, order: [], runs: {} };

export function automationReducer(automation, action) {
  switch (action.type) {
    case 'rules/added': {
      const { id, when, then } = action;
      if (automation.rules[id] || then.length === 0) return automation;
      return {
        ...automation,
        rules: { ...automation.rules, [id]: { id, when, then, isOn: true } },
        order: [...automation.order, id],
      };
    }
    case 'rules/toggled': {
      const rules = changed(automation.rules, action.id, (rule) =>
        patched(rule, { isOn: !rule.isOn }));
      return rules === automation.rules ? automation : { ...automation, rules };
    }
    case 'rules/removed':
      return {
        rules: omitted(automation.rules, action.id),
        order: without(automation.order, action.id),
        runs: omitted(automation.runs, action.id),
      };
    case 'columns/removed':
      return disabled(automation, ({ when, then }) => when.columnId === action.id
        || then.some((step) => step.columnId === action.id));
    case 'labels/removed':
      return disabled(automation, ({ when, then }) => when.labelId === action.id
        || then.some((step) => step.labelId === action.id));
    default:
      return automation;
  }
}

function disabled(automation, isConcerned) {
  const ids = automation.order.filter((id) =>
    automation.rules[id].isOn && isConcerned(automation.rules[id]));
  if (ids.length === 0) return automation;
  const rules = { ...automation.rules };
  for (const id of ids) rules[id] = { ...rules[id], isOn: false };
  return { ...automation, rules };
}

export function ran(automation, ruleId) {
  const runs = { ...automation.runs, [ruleId]: (automation.runs[ruleId] ?? 0) + 1 };
  return { ...automation, runs };
}

/** The events of cards, in the words of rules. */
function eventsOf(changes, content) {
  const events = [];
  for (const { id, before, after } of changes.places) {
    if (after && before?.columnId !== after.columnId) {
      events.push({ event: 'moved', cardId: id, columnId: after.columnId });
    }
  }
  for (const { id, kind, fields } of changes.cards) {
    if (kind === 'created') events.push({ event: 'created', cardId: id });
    const labels = fields?.labelIds;
    for (const labelId of labels?.after ?? []) {
      if (!labels.before.includes(labelId)) events.push({ event: 'labelled', cardId: id, labelId });
    }
    const list = fields?.checklist;
    if (list && progressOf(list.after).isComplete && !progressOf(list.before).isComplete) {
      events.push({ event: 'checked', cardId: id });
    }
  }
  return events.filter(({ cardId }) => content.cards.byId[cardId]);
}

function isMeant(when, event) {
  return when.event === event.event
    && (when.columnId === undefined || when.columnId === event.columnId)
    && (when.labelId === undefined || when.labelId === event.labelId);
}

function actionOf(step, cardId, content, at) {
  const card = content.cards.byId[cardId];
  const place = placeOf(content.placement, cardId);
  switch (step.do) {
    case 'label':
      return card.labelIds.includes(step.labelId) || !content.labels.byId[step.labelId]
        ? undefined : { type: 'cards/labelled', cardId, labelId: step.labelId, at };
    case 'unlabel':
      return card.labelIds.includes(step.labelId)
        ? { type: 'cards/unlabelled', cardId, labelId: step.labelId, at } : undefined;
    case 'assign':
      return card.memberIds.length > 0
        ? undefined : { type: 'cards/assigned', cardId, memberId: step.memberId, at };
    case 'due':
      return card.due !== null
        ? undefined : { type: 'cards/dueSet', id: cardId, day: addDays(dayOf(at), step.days), at };
    case 'move':
      return !place || place.columnId === step.columnId ? undefined : {
        type: 'cards/moved',
        id: cardId,
        columnId: step.columnId,
        laneId: place.laneId,
        index: 0,
        at,
      };
    default:
      return undefined;
  }
}

/** The actions that rules add to what a person did, each with the rule that wants it. */
export function followUps(automation, changes, content, at) {
  const found = [];
  for (const event of eventsOf(changes, content)) {
    for (const id of automation.order) {
      const { when, then, isOn } = automation.rules[id];
      if (!isOn || !isMeant(when, event)) continue;
      for (const step of then) {
        const action = actionOf(step, event.cardId, content, at);
        if (action) found.push({ ruleId: id, action });
      }
    }
  }
  return found;
}
