// Posts of RTK Query: polling, tags, invalidation, an optimistic update.
import { configureStore, createSlice } from '@reduxjs/toolkit';
import { createApi, fetchBaseQuery, retry } from '@reduxjs/toolkit/query';
import { record } from './retcon-recorder.mjs';

export const recorder = record({ name: 'query', limit: 100_000, world: true });

const baseQuery = fetchBaseQuery({ baseUrl: 'http://shop.test/' });

const api = createApi({
  baseQuery: retry(baseQuery, { maxRetries: 1, backoff: async () => {
    await new Promise((resolve) => { setTimeout(resolve, 120); });
  } }),
  tagTypes: ['Post'],
  keepUnusedDataFor: 1,
  endpoints: (build) => ({
    posts: build.query({
      query: (tag) => (tag ? `posts?tag=${tag}` : 'posts'),
      providesTags: ['Post'],
    }),
    post: build.query({
      query: (id) => `posts/${id}`,
      providesTags: (_, __, id) => [{ type: 'Post', id }],
    }),
    addPost: build.mutation({
      query: (title) => ({ url: 'posts', method: 'POST', body: { title } }),
      invalidatesTags: ['Post'],
    }),
    like: build.mutation({
      query: (id) => ({ url: `posts/${id}/like`, method: 'POST' }),
      // A like that fails takes back the likes that came after it, too.
      async onQueryStarted(id, { dispatch, queryFulfilled }) {
        const update = dispatch(api.util.updateQueryData('post', id, (post) => {
          post.likes = (post.likes ?? 0) + 1;
        }));
        try { await queryFulfilled; } catch { update.undo(); }
      },
    }),
  }),
});

const view = createSlice({
  name: 'view',
  initialState: { tag: null, opened: [] },
  reducers: {
    tagged: (state, { payload }) => { state.tag = payload; },
    opened: (state, { payload }) => { state.opened.push(payload); },
  },
});

export const store = configureStore({
  reducer: { view: view.reducer, [api.reducerPath]: api.reducer },
  middleware: (given) => given().concat(api.middleware),
  enhancers: (given) => given().prepend(recorder.enhancer),
});

const { endpoints } = api, { tagged, opened } = view.actions, open = new Map();

const { watch, leave, show } = recorder.calls({
  watch: (name, argument, options) => (dispatch) => {
    const key = `${name} ${argument}`;
    const subscription = dispatch(endpoints[name].initiate(argument, options));
    open.get(key)?.unsubscribe();
    open.set(key, subscription);
  },
  leave: (id) => () => {
    open.get(`post ${id}`)?.unsubscribe();
    open.delete(`post ${id}`);
  },
  show: (id) => (dispatch) => {
    dispatch(opened(id));
    dispatch(watch('post', id));
  },
});

const every = (pollingInterval) => ({ subscriptionOptions: { pollingInterval } });

/** The user's gestures: a function, and the arguments with which the user calls it. */
export const gestures = {
  list: [(tag) => store.dispatch(watch('posts', tag)), ['', 'new']],
  poll: [(pause) => store.dispatch(watch('posts', '', every(pause))), [350, 600]],
  once: [(id) => store.dispatch(endpoints.post.initiate(id, { subscribe: false })), [1, 4]],
  show: [(id) => store.dispatch(show(id)), [1, 2, 3]],
  leave: [(id) => store.dispatch(leave(id)), [1, 2, 3]],
  tag: [(tag) => store.dispatch(tagged(tag)), ['new', 'old']],
  add: [(title) => store.dispatch(endpoints.addPost.initiate(title)), ['first', 'second']],
  like: [(id) => store.dispatch(endpoints.like.initiate(id)), [1, 2]],
};
