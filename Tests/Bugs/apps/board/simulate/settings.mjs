// Mara's setup, which she changes now and then: columns, lanes, labels, rules, templates.
import { addDays, dayOf } from '../src/dates.mjs';
import { visibleBoard } from '../src/selectors.mjs';
import { TABLE, titleOf } from './words.mjs';

export function settingsOf({ mine, state, pick, chance, newId, anyCard, random }) {
  const content = () => state().content;

  function templates() {
    const known = Object.keys(state().templates.byId);
    if (known.length < 3) {
      const id = newId('template');
      mine({ type: 'templates/saved', id, cardId: anyCard(), name: 'Weekly' });
    } else if (chance(0.7)) {
      const place = { columnId: 'todo', laneId: 'rest' };
      mine({ type: 'templates/used', id: pick(known), cardId: newId('card'), ...place });
    } else {
      mine({ type: 'templates/removed', id: known[0] });
    }
    const left = Object.keys(state().templates.byId);
    if (Object.keys(state().recurring.byId).length < 3 && left.length) {
      mine({ type: 'recurring/added', id: newId('again'), templateId: pick(left),
        columnId: 'todo', laneId: 'rest', every: pick(['day', 'week', 'month']),
        from: addDays(dayOf(state().now), 1) });
    } else if (chance(0.3)) {
      mine({ type: 'recurring/removed', id: Object.keys(state().recurring.byId)[0] });
    }
  }

  function change() {
    const label = pick(content().labels.order);
    const column = pick(content().columns.order);
    pick([
      () => mine({ type: 'labels/added', id: newId('label'), name: titleOf(random).split(' ')[1] }),
      () => mine({ type: 'labels/renamed', id: label, name: titleOf(random).split(' ')[1] }),
      () => mine({ type: 'labels/recolored', id: label, color: pick(['blue', 'pink', 'teal']) }),
      () => content().labels.order.length > 5 && mine({ type: 'labels/removed', id: label }),
      () => content().labels.order.length > 4
        && mine({ type: 'labels/merged', from: label, to: content().labels.order[0] }),
      () => mine({ type: 'columns/limited', id: column, limit: pick([0, 12, 15]) }),
      () => mine({ type: 'columns/renamed', id: 'review', title: pick(['Review', 'Check']) }),
      () => mine({ type: 'columns/collapsed', id: column }),
      () => mine({ type: 'columns/kindChosen', id: 'review', kind: 'active' }),
      () => mine({ type: 'columns/moved', id: 'review', index: 2 }),
      () => mine({ type: 'columns/sortChosen', id: column, by: pick(['due', 'priority', 'age']) }),
      () => {
        const id = newId('column');
        mine({ type: 'columns/added', id, title: 'Parking', index: 1, kind: 'open' });
        mine({ type: 'columns/removed', id: chance(0.5) ? id : 'todo' });
        mine({ type: 'columns/removed', id });
      },
      () => {
        mine({ type: 'lanes/collapsed', id: 'mobile' });
        visibleBoard(state());
        mine({ type: 'lanes/collapsed', id: 'mobile' });
      },
      () => mine({ type: 'lanes/moved', id: 'mobile', index: 0 }),
      () => mine({ type: 'lanes/renamed', id: 'web', title: pick(['Web', 'Site']) }),
      () => mine({ type: 'lanes/recolored', id: 'web', color: 'blue' }),
      () => {
        const id = newId('lane');
        mine({ type: 'lanes/added', id, title: 'Event' });
        mine({ type: 'cards/moved', id: anyCard(), columnId: 'todo', laneId: id, index: 0 });
        mine({ type: 'lanes/removed', id });
      },
      () => mine({ type: 'prefs/chosen', key: 'density', value: pick(['compact', 'wide']) }),
      () => mine({ type: 'prefs/chosen', key: 'showsNumbers', value: chance(0.5) }),
      () => mine({ type: 'rules/toggled', id: pick(state().automation.order) }),
      () => mine({ type: 'members/roleChosen', id: 'ben', role: 'guest' }),
      () => mine({ type: 'members/renamed', id: 'ann', name: 'Ann Berg' }),
    ])();
  }

  function begin() {
    const join = (id, name) => mine({ type: 'members/joined', id, name, role: 'editor' });
    join('ann', 'Ann Berg');
    join('ben', 'Ben Okoro');
    join('ida', 'Ida Roux');
    join('tom', 'Ann Toms');
    mine({ type: 'labels/added', id: 'customer', name: 'customer', color: 'violet' });
    mine({ type: 'labels/added', id: 'debt', name: 'tech debt' });
    mine({ type: 'lanes/added', id: 'mobile', title: 'Mobile', color: 'teal' });
    mine({ type: 'lanes/added', id: 'web', title: 'Web' });
    mine({ type: 'rules/added', id: 'finish', when: { event: 'moved', columnId: 'done' },
      then: [{ do: 'unlabel', labelId: 'customer' }] });
    mine({ type: 'rules/added', id: 'checked', when: { event: 'checked' },
      then: [{ do: 'move', columnId: 'review' }] });
    mine({ type: 'rules/added', id: 'bugs', when: { event: 'labelled', labelId: 'bug' },
      then: [{ do: 'assign', memberId: 'ben' }, { do: 'due', days: 3 }] });
    mine({ type: 'rules/added', id: 'start', when: { event: 'created' },
      then: [{ do: 'label', labelId: 'debt' }] });
    mine({ type: 'rules/toggled', id: 'start' });
    mine({ type: 'transfer/imported', id: newId('import'), text: TABLE });
  }

  return { begin, change, templates };
}
