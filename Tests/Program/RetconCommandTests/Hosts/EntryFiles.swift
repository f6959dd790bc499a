import Platform
import Testing

@testable import RetconCommand

/// Entry files as projects have them: each is one that a bundler would take.
struct Entry: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let reducer: String
  let files: [(name: String, text: String)]

  init(_ words: String, _ reducer: String, _ files: (name: String, text: String)...) {
    (testDescription, self.reducer, self.files) = (words, reducer, files)
  }

  /// All count `add` from 5.
  static let all = likeProjects + likeBundlers

  private static let likeProjects = [
    Entry(
      "a store with the DevTools extension's compose", "src/store.js",
      (
        "src/store.js",
        """
        import { createStore, applyMiddleware, compose } from 'redux';
        import counter from './counter';
        const composeEnhancers = window.__REDUX_DEVTOOLS_EXTENSION_COMPOSE__({ trace: true }) || compose;
        export const appStore = createStore(counter, composeEnhancers(applyMiddleware()));
        """
      )),
    Entry(
      "an index.js that renders and exports nothing", "src/index.js",
      (
        "src/index.js",
        """
        import React from 'react';
        import { createRoot } from 'react-dom/client';
        import { createStore } from 'redux';
        import './index.css';
        import App from './App';
        import counter from './counter';
        const store = createStore(
          counter, window.__REDUX_DEVTOOLS_EXTENSION__ && window.__REDUX_DEVTOOLS_EXTENSION__());
        createRoot(document.getElementById('root')).render(<App store={store} />);
        """
      ),
      (
        "src/App.jsx",
        """
        import logo from './logo.svg?url';
        export default function App() { return <img className="logo" src={logo} />; }
        """
      ), ("src/index.css", ".logo { color: red }"), ("src/logo.svg", "<svg/>")),
    Entry(
      "configureStore of Redux Toolkit, under any name", "src/main.ts",
      (
        "src/main.ts",
        """
        import { configureStore } from '@reduxjs/toolkit';
        import counter from './counter';
        import type { Nothing } from './types';
        export const anything = configureStore({ reducer: counter });
        export type RootState = ReturnType<typeof anything.getState>;
        export const useAnything = (none: Nothing) => anything;
        """
      ), ("src/types.ts", "export interface Nothing { a?: string }")),
    Entry(
      "a slice beside its actions", "src/slice.ts",
      (
        "src/slice.ts",
        """
        import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
        enum Start { Five = 5 }
        export const counterSlice = createSlice({
          name: 'counter', initialState: { n: Start.Five as number },
          reducers: { add: (state, action: PayloadAction<number>) => ({ n: state.n + 1 }) },
        });
        export const { add } = counterSlice.actions;
        """
      )),
    Entry(
      "a path alias of tsconfig.json, with comments", "src/deep/store.ts",
      (
        "tsconfig.json",
        """
        {
          // for the bundler, too
          "compilerOptions": { "paths": { "~parts/*": ["./src/*"], }, /* and */ "strict": true, },
        }
        """
      ), ("src/deep/store.ts", "import counter from '~parts/counter';\nexport default counter;")),
    Entry(
      "baseUrl, where a folder is named as a package", "src/redux/root.js",
      ("jsconfig.json", #"{ "compilerOptions": { "baseUrl": "src" } }"#),
      (
        "src/redux/root.js",
        """
        import { combineReducers } from 'redux';
        import { start } from 'redux/start';
        const n = (state = start, action) => (action.type === 'add' ? state + 1 : state);
        export default combineReducers({ n });
        """
      ), ("src/redux/start.js", "export const start = 5;")),
    Entry(
      "the environment of vite, and of webpack", "src/env.ts",
      (
        "src/env.ts",
        """
        const start = Number(import.meta.env.VITE_START ?? 5) + Number(process.env.REACT_APP_MORE ?? 0);
        export const mode = import.meta.env.MODE;
        export function counter(state = { n: start }, action: { type: string }) {
          return action.type === 'add' ? { n: state.n + 1 } : state;
        }
        """
      )),
    Entry(
      "a first state from localStorage", "src/saved.js",
      (
        "src/saved.js",
        """
        const saved = JSON.parse(localStorage.getItem('state') ?? 'null') ?? { n: 5 };
        window.addEventListener('beforeunload', () => localStorage.setItem('state', '{}'));
        fetch('/state').then((answer) => answer.json()).catch(() => {});
        export const rootReducer = (state = saved, action) =>
          (action.type === 'add' ? { ...state, n: state.n + 1 } : state);
        """
      )),
    Entry(
      "CommonJS and ES modules mixed", "src/mixed.js",
      (
        "src/mixed.js",
        """
        import data from './data.json';
        const { add } = require('./common');
        module.exports = (state = data, action) => (action.type === 'add' ? add(state) : state);
        """
      ), ("src/common.js", "exports.add = (state) => ({ n: state.n + 1 });"),
      ("src/data.json", #"{ "n": 5 }"#)),
    Entry(
      "a function that makes the store", "src/configureStore.js",
      (
        "src/configureStore.js",
        """
        import { createStore } from 'redux';
        import counter from './counter';
        export default function configureStore(preloaded) {
          return createStore(counter, preloaded);
        }
        """
      )),
    Entry(
      "a folder with an index, that exports one reducer of any name", "src/state/index.ts",
      (
        "src/state/index.ts",
        "export * from './count';\nexport const add = () => ({ type: 'add' });"
      ),
      (
        "src/state/count/index.ts",
        """
        export const count = (state = { n: 5 }, { type }: { type: string }) =>
          (type === 'add' ? { n: state.n + 1 } : state);
        """
      )),
    Entry(
      "a store of zustand", "src/useStore.js",
      (
        "src/useStore.js",
        """
        import { create } from 'zustand';
        export const useStore = create((set) => ({
          n: 5, add: () => set((state) => ({ n: state.n + 1 })),
        }));
        """
      )),
    Entry(
      "one of several, by its name", "src/several.ts#second",
      (
        "src/several.ts",
        """
        import counter from './counter';
        export const first = (state = 0, action: unknown) => state;
        export const second = counter;
        """
      )),
  ]

  static let counter = """
    const counter = (state = { n: 5 }, action) => (action.type === 'add' ? { n: state.n + 1 } : state);
    export default counter;
    """

  /// The files of a package manager: as much of them as these apps use.
  static let packages = [
    (
      "redux",
      ReducerFiles.redux.replacing("(reducer, state)", with: "(reducer, state, enhancer)")
        .replacing(
          "  let current = reducer;",
          with: """
              if (typeof state === 'function') [state, enhancer] = [undefined, state];
              if (enhancer) return enhancer(createStore)(reducer, state);
              let current = reducer;
            """) + """
          exports.compose = (...calls) => calls.reduce((a, b) => (...given) => a(b(...given)));
          exports.applyMiddleware = () => (make) => make;
          exports.combineReducers = (all) => (state = {}, action) =>
            Object.fromEntries(Object.keys(all).map((key) => [key, all[key](state[key], action)]));
          """
    ),
    (
      "@reduxjs/toolkit",
      """
      const { createStore } = require('redux');
      exports.configureStore = ({ reducer }) => createStore(reducer);
      exports.createSlice = ({ name, initialState, reducers }) => ({
        name, actions: { add: () => ({ type: 'add' }) },
        reducer: (state = initialState, action) => reducers[action.type]?.(state, action) ?? state,
      });
      """
    ),
    (
      "zustand",
      """
      exports.create = (make) => {
        let state;
        const getState = () => state;
        const setState = (part, whole) => {
          const next = typeof part === 'function' ? part(state) : part;
          state = whole ? next : { ...state, ...next };
        };
        const first = (state = make(setState, getState));
        return Object.assign(() => state, { getState, setState, getInitialState: () => first });
      };
      """
    ),
  ]
}

extension CommandRunner {
  /// Runs a program in the project, and takes the project away.
  func inProject<Result>(
    _ files: [(name: String, text: String)], packages: Bool = true,
    _ work: (_ project: String) async throws -> Result
  ) async throws -> Result {
    let project = "\(folder)/project"
    var all = files + [("package.json", #"{"dependencies":{"react":"1","redux":"5"}}"#)]
    all.append(("src/counter.js", Entry.counter))
    if packages {
      all += Entry.packages.map { ("node_modules/\($0.0)/index.js", $0.1) }
    }
    for (name, text) in all {
      var place = project
      mkdir(place, 0o700)
      for part in name.split(separator: "/").dropLast() {
        place += "/\(part)"
        mkdir(place, 0o700)
      }
      try FileSystem.write(text, to: "\(project)/\(name)")
    }
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await work(project)) } catch { result = .failure(error) }
    _ = try Subprocess.run("/bin/rm", ["-r", project])
    return try result.get()
  }
}
