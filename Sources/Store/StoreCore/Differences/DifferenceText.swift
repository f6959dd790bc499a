package struct DifferenceText {
  private(set) var lines: [String] = []

  /// Nil if no difference shows. `areEqual` compares parts too deep to show.
  package static func of(
    expected: Any, actual: Any,
    areEqual: @escaping (_ actual: Any, _ expected: Any) -> Bool = { actual, expected in
      LeafEquality.areEqualByType(actual, expected) ?? false
    }
  ) -> String? {
    var quick = DifferenceFinder(believesEquality: true, areEqual: areEqual)
    var node = quick.node(expected, actual, isRoot: true)
    if node == nil {
      // A custom `==` may hide differences.
      var thorough = DifferenceFinder(believesEquality: false, areEqual: areEqual)
      node = thorough.node(expected, actual, isRoot: true)
    }
    guard let node else { return nil }
    var text = DifferenceText()
    text.append(node, label: "", depth: 0)
    return text.lines.joined(separator: "\n")
  }

  mutating func append(_ node: DifferenceNode, label: String, depth: Int) {
    switch node {
    case .replaced(let expected, let actual):
      let (old, new) = Self.distinctDumps(expected, actual)
      append(old, "− ", label, depth)
      append(new, "+ ", label, depth)
    case .parts(let open, let close, let entries):
      append([open], "  ", label, depth)
      append(entries, depth + 1)
      append([close], "  ", "", depth)
    }
  }

  private mutating func append(_ entries: [DifferenceNode.Entry], _ depth: Int) {
    for entry in entries {
      switch entry.change {
      case .changed(let node): append(node, label: entry.label, depth: depth)
      case .removed(let value): append(Dump.lines(value), "− ", entry.label, depth)
      case .inserted(let value): append(Dump.lines(value), "+ ", entry.label, depth)
      case .line(let line, let sign): append([String(line)], sign, "", depth)
      case .same(let value): append([Dump.line(value, limit: 80)], "  ", entry.label, depth)
      case .folded(let count): append(["… (\(count) unchanged)"], "  ", "", depth)
      case .hidden(let count): append(["… (\(count) more changed)"], "  ", "", depth)
      }
    }
  }

  private mutating func append(_ text: [String], _ sign: String, _ label: String, _ depth: Int) {
    let indent = sign + String(repeating: "  ", count: depth)
    for (index, line) in text.enumerated() {
      lines.append(indent + (index == 0 ? label : "") + line)
    }
  }

  /// Values that differ but look alike, shown with types or in full detail.
  private static func distinctDumps(_ expected: Any, _ actual: Any) -> ([String], [String]) {
    let (old, new) = (Dump.lines(expected), Dump.lines(actual))
    guard old == new else { return (old, new) }
    if type(of: expected) != type(of: actual) {
      func typed(_ lines: [String], _ value: Any) -> [String] {
        lines.dropLast() + [lines[lines.count - 1] + " (\(String(reflecting: type(of: value))))"]
      }
      return (typed(old, expected), typed(new, actual))
    }
    func detail(_ value: Any) -> [String] {
      var text = ""
      dump(value, to: &text, maxDepth: 20, maxItems: 1_000)
      return text.split(separator: "\n").map(String.init)
    }
    return (detail(expected), detail(actual))
  }
}

indirect enum DifferenceNode {
  case replaced(expected: Any, actual: Any)
  case parts(open: String, close: String, [Entry])

  struct Entry {
    var label: String
    var change: Change
  }

  enum Change {
    case changed(DifferenceNode)
    case removed(Any)
    case inserted(Any)
    /// Of a text.
    case line(Substring, sign: String)
    case same(Any)
    case folded(Int)
    case hidden(Int)
  }
}

struct DifferenceEntries {
  private(set) var entries: [DifferenceNode.Entry] = []
  private var changes = 0
  private var unchanged = 0

  private static let mostChanges = 100

  var isFull: Bool { changes >= Self.mostChanges }

  mutating func addUnchanged(_ count: Int = 1) {
    unchanged += count
  }

  mutating func add(_ label: String, _ change: @autoclosure () -> DifferenceNode.Change) {
    if isFull {
      changes += 1
      return
    }
    fold()
    let change = change()
    if case .same = change {} else { changes += 1 }
    entries.append(DifferenceNode.Entry(label: label, change: change))
  }

  private mutating func fold() {
    guard unchanged > 0 else { return }
    entries.append(DifferenceNode.Entry(label: "", change: .folded(unchanged)))
    unchanged = 0
  }

  mutating func node(open: String, close: String) -> DifferenceNode? {
    guard changes > 0 else { return nil }
    let hidden = changes - Self.mostChanges
    if hidden > 0 {
      unchanged = 0
      entries.append(DifferenceNode.Entry(label: "", change: .hidden(hidden)))
    }
    fold()
    return .parts(open: open, close: close, entries)
  }
}
