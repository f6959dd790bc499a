import TestSupport

/// Small apps in JavaScript on a clock of their own, and the store that a host loads.
///
/// `node live.mjs KIND SEED COUNT [none]` writes a recorded session, this many edits of it, and for
/// each edit a recording of a live run with it.
enum LiveApps {
  static let store = #"""
    // The module that the host loads: the reducer alone.
    export const clock = { now: 0, timers: [], count: 0 };
    export const later = (delay, work) => {
      const timer = { at: clock.now + delay, order: clock.count++, work };
      clock.timers.push(timer);
      return timer;
    };
    export const wait = (delay) => new Promise((resolve) => { later(delay, resolve); });

    export const reducer = (state = { n: 0, last: null, seen: [] }, action) => {
      const last = action.type;
      switch (action.type) {
        case 'click': return { ...state, last, n: state.n + action.by };
        case 'priced': return { ...state, last, n: state.n * action.by % 97 };
        case 'saved': case 'loaded': case 'found': case 'settled': case 'warned': case 'ended':
          return { ...state, last, seen: [...state.seen, action.n] };
        case 'ticked': return { ...state, last, n: state.n + 1 };
        default: return { ...state, last };
      }
    };

    \#(SmallStore.zustandInJavaScript)
    export const define = (outer = (make) => make) => create(outer((set, get) => ({
      n: 0, seen: [], isLoading: false,
      add: (by) => set((state) => ({ n: state.n + by })),
      load: async (by) => {
        set({ isLoading: true });
        await wait(by * 7);
        set((state) => ({ seen: [...state.seen, state.n], isLoading: false }));
      },
    })));

    """#

  static let app = #"""
    import { writeFileSync } from 'node:fs';
    import { record } from './retcon-recorder.mjs';
    import { clock, define, later, reducer, wait } from './store.mjs';

    const [, , kind, seed, count, middleware] = process.argv;

    // Pseudo-random numbers of the seed.
    let word = Number(seed) * 2654435761 + 1;
    const draw = (below) => {
      word = (word * 1103515245 + 12345) % 2147483648;
      return Math.floor(word / 65536) % below;
    };

    const settle = async () => { for (let turn = 0; turn < 30; turn++) await null; };
    const runAll = async () => {
      while (clock.timers.length) {
        clock.timers.sort((a, b) => a.at - b.at || a.order - b.order);
        const timer = clock.timers.shift();
        clock.now = timer.at;
        if (!timer.isOff) timer.work();
        await settle();
      }
    };

    // A thunk that always sends, one that may send nothing, and one that sends after its end.
    const thunks = {
      load: (by) => async function load(dispatch, getState) {
        dispatch({ type: 'load/pending', by });
        await wait(by * 7);
        dispatch({ type: 'loaded', n: getState().n });
      },
      maybe: () => function maybe(dispatch, getState) {
        if (getState().n % 2 === 0) dispatch({ type: 'warned', n: getState().n });
      },
      late: (by) => function late(dispatch, getState) {
        later(by * 5, () => dispatch({ type: 'ended', n: getState().n }));
      },
    };
    \#(SmallStore.middlewareInJavaScript)

    // Listeners as in Redux Toolkit: one that waits, one with a debounce.
    const listenerMiddleware = ({ dispatch, getState }) => (next) => (action) => {
      const result = next(action);
      if (action.type === 'save') later(12, () => dispatch({ type: 'saved', n: getState().n }));
      if (action.type === 'click') {
        if (listenerMiddleware.timer) listenerMiddleware.timer.isOff = true;
        listenerMiddleware.timer = later(10, () => dispatch({ type: 'settled', n: getState().n }));
      }
      return result;
    };

    // Sagas as redux-saga runs them: take, delay, put, select, fork, cancel.
    const sagaMiddleware = (root) => ({ dispatch, getState }) => {
      let takers = [];
      const start = (work) => {
        const task = { isOff: false };
        const iterator = work();
        const go = (value) => {
          if (task.isOff) return;
          const { done, value: effect } = iterator.next(value);
          if (done) return;
          const [name, given] = effect;
          if (name === 'take') takers.push({ type: given, go });
          if (name === 'delay') later(given, go);
          if (name === 'put') { dispatch(given); go(); }
          if (name === 'select') go(given(getState()));
          if (name === 'fork') go(start(given));
          if (name === 'cancel') { given.isOff = true; go(); }
        };
        go();
        return task;
      };
      start(root);
      return (next) => (action) => {
        const result = next(action);
        const due = takers.filter(({ type }) => type === action.type);
        takers = takers.filter(({ type }) => type !== action.type);
        for (const { go } of due) go(action);
        return result;
      };
    };
    function* sagas() {
      yield ['fork', function* takeLatest() {
        for (let last; ;) {
          const { by } = yield ['take', 'search'];
          if (last) yield ['cancel', last];
          last = yield ['fork', function* search() {
            yield ['delay', 9];
            const n = yield ['select', (state) => state.n];
            yield ['put', { type: 'found', n: n + by }];
          }];
        }
      }];
      yield ['fork', function* takeEvery() {
        for (;;) {
          yield ['take', 'poll/start'];
          yield ['fork', function* poll() {
            for (let tick = 0; tick < 4; tick++) {
              yield ['delay', 6];
              yield ['put', { type: 'ticked', tick }];
            }
          }];
        }
      }];
    }

    \#(SmallStore.inJavaScript)

    const kinds = {
      thunk: {
        events: ['click', 'click', 'load', 'maybe', 'late'], middleware: () => [thunkMiddleware],
      },
      listener: { events: ['click', 'save'], middleware: () => [listenerMiddleware] },
      saga: {
        events: ['click', 'search', 'poll/start'], middleware: () => [sagaMiddleware(sagas)],
      },
      zustand: { events: ['add', 'add', 'load'] },
      plain: { events: ['click', 'click', 'priced'], middleware: () => [] },
    };

    // One live run: the user's events at their times, and what the app sends.
    async function run(events) {
      Object.assign(clock, { now: 0, timers: [], count: 0 });
      listenerMiddleware.timer = undefined;
      const recorder = record({ middleware: middleware !== 'none' });
      let perform;
      if (kind === 'zustand') {
        const store = define(recorder.zustand);
        perform = ({ type, by, id }) => store.getState()[type](by, id);
      } else {
        const enhancer = applyMiddleware(...kinds[kind].middleware());
        const store = createStore(reducer, (make) => recorder.enhancer(enhancer(make)));
        const venue = recorder.from('venue');
        perform = ({ type, by, id }) => {
          if (thunks[type]) store.dispatch(thunks[type](by));
          else if (type === 'priced') venue(() => store.dispatch({ type, by, id }));
          else store.dispatch({ type, by, id });
        };
      }
      for (const event of events) {
        // As in a browser, where the user does it.
        const work = () => {
          globalThis.event = { isTrusted: true, type: 'click' };
          try { perform(event); } finally { delete globalThis.event; }
        };
        clock.timers.push({ at: event.at, order: event.order, work });
      }
      await runAll();
      return recorder.text();
    }

    const events = Array.from({ length: 12 }, (_, id) => {
      const type = kinds[kind].events[draw(kinds[kind].events.length)];
      return { at: draw(90), order: id - 1000, type, by: 1 + draw(4), id };
    });
    const recorded = await run(events);
    writeFileSync('recorded.retcon', recorded);

    // Edits of what the user and outside sources sent, each with the live run of that edit.
    const steps = recorded.split('\n').filter((line) => line.startsWith('{"step"'))
      .map((line) => JSON.parse(line));
    const idOf = (action) => action.id ?? action.arguments?.[1];
    const stepOf = ({ id }) => steps.find(({ action }) => idOf(action) === id)?.step;
    const actionOf = ({ type, by, id }) => (
      kind === 'zustand' ? { type, arguments: [by, id] } : { type, by, id });
    const edits = [];
    for (let number = 0; number < Number(count); number++) {
      const event = events.filter(stepOf)[draw(events.filter(stepOf).length)];
      const edit = { step: stepOf(event), kind: ['skip', 'replace', 'insert'][draw(3)] };
      let others = events.filter((each) => each !== event);
      if (edit.kind === 'replace') {
        const changed = { ...event, by: event.by + 4 };
        edit.action = actionOf(changed);
        others = [...others, changed];
      } else if (edit.kind === 'insert') {
        const types = kinds[kind].events.filter((type) => !thunks[type]);
        const type = types[draw(types.length)];
        const added = { ...event, type, order: event.order + 0.5, by: 9, id: 99 };
        edit.action = actionOf(added);
        others = [...others, event, added];
      }
      writeFileSync(`live-${number}.retcon`, await run(others));
      edits.push(edit);
    }
    writeFileSync('edits.json', JSON.stringify(edits));

    """#
}
