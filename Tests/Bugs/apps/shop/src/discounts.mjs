// Discounts: what each promotion takes off the lines of a cart, and which of them go together.
import { allocate, percentOf, sumOf } from './money.mjs';
import { isLineInScope } from './promotions.mjs';

/** Lines while discounts are taken off: `left` is what a line still costs. */
const totalLeft = (lines) => sumOf(lines, ({ left }) => left);

const spread = (amount, lines) => {
  const parts = allocate(Math.min(amount, totalLeft(lines)), lines.map(({ left }) => left));
  return new Map(lines.map(({ id }, at) => [id, parts[at]]));
};

/** One entry for each piece, the cheapest pieces first. */
const piecesOf = (lines) => lines
  .flatMap((line) => Array.from({ length: line.quantity }, () => (
    { line, price: Math.floor(line.left / line.quantity) })))
  .sort((one, other) => one.price - other.price || one.line.id.localeCompare(other.line.id));

function sharesOfPieces(pieces) {
  const shares = new Map();
  for (const { line, price } of pieces) shares.set(line.id, (shares.get(line.id) ?? 0) + price);
  return shares;
}

/** Of each `buy` + `free` pieces the cheapest `free` ones cost nothing. */
function freePieces({ buy, free }, lines) {
  const pieces = piecesOf(lines);
  const sets = Math.floor(pieces.length / (buy + free));
  return sharesOfPieces(pieces.slice(0, sets * free));
}

/** One piece of each part of the bundle together, for one price, as often as there are sets. */
function bundled(state, { parts, price }, lines) {
  const byPart = parts.map((scope) => piecesOf(lines.filter((line) => (
    isLineInScope(state, { scope }, line)))).reverse());
  const sets = Math.min(...byPart.map((pieces) => pieces.length));
  const shares = new Map();
  for (let set = 0; set < sets; set++) {
    const pieces = byPart.map((each) => each[set]);
    const saved = Math.max(0, sumOf(pieces, (piece) => piece.price) - price);
    const cuts = allocate(saved, pieces.map((piece) => piece.price));
    for (const [at, { line }] of pieces.entries()) {
      shares.set(line.id, (shares.get(line.id) ?? 0) + cuts[at]);
    }
  }
  return shares;
}

function tierFor({ tiers }, value) {
  return tiers.findLast(({ from }) => value >= from);
}

/** The discount of each kind of promotion on lines: a map from the line's id to cents. */
const kinds = {
  percent: (_, { percent }, lines) => new Map(lines.map(({ id, left }) => (
    [id, percentOf(left, percent)]))),
  amount: (_, { amount }, lines) => spread(amount, lines),
  getFree: (_, promotion, lines) => freePieces(promotion, lines),
  bundle: (state, promotion, lines) => bundled(state, promotion, lines),
  tiers: (_, promotion, lines) => {
    const tier = tierFor(promotion, totalLeft(lines));
    return tier ? spread(percentOf(totalLeft(lines), tier.percent), lines) : new Map();
  },
  shipping: () => new Map(),
};

/** The effect of a promotion on lines, or undefined if it gives nothing. */
function effectOf(state, promotion, lines) {
  const scoped = lines.filter((line) => line.left > 0 && isLineInScope(state, promotion, line));
  if (scoped.length === 0 || totalLeft(scoped) < promotion.least) return undefined;
  const shares = kinds[promotion.kind](state, promotion, scoped);
  const amount = [...shares.values()].reduce((sum, share) => sum + share, 0);
  const freesShipping = promotion.kind === 'shipping';
  if (amount === 0 && !freesShipping) return undefined;
  return { promotion: promotion.id, title: promotion.title, amount, shares, freesShipping };
}

const reduced = (lines, { shares }) => lines.map((line) => (
  { ...line, left: line.left - Math.min(line.left, shares.get(line.id) ?? 0) }));

/** Promotions one after the other, each on what those before it left. */
function stacked(state, promotions, lines) {
  const used = new Set();
  return promotions.reduce(({ effects, left }, promotion) => {
    if (promotion.excludes && used.has(promotion.excludes)) return { effects, left };
    const effect = effectOf(state, promotion, left);
    if (!effect) return { effects, left };
    if (promotion.excludes) used.add(promotion.excludes);
    return { effects: [...effects, effect], left: reduced(left, effect) };
  }, { effects: [], left: lines });
}

const worthOf = ({ effects }, shipping) => effects.reduce((sum, effect) => (
  sum + effect.amount + (effect.freesShipping ? shipping : 0)), 0);

/**
 * The discounts that are best for the customer: all that go together, or one that stands alone.
 * Each effect has its shares of the lines.
 */
export function bestDiscounts(state, promotions, lines, shipping) {
  const start = lines.map((line) => ({ ...line, left: line.unit * line.quantity }));
  const together = stacked(state, promotions.filter(({ stacks }) => stacks), start);
  const alone = promotions.filter(({ stacks }) => !stacks)
    .map((promotion) => stacked(state, [promotion], start));
  return [together, ...alone].reduce((best, each) => (
    worthOf(each, shipping) > worthOf(best, shipping) ? each : best)).effects;
}
