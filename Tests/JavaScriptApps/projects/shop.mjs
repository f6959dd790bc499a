// github.com/bradtraversy/proshop-v2: RTK Query with injected endpoints, slices that keep
// themselves in localStorage, and screens that wait for an answer and dispatch.
import store from './project/src/store.js';
import {
  addToCart, clearCartItems, removeFromCart, savePaymentMethod,
} from './project/src/slices/cartSlice.js';
import { logout, setCredentials } from './project/src/slices/authSlice.js';
import { orderApiSlice } from './project/src/slices/ordersApiSlice.js';
import { productsApiSlice } from './project/src/slices/productsApiSlice.js';
import { userApiSlice } from './project/src/slices/usersApiSlice.js';

export { recorder } from './project/retcon.mjs';

const NAMES = ['phone', 'camera', 'mouse'];
const product = (number) => ({
  _id: `p${number % 4}`, name: NAMES[number % 3], price: 10 + number % 90, countInStock: number % 5,
});

/** The server's answer, from a number that is the same for the same question. */
export function content({ method, path }, number) {
  const [, , kind, id] = path.split(/[/?]/);
  if (kind === 'users') return { _id: `u${number % 3}`, name: 'Ann', isAdmin: number % 2 === 0 };
  if (kind === 'orders') return { _id: id ?? `o${number % 5}`, isPaid: method === 'PUT' };
  if (method !== 'GET') return { ...product(number), message: 'done' };
  if (/^p\d$/.test(id)) return { ...product(number), _id: id };
  if (id === 'top') return [product(number), product(number + 1)];
  return { products: [product(number)], page: 1, pages: 1 + number % 3 };
}

const { endpoints } = productsApiSlice;
const ask = (name, argument, all = endpoints, options = undefined) => (
  store.dispatch(all[name].initiate(argument, options)));

/** The user's gestures: a function, and the arguments with which the user calls it. */
export const gestures = {
  list: [(pageNumber) => ask('getProducts', { keyword: '', pageNumber }), [1, 2]],
  product: [(id) => ask('getProductDetails', id), ['p0', 'p1', 'p2']],
  once: [(id) => ask('getProductDetails', id, endpoints, { subscribe: false }), ['p1', 'p3']],
  top: [() => ask('getTopProducts', undefined), []],
  review: [(rating) => ask('createReview', { productId: 'p1', rating }), [3, 5]],
  update: [(price) => ask('updateProduct', { productId: 'p1', price }), [12, 15]],
  delete: [(id) => ask('deleteProduct', id), ['p1', 'p2']],
  add: [(qty) => store.dispatch(addToCart({ ...product(qty), qty })), [1, 2, 3]],
  remove: [(id) => store.dispatch(removeFromCart(id)), ['p1', 'p2']],
  payment: [(name) => store.dispatch(savePaymentMethod(name)), ['PayPal', 'Card']],
  login: [async (email) => {
    const user = await ask('login', { email }, userApiSlice.endpoints).unwrap();
    store.dispatch(setCredentials({ ...user }));
  }, ['ann@shop.test', 'bob@shop.test']],
  logout: [async () => {
    await ask('logout', undefined, userApiSlice.endpoints).unwrap();
    store.dispatch(logout());
  }, []],
  order: [async (totalPrice) => {
    await ask('createOrder', { totalPrice }, orderApiSlice.endpoints).unwrap();
    store.dispatch(clearCartItems());
  }, [20, 40]],
  orders: [() => ask('getMyOrders', undefined, orderApiSlice.endpoints), []],
};
