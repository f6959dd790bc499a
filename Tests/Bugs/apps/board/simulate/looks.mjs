// How Mara looks at the board: filters, the keyboard, and what is new.
import { faces, logLines, statusLine, visibleBoard } from '../src/selectors.mjs';
import { titleOf } from './words.mjs';

export function looksOf({ mine, type, state, int, pick, chance, anyCard, random }) {
  const content = () => state().content;

  function search() {
    const word = titleOf(random).split(' ').pop();
    const text = pick([word, `label:bug ${word}`, 'is:mine due<7d', '-@ann is:open or is:soon',
      'priority>=high', '"the" estimate>2', 'is:blocked', 'column:doing', 'lane:mobile',
      'label:feature or label:bug', 'due:none -is:done', 'age>3 comments>0', '#12', 'is:unassigned',
      'is:overdue or is:watched', 'estimate:x who:me due:never is:what']);
    type(text, (start) => ({ type: 'filters/typed', text: start }));
    visibleBoard(state());
    if (chance(0.2)) mine({ type: 'filters/saved', name: text.slice(0, 12) });
    if (chance(0.3)) {
      mine({ type: 'filters/labelToggled', id: pick(content().labels.order) });
      mine({ type: 'filters/memberToggled', id: pick(['me', 'ann']) });
      faces(state(), pick(content().columns.order));
    }
    mine({ type: 'filters/cleared' });
    const name = pick(Object.keys(state().filters.saved));
    if (name && chance(0.3)) {
      mine({ type: 'filters/applied', name });
      if (chance(0.3)) mine({ type: 'filters/forgotten', name });
      mine({ type: 'filters/cleared' });
    }
  }

  function keys() {
    mine({ type: 'focus/moved', direction: 'down' });
    const length = 1 + int(4);
    for (let each = 0; each < length; each += 1) {
      mine({ type: 'focus/moved', direction: pick(['up', 'down', 'left', 'right']) });
    }
    if (chance(0.2)) mine({ type: 'focus/set', id: anyCard() });
  }

  function news() {
    const { items } = state().notifications;
    if (items.length && chance(0.6)) mine({ type: 'notifications/read', id: pick(items).id });
    else mine({ type: 'notifications/allRead' });
    if (chance(0.1)) mine({ type: 'notifications/muted', cardId: anyCard() });
    logLines(state(), 10);
    statusLine(state());
  }

  return { keys, news, search };
}
