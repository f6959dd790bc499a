import TestSupport
import Testing

/// Kedro-Viz keeps a graph whose nodes and edges know each other.
@Suite("States that contain themselves", .needs(.node))
struct CircleTests {
  private let shim: ShimAlone

  init() throws { shim = try ShimAlone() }

  @Test("a circle is cut at the same place each time: it does not grow, and is no change")
  func circles() throws {
    let told = try shim.lines(
      """
      const graph = () => {
        const nodes = [0, 1, 2].map((n) => ({ n, targets: [] }));
        for (const n of [0, 1]) nodes[n].targets.push({ source: nodes[n], target: nodes[n + 1] });
        return { nodes };
      };
      const store = createStore((state = { n: 0 }, { type, by }) => {
        if (type === 'graph') return { ...state, graph: graph(), list: [] };
        if (type === 'more') return { ...state, list: [...state.list, state.graph.nodes[1]] };
        return type === 'add' ? { ...state, n: state.n + by } : state;
      }, compose(thunk));
      const act = (type) => { store.dispatch({ type, by: 1 }); return recorded().at(-1).patch; };
      const [{ value }] = act('graph');
      print(value.nodes[0].targets[0].source);
      print(value.nodes[0].targets[0].target.targets[0].source);
      // An app that rests is looked at anew.
      for (let n = 0; n < 40; n++) act('add');
      print(act('more'));
      print(act('add'));
      print(recorded().some(({ mutated, lost }) => mutated || lost));
      const own = store.getState();
      drive({ drive: 'show', state: { n: 0, graph: value, list: [] }, words: '' });
      const shown = store.getState();
      print([shown.n, shown.graph === own.graph, shown.list.length]);
      """)
    #expect(
      told == [
        #""[Circular]""#, #""[Circular]""#,
        #"[{"op":"add","path":"/list/0","value":{"n":1,"targets":[{"source":"[Circular]","#
          + #""target":{"n":2,"targets":[]}}]}}]"#,
        #"[{"op":"replace","path":"/n","value":41}]"#, "false", "[0,true,0]",
      ])
  }
}
