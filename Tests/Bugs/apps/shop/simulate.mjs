// A spring in a shop for hikers and climbers: visitors, staff, and the services outside.
import { DAY, HOUR, dayOf } from './src/calendar.mjs';
import * as back from './simulate/backOffice.mjs';
import * as opening from './simulate/opening.mjs';
import * as visits from './simulate/visits.mjs';
import * as world from './simulate/outside.mjs';

/** Helpers for all visits: clicks, chance, and a look at the state. */
class Shop {
  constructor(store, random) {
    this.store = store;
    this.random = random;
  }

  get state() {
    return this.store.getState();
  }

  do(type, payload, from) {
    const action = payload === undefined ? { type } : { type, payload };
    this.store.dispatch(from ? { ...action, meta: { from } } : action);
  }

  chance(share) {
    return this.random() < share;
  }

  number(least, most) {
    return least + Math.floor(this.random() * (most - least + 1));
  }

  pick(list) {
    return list[Math.floor(this.random() * list.length)];
  }

  all(table) {
    return Object.values(this.state[table]);
  }

  last(table) {
    return this.all(table).pop();
  }

  find(table, title) {
    return this.all(table).find((item) => item.title === title || item.name === title);
  }

  wait(minutes) {
    this.do('clock/advanced', { minutes }, 'clock');
  }

  /** Waits until a time of this day, if that is not over. */
  waitUntil(hour) {
    const minutes = dayOf(this.state.now) * DAY + hour * HOUR - this.state.now;
    if (minutes > 0) this.wait(minutes);
  }
}

const DAYS = 44;

/** Events that happen once, on their day. */
const plan = new Map([
  [2, back.startPromotions],
  [4, back.planPrices],
  [6, visits.earlyReturn],
  [7, visits.schoolOrder],
  [8, back.changePrices],
  [10, back.openTown],
  [12, back.bonusPoints],
  [14, back.importPrices],
  [16, visits.spendPoints],
  [18, back.retireThings],
  [20, back.revertPrices],
  [22, visits.schoolOrder],
  [24, visits.schoolReturn],
  [29, visits.schoolReturn],
  [25, back.countTown],
  [30, back.monthEnd],
  [33, back.rearrange],
  [34, visits.schoolReturn],
  [38, visits.spendPoints],
  [39, visits.schoolReturn],
  [40, back.countTown],
]);

/** Events of most days, and about how often. */
const habits = [
  [1, world.answerMails],
  [1, back.packOrders],
  [0.9, world.deliver],
  [0.95, visits.buy],
  [0.8, visits.buy],
  [0.4, visits.buy],
  [0.5, visits.browse],
  [0.5, visits.leaveCart],
  [0.7, visits.askReturn],
  [0.8, back.handleReturns],
  [0.25, visits.askQuestion],
  [0.5, back.answerQuestions],
  [0.25, visits.writeReview],
  [0.3, back.judgeReviews],
  [0.2, visits.rent],
  [0.6, back.manageRentals],
  [0.15, visits.wish],
  [0.3, back.sellInTown],
  [0.2, back.buyGoods],
  [0.6, back.receiveGoods],
  [0.3, back.moveGoods],
  [0.1, visits.subscribe],
  [0.12, visits.giftCard],
  [0.12, back.cancelSomething],
  [0.1, visits.changeAddress],
];

/** Plays the spring with a store and a seeded generator of numbers from 0 to 1. */
export function simulate(store, random) {
  const shop = new Shop(store, random);
  opening.openShop(shop);
  for (let day = 1; day <= DAYS; day++) {
    shop.wait(DAY * day - shop.state.now + 8 * HOUR);
    shop.do('staff/signedIn', { name: 'Nora', role: 'manager' });
    plan.get(day)?.(shop);
    if (day % 5 === 0) shop.do('staff/signedIn', { name: 'Ivo', role: 'clerk' });
    for (const [at, [share, habit]] of habits.entries()) {
      if (at % 8 === 4) shop.waitUntil(9 + at / 2);
      if (shop.chance(share)) habit(shop);
    }
    world.answerPayments(shop);
  }
}
