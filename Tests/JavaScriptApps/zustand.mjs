// Notes of zustand: functions that wait, ask, and set what they found.
import { createStore } from 'zustand/vanilla';
import { record } from './retcon-recorder.mjs';

export const recorder = record({ name: 'zustand', limit: 100_000, world: true });

async function ask(path, options) {
  const response = await fetch(`http://shop.test${path}`, options);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}

export const store = createStore(recorder.zustand((set, get) => ({
  query: '', found: [], count: 0, saved: null, isSaving: false, log: [], error: null,

  add: (by) => set((state) => ({ count: state.count + by })),
  reset: () => set({ count: 0, log: [], error: null }),

  // The answer of an older search replaces that of a newer one.
  search: async (query) => {
    set({ query, error: null });
    try {
      const found = await ask(`/search?q=${query}`);
      set({ found });
    } catch (error) {
      set({ error: error.message });
    }
  },

  // Saves the count that was there when it began, and marks the one of now as saved.
  save: async () => {
    if (get().isSaving) return;
    set({ isSaving: true });
    try {
      const body = JSON.stringify({ total: get().count });
      await ask('/cart', { method: 'POST', body });
      set((state) => ({ saved: state.count, isSaving: false }));
    } catch {
      set({ isSaving: false });
      setTimeout(() => get().save(), 200);
    }
  },

  // Calls another function of the store after each answer.
  load: async (ids) => {
    for (const id of ids) {
      try {
        const { name } = await ask(`/users/${id}`);
        get().note(`${name} ${get().count}`);
      } catch (error) {
        get().note(error.message);
      }
    }
  },

  note: (text) => {
    set((state) => ({ log: [...state.log, text] }));
    setTimeout(() => set((state) => ({ log: state.log.slice(1) })), 350);
  },
})));

const call = (name) => (...given) => store.getState()[name](...given);

/** The user's gestures: a function, and the arguments with which the user calls it. */
export const gestures = {
  add: [call('add'), [1, 2, 5]],
  reset: [call('reset'), []],
  search: [call('search'), ['t', 'te', 'tea', 'jam']],
  save: [call('save'), []],
  load: [call('load'), [[1, 2], [3]]],
  note: [call('note'), ['hello', 'again']],
};
