// github.com/bradtraversy/mern-tutorial: createAsyncThunk over axios, a user in localStorage.
import { login, logout, register, reset } from './project/src/features/auth/authSlice.js';
import { createGoal, deleteGoal, getGoals } from './project/src/features/goals/goalSlice.js';
import { store } from './project/src/app/store.js';

export { recorder } from './project/retcon.mjs';

const user = (number) => ({ _id: `u${number % 3}`, name: 'Ann', token: `t${number % 4}` });
const goal = (number) => ({ _id: `g${number % 4}`, text: ['walk', 'read', 'rest'][number % 3] });

/** The server's answer, from a number that is the same for the same question. */
export function content({ method, path }, number) {
  if (path.startsWith('/api/users')) return user(number);
  if (method === 'DELETE') return { id: path.split('/').at(-1) };
  return method === 'POST' ? goal(number) : [goal(number), goal(number + 1)];
}

const people = [{ email: 'ann@shop.test', password: 'x' }, { email: 'bob@shop.test' }];

/** The user's gestures: a function, and the arguments with which the user calls it. */
export const gestures = {
  login: [(who) => store.dispatch(login(who)), people],
  login2: [(who) => store.dispatch(login(who)), people],
  register: [(who) => store.dispatch(register(who)), people],
  logout: [() => store.dispatch(logout()), []],
  create: [(text) => store.dispatch(createGoal({ text })), ['walk', 'read']],
  load: [() => store.dispatch(getGoals()), []],
  load2: [() => store.dispatch(getGoals()), []],
  delete: [(id) => store.dispatch(deleteGoal(id)), ['g0', 'g1', 'g2']],
  reset: [() => store.dispatch(reset()), []],
};
