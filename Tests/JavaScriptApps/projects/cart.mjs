// github.com/burakorkmez/mern-ecommerce: zustand whose functions wait for axios.
import { useCartStore } from './project/src/stores/useCartStore.js';

export { recorder } from './project/retcon.mjs';

const item = (number) => ({ _id: `p${number % 4}`, price: 5 + number % 20, quantity: 1 });

/** The server's answer, from a number that is the same for the same question. */
export function content({ method, path }, number) {
  if (path.includes('coupons')) return { code: `C${number % 3}`, discountPercentage: number % 50 };
  return method === 'GET' ? [item(number), item(number + 1)] : { message: 'done' };
}

const call = (name) => (...given) => useCartStore.getState()[name](...given);
const update = (quantity) => useCartStore.getState().updateQuantity('p1', quantity);

/** The user's gestures: a function, and the arguments with which the user calls it. */
export const gestures = {
  load: [call('getCartItems'), []],
  add: [call('addToCart'), [item(0), item(1), item(2)]],
  add2: [call('addToCart'), [item(1), item(3)]],
  remove: [call('removeFromCart'), ['p1', 'p2']],
  update: [update, [0, 2, 5]],
  coupon: [call('getMyCoupon'), []],
  apply: [call('applyCoupon'), ['C1', 'C2']],
  leave: [call('removeCoupon'), []],
  clear: [call('clearCart'), []],
};
