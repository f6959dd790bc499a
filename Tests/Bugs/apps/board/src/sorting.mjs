import { PRIORITIES } from './cards.mjs';
import { sortedBy } from './lists.mjs';
import { folded } from './text.mjs';

const LATEST = '9999-12-31';

const KEYS = {
  due: [(card) => card.due ?? LATEST, (card) => -PRIORITIES.indexOf(card.priority)],
  priority: [(card) => -PRIORITIES.indexOf(card.priority), (card) => card.due ?? LATEST],
  title: [(card) => folded(card.title)],
  age: [(card) => card.createdAt],
  estimate: [(card) => -(card.estimate ?? -1)],
};

/** The ids of cards in the order that a person chose, the oldest number first where equal. */
export function sortedIds(ids, cards, by) {
  const keys = KEYS[by];
  if (!keys) return ids;
  const found = ids.map((id) => cards.byId[id]);
  return sortedBy(found, ...keys, (card) => card.number).map((card) => card.id);
}
