import Platform

/// Measures in node how much the recorder for JavaScript adds to a store.
enum JavaScriptRows {
  static let topic = Topic(name: "JavaScript") { folder in
    let retcon = try ProcessRows.builtProgram("retcon")
    _ = try ChildProcess.run([retcon, "recorder", "--write", "-o", folder("recorder.mjs")])
    try BenchFile(folder("app.mjs")).write(app.utf8)
    try BenchFile(folder("counter.mjs")).write(counter.utf8)
    let actions = (0..<20_000).map { #"{"type":"add","by":\#($0 % 7)}"# }
    try BenchFile(folder("actions.jsonl")).write(actions.joined(separator: "\n").utf8)
    return [
      Row(
        "what recording adds to a dispatch of 3 µs, 50 KB shared", bar: .atMost(0.05),
        added("recorded", folder), samples: 1),
      Row(
        "what a log of 50 actions adds, kept as Redux DevTools does",
        bar: .watched("a stand-in for its instrument"), added("logged", folder), samples: 1),
      Row(
        "20,000 steps through --reducer, node's start included (30 µs each)", bar: .atMost(0.6),
        .process([
          retcon, "state", folder("actions.jsonl@20000"), "--reducer", folder("counter.mjs"),
        ]), samples: 9),
    ]
  }

  /// The quickest of several processes in turn: compilers and neighbours only ever make one slower.
  private static func added(_ kind: String, _ folder: BenchFolder) -> Work {
    .measured(unit: .share) {
      let result = folder("figure")
      func dispatch(_ kind: String) throws -> Double {
        try ChildProcess.figure(of: ["node", folder("app.mjs"), kind, result], in: result)
      }
      var (bare, other) = (Double.infinity, Double.infinity)
      for _ in 0..<9 {
        bare = min(bare, try dispatch("bare"))
        other = min(other, try dispatch(kind))
      }
      return other / bare - 1
    }
  }

  private static let counter = """
    export default (state = { count: 0, label: 'start' }, { by }) =>
      ({ ...state, count: state.count + by });
    """

  private static let app = #"""
    import fs from 'node:fs';
    import { record } from './recorder.mjs';
    const tree = (depth, id) => (depth === 0 ? { id, price: id * 1.5, note: 'x'.repeat(80), tags: ['a', 'b'] }
      : Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`k${index}`, tree(depth - 1, id * 7 + index)])));
    let spun = 0;
    const reducer = (state = { items: tree(3, 0), total: 0 }, { type, id, price }) => {
      if (type !== 'set') return state;
      for (let turn = 0; turn < 330; turn++) spun = (spun * 31 + turn) % 1000003;
      const [a, b, c] = [`k${id % 7}`, `k${(id * 3) % 7}`, `k${(id * 5) % 7}`];
      const items = state.items;
      const item = { ...items[a][b][c], price };
      return { items: { ...items, [a]: { ...items[a], [b]: { ...items[a][b], [c]: item } } }, total: state.total + 1 };
    };
    const createStore = (reduce, enhancer) => {
      if (enhancer) return enhancer(createStore)(reduce);
      let [state, isBusy] = [undefined, false];
      const dispatch = (action) => {
        if (typeof action.type !== 'string' || isBusy) throw new Error();
        try { isBusy = true; state = reduce(state, action); } finally { isBusy = false; }
        return action;
      };
      dispatch({ type: '@@INIT' });
      return { dispatch, getState: () => state };
    };
    // As much as Redux DevTools keeps of 50 actions, in new objects and lists for each.
    const log = (make) => (reduce) => make((lifted = { state: reduce(undefined, { type: '@@INIT' }), next: 1, byId: {}, ids: [], states: [] }, action) => {
      const { next, byId, ids, states } = lifted;
      const state = reduce(lifted.state, action);
      byId[next] = { type: 'PERFORM_ACTION', action, timestamp: Date.now() };
      if (ids.length === 50) delete byId[ids[0]];
      return { state, next: next + 1, byId, ids: [...ids.slice(-49), next], states: [...states.slice(-49), { state }] };
    });
    const [kind, result] = process.argv.slice(2);
    const store = createStore(reducer, { recorded: record().enhancer, logged: log }[kind]);
    let [count, best] = [0, Infinity];
    for (let run = 0; run < 33; run++) {
      const start = process.cpuUsage();
      for (let each = 0; each < 5000; each++) store.dispatch({ type: 'set', id: ++count % 400, price: count });
      const { user, system } = process.cpuUsage(start);
      if (run > 7) best = Math.min(best, (user + system) / 5000e6);
    }
    fs.writeFileSync(result, String(best));
    """#
}
