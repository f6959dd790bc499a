// Five friends walk through the north for three weeks. Lea types what was paid.
import { settlement } from './src/balances.mjs';

const STEPS = 1500;
const PEOPLE = ['Lea', 'Max', 'Nils', 'Olga', 'Pia'];
const THINGS = ['Supper', 'Bus', 'Hut', 'Bread and cheese', 'Ferry', 'Museum', 'Tent', 'Coffee'];

export function simulate(store, { clock, int, pick, chance, newId }) {
  let count = 0;
  const state = () => store.getState();
  const ids = () => Object.keys(state().people);
  const send = (type, given = {}) => {
    clock.pass(300 + int(4000));
    count += 1;
    store.dispatch({ type, ...given });
  };

  function type(field, text) {
    const half = Math.ceil(text.length / 2);
    send('draft/typed', { field, text: text.slice(0, half) });
    send('draft/typed', { field, text });
  }

  function amountText() {
    if (chance(0.3)) return `${5 * (1 + int(16))}`;
    return `${2 + int(90)},${10 * int(10)}`.replace(',0', ',00');
  }

  function share() {
    if (chance(0.25)) send('draft/shareSwitched', { id: pick(ids()) });
    if (chance(0.08)) send('draft/shareSet', { id: pick(ids()), weight: 2 });
  }

  function enter() {
    send('draft/opened', { id: newId('e'), payer: pick(ids()) });
    type('what', pick(THINGS));
    type('amount', amountText());
    if (chance(0.35)) send('draft/typed', { field: 'currency', text: pick(['SEK', 'NOK']) });
    share();
    send('draft/saved');
    fix();
  }

  /** Lea forgets a field now and then. */
  function fix() {
    if (!state().notice) return;
    send('notice/closed');
    if (chance(0.5)) { send('draft/closed'); return; }
    send('draft/shareSwitched', { id: pick(ids()) });
    send('draft/saved');
    if (state().notice) send('notice/closed');
    if (state().draft.id) send('draft/closed');
  }

  /** A deposit or a ticket that comes back. Mostly round sums. */
  function refund() {
    send('draft/opened', { id: newId('e'), payer: pick(ids()) });
    type('what', `${pick(['Tent', 'Ferry', 'Hut'])} deposit back`);
    type('amount', chance(0.75) ? `${10 * (1 + int(9))}` : `${10 + int(30)},${11 + int(80)}`);
    send('draft/refundSwitched');
    if (chance(0.2)) send('draft/shareSwitched', { id: pick(ids()) });
    send('draft/saved');
    fix();
  }

  function correct() {
    const { journal, expenses } = state();
    const old = journal.slice(-8).filter((id) => expenses[id].amount > 0);
    if (!old.length) return;
    send('draft/edited', { id: pick(old) });
    pick([
      () => type('amount', amountText()),
      () => type('what', pick(THINGS)),
      () => send('draft/payerChosen', { id: pick(ids()) }),
      () => send('draft/shareSwitched', { id: pick(ids()) }),
    ])();
    send('draft/saved');
    fix();
  }

  function look() {
    send('filter/set', { filter: { personId: pick(ids()) } });
    if (chance(0.4)) send('filter/set', { filter: { text: pick(THINGS).slice(0, 3) } });
    send('filter/set', { filter: { personId: null, text: '' } });
  }

  function settle() {
    const [first] = settlement(state().balances);
    if (first && first.amount > 4000) send('payments/made', { ...first, at: count });
  }

  function rates() {
    const rate = (middle) => Number((middle * (0.98 + int(40) / 1000)).toFixed(3));
    send('rates/fetched', {
      rates: { SEK: rate(11.2), NOK: rate(11.6) }, meta: { from: 'server' },
    });
  }

  for (const name of PEOPLE) send('people/added', { id: newId('p'), name });
  rates();
  while (count < STEPS) {
    pick([enter, enter, enter, correct, look, look, chance(0.5) ? settle : look,
      chance(0.2) ? rates : enter, chance(0.3) ? refund : correct])();
    if (chance(0.02) && state().journal.length > 3) {
      send('expenses/removed', { id: pick(state().journal.slice(-3)) });
    }
    if (chance(0.004)) send('people/weighed', { id: pick(ids()), weight: pick([1, 2]) });
  }
}
