// Products and their variants.
import { indexed } from './searchIndex.mjs';
import { addItem, put, refused, updateItem } from './tables.mjs';

/** All combinations of the options: `{ size: ['S', 'M'], color: ['red'] }` gives two. */
function combinations(options) {
  return Object.entries(options).reduce((found, [name, values]) => (
    found.flatMap((chosen) => values.map((value) => ({ ...chosen, [name]: value })))), [{}]);
}

const slugOf = (title) => title.toLowerCase().normalize('NFD').replace(/[^a-z0-9]+/g, '-')
  .replace(/^-+|-+$/g, '');

function freeSlug(state, title) {
  const taken = new Set(Object.values(state.products).map((product) => product.slug));
  const slug = slugOf(title);
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? slug : `${slug}-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}

const skuOf = (product, options) => [product.slug.slice(0, 12), ...Object.values(options)]
  .join('-').toUpperCase().replace(/[^A-Z0-9-]/g, '');

/** The last digit of a barcode makes the weighted sum of all digits a multiple of ten. */
function checkDigit(digits) {
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 ? 3 : 1), 0);
  return (10 - sum % 10) % 10;
}

function barcodeOf(number) {
  const digits = `200${String(number).padStart(9, '0')}`;
  return digits + checkDigit(digits);
}

const isBarcode = (text) => /^\d{13}$/.test(text)
  && checkDigit(text.slice(0, 12)) === Number(text[12]);

/** The variant whose barcode was scanned. */
export function variantScanned(state, barcode) {
  if (!isBarcode(barcode)) return undefined;
  return Object.values(state.variants).find((variant) => variant.barcode === barcode);
}

export const productOf = (state, variant) => state.products[state.variants[variant]?.product];

export function titleOf(state, id) {
  const variant = state.variants[id];
  const options = Object.values(variant.options).join(', ');
  const { title } = state.products[variant.product];
  return options ? `${title} (${options})` : title;
}

export const isForSale = (state, id) => state.variants[id]?.status === 'active'
  && productOf(state, id).status === 'active';

function faultOf(state, { title, category, options = {} }) {
  if (!title?.trim()) return 'A product needs a title.';
  if (!state.categories[category]) return 'A product needs a category.';
  const isEmpty = Object.values(options).some((values) => values.length === 0);
  return isEmpty ? 'Each option needs values.' : undefined;
}

function withVariant(state, product, options, { price, cost, weight }) {
  const { id, state: next } = addItem(state, 'variants', 'v', {
    product: product.id, options, sku: skuOf(product, options), price, cost, weight,
    status: 'active',
  });
  const coded = updateItem(next, 'variants', id, (variant) => (
    { ...variant, barcode: barcodeOf(next.counters.v) }));
  return updateItem(coded, 'products', product.id, (each) => (
    { ...each, variants: [...each.variants, id] }));
}

function added(state, payload) {
  const fault = faultOf(state, payload);
  if (fault) return refused(state, fault);
  const {
    title, text = '', brand, category, tags = [], taxClass = 'standard', options = {},
    limit = null, ...shared
  } = payload;
  const { id, state: next } = addItem(state, 'products', 'p', {
    title, slug: freeSlug(state, title), text, brand, category, tags, taxClass, options, limit,
    variants: [], status: 'draft', added: state.now,
  });
  const product = next.products[id];
  return combinations(options).reduce((each, chosen) => (
    withVariant(each, product, chosen, shared)), next);
}

const withIndex = (state, id) => ({ ...state, searchIndex: indexed(state, id) });

function edited(state, { id, changes }) {
  const next = { ...state.products[id], ...changes };
  const fault = state.products[id] ? faultOf(state, next) : 'This product is gone.';
  if (fault) return refused(state, fault);
  return withIndex(updateItem(state, 'products', id, () => next), id);
}

/** One more value of an option: the variants with it are new. */
function extended(state, { id, option, value }) {
  const product = state.products[id];
  if (!product?.options[option] || product.options[option].includes(value)) {
    return refused(state, `There is no new value “${value}” to add.`);
  }
  const options = put(product.options, option, [...product.options[option], value]);
  const next = updateItem(state, 'products', id, (each) => ({ ...each, options }));
  const model = state.variants[product.variants[0]];
  const fresh = combinations({ ...options, [option]: [value] });
  const grown = fresh.reduce((each, chosen) => withVariant(each, product, chosen, model), next);
  return withIndex(grown, id);
}

const withStatus = (state, id, status) => withIndex(
  updateItem(state, 'products', id, (product) => ({ ...product, status })), id);

export const catalogueActions = {
  'product/added': added,
  'product/edited': edited,
  'product/extended': extended,
  'product/published': (state, { id }) => withStatus(state, id, 'active'),
  'product/retired': (state, { id }) => withStatus(state, id, 'retired'),
  'variant/retired': (state, { id }) => updateItem(state, 'variants', id, (variant) => (
    { ...variant, status: 'retired' })),
};
