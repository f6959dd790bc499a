// Names of labels: `Clients/Atlas` is a label inside of `Clients`.
import { fold } from './text.mjs';

export const SYSTEM = {
  inbox: 'Inbox', unread: 'Unread', starred: 'Starred', sent: 'Sent', snoozed: 'Snoozed',
  spam: 'Spam', trash: 'Trash',
};

export const isSystem = (id) => Object.hasOwn(SYSTEM, id);

export function systemLabels() {
  const byId = {};
  for (const [id, name] of Object.entries(SYSTEM)) byId[id] = { id, name, color: null };
  return byId;
}

export const nameParts = (name) => name.split('/').map((part) => part.trim()).filter(Boolean);

export const cleanName = (name) => nameParts(name).join('/');

export function findLabel(labels, name) {
  const wanted = fold(cleanName(name));
  return Object.values(labels.byId).find((label) => fold(label.name) === wanted);
}

export function parentName(name) {
  const parts = nameParts(name);
  return parts.length > 1 ? parts.slice(0, -1).join('/') : null;
}

/** Whether the label `id` is somewhere inside of `outerId`. */
export function isWithin(labels, id, outerId) {
  const inner = labels.byId[id], outer = labels.byId[outerId];
  return Boolean(inner && outer) && fold(inner.name).startsWith(`${fold(outer.name)}/`);
}

export const depthOf = (name) => nameParts(name).length - 1;

/** The reason why a label cannot have this name, or null. */
export function nameFault(labels, name, ownId = null) {
  const clean = cleanName(name);
  if (!clean) return 'A label needs a name.';
  if (clean.length > 60) return 'The name of a label has at most 60 letters.';
  if (nameParts(clean).length > 4) return 'Labels can be four levels deep.';
  const other = findLabel(labels, clean);
  return other && other.id !== ownId ? `There is a label “${other.name}” already.` : null;
}

export function compareNames(one, other) {
  const [first, second] = [nameParts(fold(one)), nameParts(fold(other))];
  for (let level = 0; level < Math.min(first.length, second.length); level += 1) {
    if (first[level] !== second[level]) return first[level] < second[level] ? -1 : 1;
  }
  return first.length - second.length;
}

const COLORS = ['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'grey'];

/** The color that the fewest labels have, the first of the list among equals. */
export function freeColor(labels) {
  const used = (color) =>
    Object.values(labels.byId).filter((label) => label.color === color).length;
  return COLORS.reduce((best, color) => (used(color) < used(best) ? color : best));
}
