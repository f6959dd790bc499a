extension Entry {
  /// Features that bundlers have and node lacks.
  static let likeBundlers = [
    Entry(
      "JSX where tsconfig.json preserves it", "src/store.tsx",
      ("tsconfig.json", #"{ "compilerOptions": { "jsx": "preserve" } }"#),
      (
        "src/store.tsx",
        """
        import counter from './counter';
        export const View = () => <p>{counter.name}</p>;
        export const reducer = counter;
        """
      )),
    Entry(
      "files by a query, and by a pattern", "src/parts.ts",
      ("src/five.txt", "5"), ("src/one.css", "a {}"), ("src/one.svg", "<svg/>"),
      ("src/work.js", "postMessage(1);"),
      ("src/parts/a.js", "export default 1; export const more = 2;"),
      ("src/parts/b.js", "export default 3; export const more = 4;"),
      (
        "src/parts.ts",
        """
        import five from './five.txt?raw';
        import css from './one.css?inline';
        import url from './one.svg?url';
        import svg from './one.svg?inline';
        import Work from './work.js?worker';
        const parts = import.meta.glob('./parts/*.js', { eager: true });
        const sums = import.meta.glob<number>(
          ['/src/{parts,others}/**/*.js', '!**/b.js'], { eager: true, import: 'default' });
        const lazy = import.meta.glob('./parts/?.js');
        const texts = import.meta.glob('./*.txt', { query: '?raw', import: 'default', eager: true });
        new Work().postMessage(1);
        const found = [
          css, url, svg, Object.keys(parts), parts['./parts/b.js'].more, sums, texts,
          typeof lazy['./parts/a.js'],
        ];
        const expected = [
          'a {}', '/src/one.svg', 'data:image/svg+xml;base64,PHN2Zy8+',
          ['./parts/a.js', './parts/b.js'], 4, { '/src/parts/a.js': 1 }, { './five.txt': '5' },
          'function',
        ];
        const [text, wanted] = [found, expected].map((each) => JSON.stringify(each));
        if (text !== wanted) throw new Error(text);
        export const reducer = (state = { n: Number(five) }, action: { type: string }) =>
          (action.type === 'add' ? { n: state.n + 1 } : state);
        """
      )),
    Entry(
      "packages that only bundlers resolve", "src/packages.ts",
      ("node_modules/persist/package.json", #"{"main":"lib/index.js","module":"es/index.js"}"#),
      ("node_modules/persist/lib/index.js", "exports.start = 1;"),
      (
        "node_modules/persist/es/index.js",
        "export { start } from './start'; export { default as none } from './folder';"
      ),
      (
        "node_modules/persist/es/start.js",
        "import { five } from 'common'; export const start = five;"
      ),
      ("node_modules/persist/es/folder/index.js", "export default 0;"),
      ("node_modules/common/index.js", "const all = { five: 5 }; Object.assign(exports, all);"),
      (
        "node_modules/chosen/package.json",
        #"{"exports":{".":{"browser":{"module":"./x.js"}},"./s/*":{"module":"./*.js"}}}"#
      ),
      ("node_modules/chosen/x.js", "export const zero = 0;"),
      ("node_modules/named/package.json", #"{ "type": "module", "main": "index.js" }"#),
      ("node_modules/named/index.js", "exports.zero = require('common').five - 5;"),
      ("node_modules/fine/package.json", #"{ "type": "module", "exports": "./index.js" }"#),
      ("node_modules/fine/index.js", "export default 0; export const other = 1;"),
      (
        "src/packages.ts",
        """
        import { none } from 'persist/es';
        import { start } from 'persist/es/start';
        import { zero } from 'chosen';
        import * as inner from 'chosen/s/x';
        import { zero as other } from 'named';
        import fine from 'fine';
        const n = start + none + zero + inner.zero + other + fine;
        export const reducer = (state = { n }, action: { type: string }) =>
          (action.type === 'add' ? { n: state.n + 1 } : state);
        """
      )),
    Entry(
      "a private store of zustand that speaks to the DevTools", "src/shop.ts",
      (
        "src/shop.ts",
        """
        import { create } from 'zustand';
        const connection = window.__REDUX_DEVTOOLS_EXTENSION__.connect({ name: 'shop' });
        const useShop = create((set) => ({
          n: 5,
          add: () => { set((state) => ({ n: state.n + 1 })); connection.send('add', useShop.getState()); },
        }));
        connection.init(useShop.getState());
        connection.subscribe(() => {})();
        export const useCount = () => useShop((state) => state.n);
        export function add() { useShop.getState().add(); }
        """
      )),
    Entry(
      "what effector's and jotai's adapters call, beside a reducer", "src/adapters.ts",
      (
        "src/adapters.ts",
        """
        const extension = (window as any).__REDUX_DEVTOOLS_EXTENSION__;
        const effector = extension.connect({ name: document.title, instanceId: 'effector_0' });
        effector.init({});
        effector.send({ type: '[store] $count', value: 1 }, { $count: 1 });
        effector.subscribe(({ id }) => id)();
        const atom = Object.assign(extension.connect({ name: 'count' }), { shouldInit: true });
        atom.init(undefined);
        atom.send('count - 12:00', 1);
        extension.disconnect?.();
        export const reducer = (state = { n: 5 }, action: { type: string }) =>
          (action.type === 'add' ? { n: state.n + 1 } : state);
        """
      )),
    Entry(
      "the store beside a component that is the default export", "src/App.jsx",
      (
        "src/App.jsx",
        """
        import { createStore } from 'redux';
        import counter from './counter';
        const store = createStore(counter);
        export default function App({ title }) { return title + store.getState().n; }
        """
      )),
    Entry(
      "a package of ES modules", "app/store.js",
      ("app/package.json", #"{ "type": "module" }"#),
      ("app/counter.js", "export { default } from '../src/counter';"),
      (
        "app/store.js",
        """
        import { createStore } from 'redux';
        import counter from './counter';
        export const store = createStore(counter);
        """
      )),
    Entry(
      "a circle of imports that the app enters elsewhere", "src/a.ts",
      ("index.html", #"<script type="module" src="/src/main.ts"></script>"#),
      ("src/main.ts", "import './b';"),
      (
        "src/a.ts",
        """
        import { five } from './b';
        export const one = 1;
        export const reducer = (state = { n: five }, action: { type: string }) =>
          (action.type === 'add' ? { n: state.n + one } : state);
        """
      ), ("src/b.ts", "import { one } from './a'; export const five = one ? 5 : 5;")),
    Entry(
      "Redux Toolkit as an ES module that node can require", "src/modern.ts",
      (
        "node_modules/modern/package.json",
        #"{ "exports": { "module-sync": "./index.mjs", "import": "./index.mjs" } }"#
      ),
      (
        "node_modules/modern/index.mjs",
        """
        import { createStore } from 'redux';
        export const configureStore = ({ reducer }) => createStore(reducer);
        """
      ),
      (
        "src/modern.ts",
        """
        import { configureStore } from 'modern';
        import counter from './counter';
        export const store = configureStore({ reducer: counter });
        """
      )),
    Entry(
      "redux-persist, which has a store of its own", "src/persisted.js",
      (
        "src/persisted.js",
        """
        import { createStore } from 'redux';
        import counter from './counter';
        export const store = createStore(counter);
        const read = createStore((state) => state, { registry: [], bootstrapped: false });
        export const persistor = { ...read, purge() {}, flush() {} };
        """
      )),
    Entry(
      "a function without a name that makes the store", "src/maker.js",
      (
        "src/maker.js",
        """
        import { createStore } from 'redux';
        import counter from './counter';
        export default (initialState, history) => createStore(counter, initialState);
        """
      )),
    Entry(
      "a folder of the source that holds packages", "app/root.js",
      ("app/parts/count/reducer.js", "export { default } from '../../../src/counter';"),
      ("app/root.js", "import count from 'parts/count/reducer'; export default count;")),
    Entry(
      "a wrapped reducer without a first state, beside functions of two arguments",
      "src/wrapped.ts",
      (
        "src/wrapped.ts",
        """
        const wrap = (recipe: any) => (...given: any[]) => recipe(...given);
        export const parse = (text: string, activeID: string) => ({ text, activeID });
        export const link = (parts: string[], amount: number) => parts[amount];
        export const defaultState = { n: 5 };
        export default wrap((state: any, { type }: any) => (type === 'add' ? { n: state.n + 1 } : state));
        """
      )),
    Entry(
      "types of Flow as TypeScript has them", "src/flow.js",
      (
        "src/flow.js",
        """
        // @flow
        import counter, { type Counter } from './counter';
        export const reducer = (state: Counter, action: any): Counter => counter(state, action);
        """
      )),
    Entry(
      "types of Flow that the project's Babel takes away", "src/flow.js",
      (
        "node_modules/@babel/core/index.js",
        """
        exports.transformSync = (text, { configFile, babelrc, presets: [preset] }) => {
          if (configFile || babelrc || !/preset-flow/.test(preset)) throw new Error('not so');
          return { code: text.replace(/: \\??\\w+/g, '') };
        };
        """
      ), ("node_modules/@babel/preset-flow/index.js", ""),
      (
        "src/flow.js",
        """
        // @flow
        import counter from './counter';
        export const View = () => <p>{counter.name}</p>;
        export const reducer = (state: ?Object, action: Object): ?Object => counter((state: any), action);
        """
      )),
    Entry(
      "the map of reducers of NgRx", "src/reducers.ts",
      ("node_modules/@ngrx/store/index.js", "exports.createSelector = () => {};"),
      (
        "src/reducers.ts",
        """
        import { createSelector } from '@ngrx/store';
        export const rootReducers = {
          n: (state = 5, action: { type: string }) => (action.type === 'add' ? state + 1 : state),
          router: (state: unknown) => state,
        };
        export const metaReducers = [(reducer: unknown) => reducer];
        export const logger = (reducer: unknown) => reducer;
        """
      )),
  ]
}
