// Gift cards: money that was paid before.
import { DAY, isWithin } from './calendar.mjs';
import { withEntry } from './ledger.mjs';
import { withMail } from './outbox.mjs';
import { logged, putItem, numbered, refused, updateItem } from './tables.mjs';

const LIFE = 3 * 365 * DAY;
const LEAST = 500;
const SIGNS = 'ACDEFGHJKLMNPRTUVWXY34679';

/** A code that cannot be guessed from the one before, with a sign that shows typing errors. */
function codeOf(number) {
  let [left, code, sum] = [number * 7_919 + 104_729, '', 0];
  for (let at = 0; at < 7; at++) {
    const digit = left % SIGNS.length;
    code += SIGNS[digit];
    sum += digit * (at + 1);
    left = Math.floor(left / SIGNS.length) + (digit + 3) * 97;
  }
  return `${code}${SIGNS[sum % SIGNS.length]}`;
}

export function isCode(text) {
  const digits = [...text].map((sign) => SIGNS.indexOf(sign));
  if (digits.length !== 8 || digits.includes(-1)) return false;
  const sum = digits.slice(0, 7).reduce((total, digit, at) => total + digit * (at + 1), 0);
  return sum % SIGNS.length === digits[7];
}

export function withCard(state, customer, amount, source) {
  const { state: counted } = numbered(state, 'g');
  const code = codeOf(counted.counters.g);
  const next = putItem(counted, 'giftCards', {
    id: code, code, amount, balance: amount, source, until: state.now + LIFE, isVoid: false,
    uses: [],
  });
  return withMail(next, customer, 'giftCard', { code, amount });
}

const isUsable = (state, card) => card && !card.isVoid && card.balance > 0
  && isWithin(state.now, card);

export const cardsFor = (state, codes) => codes.map((code) => state.giftCards[code])
  .filter((card) => isUsable(state, card));

/** Takes money from a card, or puts it back with a negative amount. */
export function withUse(state, code, amount, order) {
  return updateItem(state, 'giftCards', code, (card) => ({
    ...card,
    balance: card.balance - amount,
    uses: logged(card.uses, { at: state.now, amount, order }, 20),
  }));
}

function bought(state, { customer, amount }) {
  if (amount < LEAST) return refused(state, 'A gift card has at least 5.00.');
  return withEntry(withCard(state, customer, amount, 'sold'), 'giftCardSold', amount, null);
}

function voided(state, { code }) {
  const card = state.giftCards[code];
  if (!isUsable(state, card)) return refused(state, 'This card has no money to take.');
  const next = updateItem(state, 'giftCards', code, (each) => ({ ...each, isVoid: true }));
  return withEntry(next, 'giftCardVoided', card.balance, null);
}

/** The open balance of all cards together. */
export const openBalance = (state) => Object.values(state.giftCards)
  .filter((card) => isUsable(state, card))
  .reduce((sum, { balance }) => sum + balance, 0);

export const giftCardActions = {
  'giftCard/bought': bought,
  'giftCard/voided': voided,
};
