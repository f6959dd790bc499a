// Promotions: what they ask for, whom they are for, and how often they may be used.
import { isWithin } from './calendar.mjs';
import { isInScope } from './prices.mjs';
import { addItem, countIn, put, refused, updateItem } from './tables.mjs';

const KINDS = ['percent', 'amount', 'getFree', 'bundle', 'tiers', 'shipping'];

function faultOf(state, promotion) {
  if (!KINDS.includes(promotion.kind)) return 'There is no such kind of promotion.';
  if (promotion.code !== null && promotionWithCode(state, promotion.code)) {
    return 'Another promotion has this code.';
  }
  if (promotion.kind === 'tiers'
    && promotion.tiers.some(({ from }, at) => at > 0 && from <= promotion.tiers[at - 1].from)) {
    return 'The tiers rise.';
  }
  return undefined;
}

const defaults = {
  code: null, scope: { all: true }, least: 0, group: null, from: 0, until: null, limit: null,
  perCustomer: null, priority: 10, stacks: true, excludes: null, isPaused: false,
};

const sameCode = (one, other) => one?.toUpperCase() === other.trim().toUpperCase();

export const promotionWithCode = (state, code) => Object.values(state.promotions)
  .find((promotion) => sameCode(promotion.code, code));

function added(state, { promotion }) {
  const complete = { ...defaults, ...promotion, uses: 0, usesBy: {} };
  const fault = faultOf(state, complete);
  return fault ? refused(state, fault)
    : addItem(state, 'promotions', 'd', complete).state;
}

/** Why a customer may not use a promotion now; undefined if nothing is against it. */
export function obstacle(state, promotion, customer) {
  if (promotion.isPaused || !isWithin(state.now, promotion)) return 'It does not run now.';
  if (promotion.limit !== null && promotion.uses >= promotion.limit) return 'It is used up.';
  const own = promotion.usesBy[customer?.id] ?? 0;
  if (promotion.perCustomer !== null && own >= promotion.perCustomer) return 'You have used it.';
  if (promotion.group !== null && customer?.group !== promotion.group) return 'It is not for you.';
  return undefined;
}

/** The promotions that may count for a cart: those without a code, and those of its codes. */
export function candidatesFor(state, cart, customer) {
  return Object.values(state.promotions)
    .filter((promotion) => (promotion.code === null
      || cart.coupons.some((code) => sameCode(promotion.code, code))))
    .filter((promotion) => obstacle(state, promotion, customer) === undefined)
    .sort((one, other) => one.priority - other.priority
      || one.id.localeCompare(other.id, 'en', { numeric: true }));
}

export const isLineInScope = (state, promotion, line) => (
  isInScope(state, promotion.scope, line.variant));

/** Counts a use of each promotion of an order, or takes it back. */
export function withUses(state, ids, customer, change) {
  return ids.reduce((next, id) => updateItem(next, 'promotions', id, (promotion) => ({
    ...promotion,
    uses: promotion.uses + change,
    usesBy: customer ? countIn(promotion.usesBy, customer, change) : promotion.usesBy,
  })), state);
}

export const promotionActions = {
  'promotion/added': added,
  'promotion/paused': (state, { id, isPaused }) => updateItem(state, 'promotions', id, (each) => (
    { ...each, isPaused })),
  'promotion/extended': (state, { id, until }) => updateItem(state, 'promotions', id, (each) => (
    until <= each.from ? each : put(each, 'until', until))),
};
