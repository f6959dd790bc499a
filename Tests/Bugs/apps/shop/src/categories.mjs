// The tree of categories.
import { addItem, refused, updateItem, without } from './tables.mjs';

const childrenOf = (state, id) => Object.values(state.categories)
  .filter((category) => category.parent === id)
  .sort((one, other) => one.place - other.place || one.title.localeCompare(other.title));

/** The ids from the top of the tree down to a category. */
export function pathOf(state, id) {
  const path = [];
  for (let at = id; at && state.categories[at]; at = state.categories[at].parent) path.unshift(at);
  return path;
}

export const titlePath = (state, id) => pathOf(state, id)
  .map((each) => state.categories[each].title).join(' › ');

export const isInCategory = (state, id, ancestor) => pathOf(state, id).includes(ancestor);

/** A category and all below it. */
function subtreeOf(state, id) {
  return [id, ...childrenOf(state, id).flatMap((child) => subtreeOf(state, child.id))];
}

function added(state, { title, parent = null }) {
  if (!title.trim()) return refused(state, 'A category needs a title.');
  const siblings = childrenOf(state, parent);
  if (siblings.some((each) => each.title.toLowerCase() === title.toLowerCase())) {
    return refused(state, `There is a category “${title}” here already.`);
  }
  return addItem(state, 'categories', 'k', { title, parent, place: siblings.length }).state;
}

function moved(state, { id, parent, place }) {
  if (parent !== null && isInCategory(state, parent, id)) {
    return refused(state, 'A category cannot be below itself.');
  }
  const others = childrenOf(state, parent).filter((each) => each.id !== id);
  others.splice(Math.min(place, others.length), 0, state.categories[id]);
  return others.reduce((next, each, at) => updateItem(next, 'categories', each.id, (category) => (
    { ...category, parent, place: at })), state);
}

function removed(state, { id }) {
  const isUsed = Object.values(state.products).some((product) => product.category === id);
  if (isUsed || childrenOf(state, id).length) {
    return refused(state, 'Only an empty category can be removed.');
  }
  return { ...state, categories: without(state.categories, id) };
}

/** The tree as the menu shows it, with the number of products in each branch. */
export function categoryMenu(state, parent = null) {
  return childrenOf(state, parent).map((category) => {
    const ids = subtreeOf(state, category.id);
    const products = Object.values(state.products).filter((product) => (
      product.status === 'active' && ids.includes(product.category)));
    return {
      title: category.title,
      count: products.length,
      children: categoryMenu(state, category.id),
    };
  });
}

export const categoryActions = {
  'category/added': added,
  'category/renamed': (state, { id, title }) => updateItem(state, 'categories', id, (category) => (
    { ...category, title })),
  'category/moved': moved,
  'category/removed': removed,
};
