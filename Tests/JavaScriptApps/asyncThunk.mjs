// Users of Redux Toolkit, loaded by createAsyncThunk: with abort, a condition and rejected values.
import { configureStore, createAsyncThunk, createSlice } from '@reduxjs/toolkit';
import { record } from './retcon-recorder.mjs';

export const recorder = record({ name: 'asyncThunk', limit: 100_000, world: true });

const load = createAsyncThunk('users/load', async (id, { signal, rejectWithValue }) => {
  const response = await fetch(`http://shop.test/users/${id}`, { signal });
  if (!response.ok) return rejectWithValue({ id, status: response.status });
  return response.json();
}, {
  // Each user is loaded once, and a failed one may be loaded again.
  condition: (id, { getState }) => !['loading', 'here'].includes(getState().users.status[id]),
});

const save = createAsyncThunk('users/save', async (id, { getState, dispatch }) => {
  const { draft } = getState().users;
  const body = JSON.stringify({ name: draft });
  const response = await fetch(`http://shop.test/users/${id}`, { method: 'PUT', body });
  // Letters that were typed meanwhile are lost.
  dispatch(cleared());
  return response.json();
});

const loadAll = createAsyncThunk('users/loadAll', async (ids, { dispatch }) => {
  const all = await Promise.all(ids.map((id) => dispatch(load(id)).unwrap().catch(() => null)));
  return all.filter(Boolean).length;
});

const users = createSlice({
  name: 'users',
  initialState: { byId: {}, status: {}, selected: null, draft: '', errors: 0, loaded: 0 },
  reducers: {
    selected: (state, { payload }) => { state.selected = payload; },
    typed: (state, { payload }) => { state.draft += payload; },
    cleared: (state) => { state.draft = ''; },
    dropped(state, { payload }) {
      delete state.byId[payload];
      delete state.status[payload];
    },
  },
  extraReducers: (builder) => builder
    .addCase(load.pending, (state, { meta }) => { state.status[meta.arg] = 'loading'; })
    .addCase(load.fulfilled, (state, { meta, payload }) => {
      // A user that was dropped meanwhile comes back.
      state.byId[meta.arg] = payload;
      state.status[meta.arg] = 'here';
    })
    .addCase(load.rejected, (state, { meta }) => {
      state.status[meta.arg] = meta.aborted ? 'aborted' : 'failed';
      state.errors += 1;
    })
    .addCase(save.fulfilled, (state, { meta, payload }) => {
      state.byId[meta.arg] = { ...state.byId[meta.arg], ...payload };
    })
    .addCase(loadAll.fulfilled, (state, { payload }) => { state.loaded = payload; }),
});
const { selected, typed, cleared, dropped } = users.actions;

export const store = configureStore({
  reducer: { users: users.reducer },
  enhancers: (given) => given().prepend(recorder.enhancer),
});

let current;

const { select, cancel } = recorder.calls({
  select: (id) => (dispatch) => {
    current?.abort();
    dispatch(selected(id));
    current = dispatch(load(id));
  },
  cancel: () => () => { current?.abort('cancelled'); },
});

/** The user's gestures: a function, and the arguments with which the user calls it. */
export const gestures = {
  select: [(id) => store.dispatch(select(id)), [1, 2, 3, 4]],
  cancel: [() => store.dispatch(cancel()), []],
  load: [(id) => store.dispatch(load(id)), [1, 2, 3]],
  loadAll: [(ids) => store.dispatch(loadAll(ids)), [[1, 2], [2, 3, 4]]],
  type: [(text) => store.dispatch(typed(text)), ['a', 'b', 'cd']],
  save: [(id) => store.dispatch(save(id)), [1, 2]],
  drop: [(id) => store.dispatch(dropped(id)), [1, 2, 3]],
};
