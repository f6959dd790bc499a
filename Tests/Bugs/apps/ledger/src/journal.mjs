// The order in which transactions are shown: by day, and in a day as they were entered.
export const initialJournal = [];

function isBefore(one, other) {
  return one.date < other.date || (one.date === other.date && one.number < other.number);
}

function placeFor(journal, byId, transaction) {
  let low = 0;
  let high = journal.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(byId[journal[middle]], transaction)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The journal after changes; only what came, went or has another day moves. */
export function ordered(journal, changes, byId) {
  const moved = changes.filter(({ before, after }) => before?.date !== after?.date);
  if (moved.length === 0) return journal;
  const gone = new Set(moved.filter(({ before }) => before).map(({ id }) => id));
  let next = gone.size ? journal.filter((id) => !gone.has(id)) : journal;
  for (const { id, after } of moved) {
    if (after) next = next.toSpliced(placeFor(next, byId, after), 0, id);
  }
  return next;
}
