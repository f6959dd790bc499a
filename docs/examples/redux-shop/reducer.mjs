// The reducer of a small shop. Its bug: a coupon is checked when it is entered, and never again.
const initial = {
  cart: [],
  coupon: null,
  total: 0,
  address: { name: '', street: '' },
  catalogue: { status: 'idle', query: '', items: 0 },
};

const cents = (amount) => Math.round(amount * 100) / 100;
const sum = (cart) => cart.reduce((all, line) => all + line.price * line.quantity, 0);
const priced = (state) => {
  const { cart, coupon } = state;
  return { ...state, total: cents(sum(cart) - (coupon?.worth ?? 0)) };
};

export default function shop(state = initial, { type, payload }) {
  const { cart, catalogue, address } = state;
  switch (type) {
    case 'address/typed':
      return { ...state, address: { ...address, [payload.field]: payload.text } };
    case 'catalogue/asked':
      return { ...state, catalogue: { ...catalogue, status: 'loading', query: payload } };
    case 'catalogue/arrived':
      return { ...state, catalogue: { ...catalogue, status: 'ready', items: payload } };
    case 'cart/added':
      return priced({
        ...state,
        cart: cart.some(({ id }) => id === payload.id)
          ? cart.map((line) => line.id === payload.id
            ? { ...line, quantity: line.quantity + 1 } : line)
          : [...cart, { ...payload, quantity: 1 }],
      });
    case 'cart/removed':
      return priced({ ...state, cart: cart.filter(({ id }) => id !== payload) });
    case 'coupon/entered':
      return sum(cart) < payload.minimum ? state : priced({ ...state, coupon: payload });
    default:
      return state;
  }
}
