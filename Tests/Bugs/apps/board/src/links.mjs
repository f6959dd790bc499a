// Which card waits for which: `waits[card]` are the cards that must be done first.
import { withElement, without } from './lists.mjs';
import { omitted } from './records.mjs';

export const initialLinks = { waits: {} };

export function linksReducer(links, action) {
  switch (action.type) {
    case 'links/added': {
      if (wouldCircle(links, action.id, action.on)) return links;
      const before = links.waits[action.id] ?? [];
      const after = withElement(before, action.on);
      return after === before ? links : { waits: { ...links.waits, [action.id]: after } };
    }
    case 'links/removed':
      return { waits: withoutLink(links.waits, action.id, action.on) };
    case 'cards/deleted': {
      const rest = omitted(links.waits, action.id);
      const waits = Object.keys(rest)
        .reduce((all, id) => withoutLink(all, id, action.id), rest);
      return waits === links.waits ? links : { waits };
    }
    default:
      return links;
  }
}

function withoutLink(waits, id, on) {
  const before = waits[id] ?? [];
  const after = without(before, on);
  if (after === before) return waits;
  return after.length ? { ...waits, [id]: after } : omitted(waits, id);
}

/** Whether a card would wait for itself, over any number of others. */
export function wouldCircle(links, id, on) {
  const open = [on];
  const seen = new Set();
  while (open.length) {
    const each = open.pop();
    if (each === id) return true;
    if (seen.has(each)) continue;
    seen.add(each);
    open.push(...(links.waits[each] ?? []));
  }
  return false;
}

export function blockersOf(links, cards, id) {
  return (links.waits[id] ?? []).filter((each) => {
    const card = cards.byId[each];
    return card && card.doneAt === null && card.archivedAt === null;
  });
}

export function waitingFor(links, id) {
  return Object.keys(links.waits).filter((each) => links.waits[each].includes(id));
}

/** How many cards in a row wait for each other, with this one as the last. */
export function chainLength(links, id) {
  const lengths = {};
  const lengthOf = (each) => {
    const waits = links.waits[each] ?? [];
    lengths[each] ??= 1 + Math.max(0, ...waits.map(lengthOf));
    return lengths[each];
  };
  return lengthOf(id);
}
