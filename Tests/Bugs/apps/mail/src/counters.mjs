// Counts messages and unread messages per label. Counts are updated, not recomputed, because the
// side bar shows them after each key.

export const emptyCounters = {};

const HIDING = ['spam', 'trash'];

/** A message in the bin counts there and nowhere else. */
function countedLabels(message) {
  const hidden = HIDING.filter((id) => message.labels.includes(id));
  return hidden.length ? hidden : message.labels.filter((id) => id !== 'unread');
}

function counts(counters, message, by) {
  const unread = message.labels.includes('unread') ? by : 0;
  const next = { ...counters };
  for (const id of countedLabels(message)) {
    const old = next[id] ?? { total: 0, unread: 0 };
    next[id] = { total: old.total + by, unread: old.unread + unread };
  }
  return next;
}

export function counted(counters, before, after) {
  const without = before ? counts(counters, before, -1) : counters;
  return after ? counts(without, after, 1) : without;
}

export const countOf = (counters, id) => counters[id] ?? { total: 0, unread: 0 };
