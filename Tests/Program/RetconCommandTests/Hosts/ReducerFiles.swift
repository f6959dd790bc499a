import Platform
import Testing

@testable import RetconCommand

/// Files of JavaScript and Python, written into the folder of a test.
enum ReducerFiles {
  /// From 22.18 on.
  static let hasNodeForTypes =
    (try? Subprocess.run(
      "/bin/sh", ["-c", "exec node -e 'process.exit(process.features.typescript ? 0 : 1)'"])) == 0

  /// A program that runs node where nothing else is on the path, with the host's files beside it.
  static func withNodeAlone(in runner: CommandRunner) throws -> String? {
    let folders = (environmentVariable("PATH") ?? "").split(separator: ":")
    let programs = folders.map { (folder: Substring) -> String in "\(folder)/node" }
    guard let node = programs.first(where: { access($0, X_OK) == 0 }) else { return nil }
    for file in [ShippedHost.node, .loader] {
      let path = "\(runner.folder)/\(file.fileName)"
      if !FileSystem.exists(path) { try FileSystem.write(file.text, to: path) }
    }
    let script = "\(runner.folder)/bare-node"
    if !FileSystem.exists(script) {
      try FileSystem.write("#!/bin/sh\nPATH=/nowhere exec \(node) \"$@\"\n", to: script)
      chmod(script, 0o700)
    }
    return script
  }

  /// An export of Redux DevTools with these actions.
  static func export(_ actions: String...) -> String {
    let list = "[\(actions.joined(separator: ","))]"
    let escaped = list.replacing(#"\"#, with: #"\\"#).replacing("\"", with: #"\""#)
    return #"{"payload":"\#(escaped)"}"#
  }

  static let counter = """
    const initial = { count: 0, list: [] };
    export default function counter(state = initial, action) {
      switch (action.type) {
        case 'add': return { ...state, count: state.count + (action.by ?? 1) };
        case 'boom': return { ...state, count: action.payload.missing.deep };
        case 'mutate': state.list.push(action.by); return state;
        case 'chatty': console.log('{"id":1}'); process.stdout.write('raw'); return state;
        case 'exit': process.exit(3);
        case 'nothing': return undefined;
        case 'random': return { ...state, count: Math.random() };
        case 'today': return { ...state, count: Date.now() };
        case 'rich': return {
          ...state, date: new Date(0), map: new Map([['a', 1]]), pairs: new Map([[1, 2]]),
          set: new Set([3]), none: undefined, holes: [undefined], symbol: Symbol('x'),
          notANumber: NaN, big: 12n, pattern: /a+/g, error: new TypeError('no'), call() {},
        };
        default: return state;
      }
    }

    """

  /// The files of a package manager: as much of Redux as making a store takes.
  static let redux = """
    function createStore(reducer, state) {
      let current = reducer;
      const store = {
        getState: () => state, subscribe() {}, dispatch: (action) => (state = current(state, action)),
        replaceReducer: (next) => (current = next),
      };
      store.dispatch({ type: '@@redux/INIT' });
      return store;
    }
    exports.createStore = createStore;

    """

  static let pythonCounter = """
    def reducer(state, action):
        if state is None:
            return {"count": 0, "list": []}
        print("noise")
        kind = action["type"]
        if kind == "add":
            return {**state, "count": state["count"] + action.get("by", 1)}
        if kind == "boom":
            return state["nowhere"]
        if kind == "mutate":
            state["list"].append(action["by"])
        return state

    """
}

extension CommandRunner {
  /// Writes the counter with an export of these actions, in the folder.
  func writeCounter(_ actions: String...) throws {
    for (name, text) in [
      ("counter.mjs", ReducerFiles.counter), ("counter.py", ReducerFiles.pythonCounter),
    ] where !FileSystem.exists("\(folder)/\(name)") {
      _ = try write(text, as: name)
    }
    FileSystem.remove("\(folder)/export.json")
    let list = actions.joined(separator: ",").replacing("\"", with: #"\""#)
    _ = try write(#"{"payload":"[\#(list)]"}"#, as: "export.json")
  }

  /// One frame of the debugger on the export, on a pane.
  func frame(_ words: String...) async -> Answer {
    await run(["open", "$/export.json@1", "--print", "240x24"] + words)
  }
}
